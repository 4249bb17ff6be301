/** How spending changed against the days before. */
import type { UsageRow } from '../../../api/usage.ts';
import { type Pico, parseAmount } from '../../../money/amount.ts';

const PARTS = 10_000n;

/**
 * 0.25 for a quarter more than in as many days before; null when nothing was spent then.
 * @param days UTC, oldest first, at least twice `length`.
 * @param length how many of them count, the last ones; as many before them are compared with.
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
  // For people's eyes alone.
  return Number(((spent - spentBefore) * PARTS) / spentBefore) / Number(PARTS);
}
