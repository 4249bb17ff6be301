/** The UTC calendar of usage, reports and spending caps. A day is a count of days since 1970. */

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

/** The first day of the month of `atMs`, or of a later month. */
export function firstOfMonth(atMs: number, monthsLater = 0): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater, 1) / DAY_MS;
}

/** Formats a day as `2026-11-21`. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
