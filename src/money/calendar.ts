/**
 * The UTC calendar for usage, reports and caps, and the days of other time zones for charts. A day
 * is a number: the days since 1970-01-01.
 */

export const DAY_MS = 86_400_000;

/** Day numbers: of the day itself, of its week's Monday, and of its month's first day. */
export type Days = { readonly day: bigint; readonly week: bigint; readonly month: bigint };

export const dayOf = (atMs: number): number => Math.floor(atMs / DAY_MS);

/**
 * The result of the last call, cached because nearly all charges are on the same day as the last.
 */
let last: { readonly day: number; readonly days: Days } | null = null;

export function daysAt(atMs: number): Days {
  const day = dayOf(atMs);
  if (last?.day === day) return last.days;
  // Day 0 was a Thursday, so the Monday of its week was day -3.
  const monday = day - ((((day + 3) % 7) + 7) % 7);
  const days = { day: BigInt(day), week: BigInt(monday), month: BigInt(firstOfMonth(atMs)) };
  last = { day, days };
  return days;
}

/**
 * Returns the day number of a month's first day: `monthsLater` months after the month of `atMs`.
 */
export function firstOfMonth(atMs: number, monthsLater = 0): number {
  const at = new Date(atMs);
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + monthsLater, 1) / DAY_MS;
}

/** Formats a day as `2026-11-21`. */
export const dateOf = (day: number): string => new Date(day * DAY_MS).toISOString().slice(0, 10);

/** A quarter of an hour. All time zones in use differ from UTC by a multiple of it. */
export const QUARTER_MS = 900_000;

/**
 * Returns the times (Unix ms) at which the days in `timeZone` start, from the day of `fromMs` until
 * `toMs`.
 */
export function zonedDayStarts(fromMs: number, toMs: number, timeZone: string): number[] {
  // Swedish dates are written as in ISO 8601, so they sort by time as text.
  const format = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' });
  const isBefore = (day: number, ms: number): boolean => format.format(ms) < dateOf(day);
  const firstDay = dayOf(Date.parse(format.format(fromMs)));
  const starts = [startOfDay(firstDay, isBefore)];
  for (let day = firstDay + 1; ; day++) {
    const usual = (starts.at(-1) ?? 0) + DAY_MS;
    const isUsual = !isBefore(day, usual) && isBefore(day, usual - 1);
    const start = isUsual ? usual : startOfDay(day, isBefore);
    if (start >= toMs) return starts;
    starts.push(start);
  }
}

/**
 * Returns the time at which a day starts, a multiple of `QUARTER_MS`. It is not always midnight:
 * where clocks change at midnight, a day can start at 1:00.
 */
function startOfDay(day: number, isBefore: (day: number, ms: number) => boolean): number {
  let [early, late] = [(day - 1) * DAY_MS, (day + 1) * DAY_MS];
  while (late - early > QUARTER_MS) {
    const middle = early + Math.floor((late - early) / QUARTER_MS / 2) * QUARTER_MS;
    if (isBefore(day, middle)) early = middle;
    else late = middle;
  }
  return late;
}
