/** Calculates how spend changed compared with the period before. */
import type { UsageRow } from '#api/usage.ts';
import { type Pico, parseAmount } from '#money/amount.ts';

const PARTS = 10_000n;

/**
 * Returns the relative change of spend, such as 0.25 for 25% more; null when the period before had
 * no spend.
 * @param days UTC days, oldest first, at least twice `length`.
 * @param length the number of days in the period, and in the period before.
 */
export function changeOf(
  rows: readonly Pick<UsageRow, 'day' | 'charge'>[],
  days: readonly string[],
  length: number,
): number | null {
  const now = new Set(days.slice(-length));
  const before = new Set(days.slice(-2 * length, -length));
  const spentIn = (wanted: ReadonlySet<string>): Pico =>
    rows.reduce(
      (sum, { day, charge }) => (wanted.has(day ?? '') ? sum + parseAmount(charge) : sum),
      0n,
    );
  const [spent, spentBefore] = [spentIn(now), spentIn(before)];
  if (spentBefore <= 0n) return null;
  // The result is only for display, so a floating-point number is enough.
  return Number(((spent - spentBefore) * PARTS) / spentBefore) / Number(PARTS);
}
