/** Reads plausible counters and writes the cost in the `usage` objects of both dialects. */
import type { CostFields } from './dialect.ts';

/** Largest plausible count. A higher count is a fault of the upstream and must not be charged. */
const MAX_COUNT = 1_000_000_000;

/** Returns a token count. Null and absent counters are 0; an implausible count is NaN. */
export function tokenCount(value: unknown): number {
  const given = value ?? 0;
  const believable =
    typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= MAX_COUNT;
  return believable ? given : Number.NaN;
}

/** Returns the cost as JSON text, so that no digit is lost. Null removes the operator's cost. */
export const costMembers = (cost: CostFields): ReadonlyMap<string, string | null> =>
  new Map([
    ['cost_details', null],
    ['cost', cost.usd],
    ['cost_exact', JSON.stringify(cost.exact)],
    ['cost_currency', JSON.stringify(cost.currency)],
  ]);

/** Returns usage as JSON text. The cost follows its counts and replaces an upstream's own. */
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
