/** Exact sums over the months of the ledger. */
import type { components } from '#api/schema.gen.ts';
import { type Pico, parseAmount } from '#money/amount.ts';

type Month = components['schemas']['BooksMonth'];
type Amount = 'revenue' | 'cost' | 'profit' | 'paid' | 'loss';

export const sumOf = (months: readonly Pick<Month, Amount>[], name: Amount): Pico =>
  months.reduce((sum, row) => sum + parseAmount(row[name] ?? '0'), 0n);

/** Whether the cost of any request in the months is known. */
export const hasCost = (months: readonly Pick<Month, 'profit'>[]): boolean =>
  months.some(({ profit }) => profit !== null);

/**
 * Returns the profit margin of the months: the profit divided by the part of the revenue whose cost
 * is known. This part is the sum of profit and cost. Null if it is not positive.
 */
export function marginOf(months: readonly Pick<Month, Amount>[]): number | null {
  const profit = sumOf(months, 'profit');
  const earned = profit + sumOf(months, 'cost');
  return earned <= 0n ? null : Number((profit * 10_000n) / earned) / 10_000;
}

/** Whether a month has any requests, payments or revenue. */
export const isUsed = (row: Pick<Month, 'requests' | Amount>): boolean =>
  row.requests > 0 || parseAmount(row.paid) !== 0n || parseAmount(row.revenue) !== 0n;
