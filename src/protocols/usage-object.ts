/** What the `usage` objects of both dialects share: believable counters and the cost. */
import type { CostFields } from './dialect.ts';

/** No request can have this many tokens; a count above it is a fault, and must not become a bill. */
const MAX_COUNT = 1_000_000_000;

/** Null and absent counters are 0; NaN for what is no believable count. */
export function tokenCount(value: unknown): number {
  const given = value ?? 0;
  const believable =
    typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= MAX_COUNT;
  return believable ? given : Number.NaN;
}

/**
 * Member name to JSON text, or null for one that has to go: what an upstream charges the operator is not
 * the caller's business. The texts are kept as they are, so that no digit is lost on the way.
 */
export const costMembers = (cost: CostFields): ReadonlyMap<string, string | null> =>
  new Map([
    ['cost_details', null],
    ['cost', cost.usd],
    ['cost_exact', JSON.stringify(cost.exact)],
    ['cost_currency', JSON.stringify(cost.currency)],
  ]);

/** A usage object as JSON text with the cost after its own counts; an upstream's own cost gives way. */
export function usageWithCost(usage: Readonly<Record<string, unknown>>, cost: CostFields): string {
  const members = costMembers(cost);
  const counts = Object.entries(usage)
    .filter(([name]) => !members.has(name))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  const costs = [...members]
    .filter(([, json]) => json !== null)
    .map(([name, json]) => `${JSON.stringify(name)}:${json}`);
  return `{${[...counts, ...costs].join(',')}}`;
}
