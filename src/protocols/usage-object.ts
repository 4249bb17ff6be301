/** What the `usage` objects of both dialects share: plausible counters and the cost. */
import type { CostFields } from './dialect.ts';

/** No request has this many tokens. A higher count is a bug upstream and must not be charged. */
const MAX_COUNT = 1_000_000_000;

/** Null and absent counters are 0; NaN for an implausible count. */
export function tokenCount(value: unknown): number {
  const given = value ?? 0;
  const believable =
    typeof given === 'number' && Number.isInteger(given) && given >= 0 && given <= MAX_COUNT;
  return believable ? given : Number.NaN;
}

/**
 * Maps member names to JSON text, or to null for one to remove: what the operator pays upstream is
 * not for the caller. Text, not numbers, so that no digit is lost.
 */
export const costMembers = (cost: CostFields): ReadonlyMap<string, string | null> =>
  new Map([
    ['cost_details', null],
    ['cost', cost.usd],
    ['cost_exact', JSON.stringify(cost.exact)],
    ['cost_currency', JSON.stringify(cost.currency)],
  ]);

/** A usage object as JSON text with the cost after its counts, replacing an upstream's own. */
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
