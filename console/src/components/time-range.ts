/**
 * The time range in the page's URL, and its conversion to days of a time zone or to times for the
 * API.
 */
import { dayIn, endOfDay, startOfDay } from '#i18n/zoned-days.ts';

/**
 * A start and an end in the format of the API: each is a time or a UTC day. A start is inclusive.
 * An end is inclusive if it is a day, and exclusive if it is a time.
 */
export type TimeRange = {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};
const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

export const startOf = (from: string): number => Date.parse(from);
export const endOf = (to: string): number => Date.parse(to) + (DATE.test(to) ? DAY_MS : 0);

/** Returns the first and the last day of a range, as days of a time zone. */
export const daysOf = ({ from, to }: TimeRange, timeZone: string): TimeRange => ({
  from: from === undefined ? undefined : dayIn(timeZone, startOf(from)),
  to: to === undefined ? undefined : dayIn(timeZone, endOf(to) - 1),
});

/**
 * Returns the range from the start of `from` to the end of `to`, which are days of a time zone. For
 * UTC, the result contains days; for any other zone, it contains times.
 */
export function rangeOfDays({ from, to }: TimeRange, timeZone: string): TimeRange {
  if (timeZone === 'UTC') return { from, to };
  const iso = (ms: number): string => new Date(ms).toISOString();
  return {
    from: from === undefined ? undefined : iso(startOfDay(timeZone, from)),
    to: to === undefined ? undefined : iso(endOfDay(timeZone, to)),
  };
}
