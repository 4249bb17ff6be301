/** Calculates the numbers on the overview, such as the change in spend, from the daily usage. */
import type { UsageRow } from '#api/usage.ts';
import type { Share } from '#charts/top-list.tsx';
import { type Pico, parseAmount } from '#money/amount.ts';

const PARTS = 10_000n;

type Charged = Pick<UsageRow, 'day' | 'charge'>;
type Counted = Pick<UsageRow, 'day' | 'requests' | 'incomplete'>;

export const spendByDay = (rows: readonly Charged[], days: readonly string[]): readonly Pico[] =>
  days.map((wanted) =>
    rows.reduce((sum, { day, charge }) => (day === wanted ? sum + parseAmount(charge) : sum), 0n),
  );

/** Returns the failed fraction of each day's requests; 0 for a day without requests. */
export const failureRates = (
  rows: readonly Counted[],
  days: readonly string[],
): readonly number[] =>
  days.map((wanted) => {
    const own = rows.filter(({ day }) => day === wanted);
    const requests = own.reduce((sum, row) => sum + row.requests, 0);
    const failed = own.reduce((sum, row) => sum + row.incomplete, 0);
    return requests === 0 ? 0 : failed / requests;
  });

/**
 * Returns the relative change of spend, such as 0.25 for 25% more; null when there was no spend
 * before.
 */
export function changeOf(now: string, before: string): number | null {
  const [spent, spentBefore] = [parseAmount(now), parseAmount(before)];
  if (spentBefore <= 0n) return null;
  // The result is only for display, so a floating-point number is enough.
  return Number(((spent - spentBefore) * PARTS) / spentBefore) / Number(PARTS);
}

/** Returns the groups with the highest spend in USD, highest first. */
export function topOf<Row extends Pick<UsageRow, 'cost_usd'>>(
  rows: readonly Row[],
  groupOf: (row: Row) => string | null,
  count: number,
): readonly Share[] {
  const sums = new Map<string, Pico>();
  for (const row of rows) {
    const group = groupOf(row) ?? '';
    sums.set(group, (sums.get(group) ?? 0n) + parseAmount(row.cost_usd));
  }
  const top = [...sums]
    .filter(([, amount]) => amount > 0n)
    .toSorted(([, a], [, b]) => (a > b ? -1 : Number(a < b)))
    .slice(0, count);
  return top.map(([group, amount]) => ({ group, amount }));
}
