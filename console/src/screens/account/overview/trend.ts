/** Calculates how spend changed compared with the period before. */
import { parseAmount } from '#money/amount.ts';

const PARTS = 10_000n;

/**
 * Returns the relative change of spend, such as 0.25 for 25% more; null when the period before had
 * no spend.
 */
export function changeOf(now: string, before: string): number | null {
  const [spent, spentBefore] = [parseAmount(now), parseAmount(before)];
  if (spentBefore <= 0n) return null;
  // The result is only for display, so a floating-point number is enough.
  return Number(((spent - spentBefore) * PARTS) / spentBefore) / Number(PARTS);
}
