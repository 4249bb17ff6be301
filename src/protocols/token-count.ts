/** One counter of an upstream's usage report. */

/** No request can have this many tokens; a count above it is a fault, and must not become a bill. */
const MAX_COUNT = 1_000_000_000;

/** Null and absent counters are 0; NaN for what is no believable count. */
export function tokenCount(value: unknown): number {
  const given = value ?? 0;
  const believable =
    typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= MAX_COUNT;
  return believable ? given : Number.NaN;
}
