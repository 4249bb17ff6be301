/** The UTC calendar that usage, reports and spending caps are counted by. Days are counted since 1970. */

export const DAY_MS = 86_400_000;

/** A day, the Monday of its week and the first of its month. */
export type Days = { readonly day: bigint; readonly week: bigint; readonly month: bigint };

export const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS);

export function daysAt(atMs: number): Days {
  const day = dayOf(atMs);
  // Day 0 was a Thursday, three days after a Monday.
  const monday = day - ((((day + 3) % 7) + 7) % 7);
  return { day: BigInt(day), week: BigInt(monday), month: BigInt(firstOfMonth(atMs)) };
}

/** The first day of the month that `atMs` is in, or of a month that many later. */
export function firstOfMonth(atMs: number, monthsLater = 0): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater, 1) / DAY_MS;
}

/** Such as `2026-11-21`. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
