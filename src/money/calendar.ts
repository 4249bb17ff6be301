/** The UTC calendar of usage, reports and caps. A day is the number of days since 1970-01-01. */

export const DAY_MS = 86_400_000;

/** A day, the Monday of the day's week and the first day of the day's month. */
export type Days = { readonly day: bigint; readonly week: bigint; readonly month: bigint };

export const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS);

/** The last day that was asked for: nearly all charges are of the same one. */
let last: { readonly day: number; readonly days: Days } | null = null;

export function daysAt(atMs: number): Days {
  const day = dayOf(atMs);
  if (last?.day === day) return last.days;
  // Day 0 was a Thursday, three days after a Monday.
  const monday = day - ((((day + 3) % 7) + 7) % 7);
  const days = { day: BigInt(day), week: BigInt(monday), month: BigInt(firstOfMonth(atMs)) };
  last = { day, days };
  return days;
}

/** Returns the first day of the month of `atMs`, or of the month `monthsLater` months after it. */
export function firstOfMonth(atMs: number, monthsLater = 0): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater, 1) / DAY_MS;
}

/** Formats a day as `2026-11-21`. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);
