/** How spend changed compared with the period before. */
import type { UsageRow } from '../../../api/usage.ts';
import { type Pico, parseAmount } from '../../../money/amount.ts';

const PARTS = 10_000n;

/**
 * Such as 0.25 for 25% more than in the period before; null when that period had no spend.
 * @param days UTC, oldest first, at least twice `length`.
 * @param length the days of the period; as many before them are its comparison.
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
  // For display only.
  return Number(((spent - spentBefore) * PARTS) / spentBefore) / Number(PARTS);
}
