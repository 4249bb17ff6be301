/** The cost of a request as members of `usage`, in an answer and in the last usage of a stream. */
import type { CostFields } from './dialect.ts';

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
