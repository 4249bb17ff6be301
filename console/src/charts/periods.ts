/** Formats hours, days and months in the same style for all charts. */

export type Bucket = 'hour' | 'day' | 'month';

export type PeriodFormats = {
  /** Formats a period for the axis, such as `Nov 21`, `14:00` or `Nov`. */
  readonly short: (period: string) => string;
  /** Formats a period for the tooltip and the table, with the year. */
  readonly long: (period: string) => string;
};

const SHORT = {
  hour: { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { month: 'short', day: 'numeric' },
  month: { month: 'short' },
} as const satisfies Record<Bucket, Intl.DateTimeFormatOptions>;
const LONG = {
  hour: { ...SHORT.day, ...SHORT.hour },
  day: { ...SHORT.day, year: 'numeric', weekday: 'short' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<Bucket, Intl.DateTimeFormatOptions>;

/**
 * Returns formats for periods in ISO 8601, such as 2026-11-21. Any other text is returned
 * unchanged.
 * @param timeZone the time zone of the labels. Days and months of the reports are UTC.
 */
export function periodFormats(locale: string, bucket: Bucket, timeZone = 'UTC'): PeriodFormats {
  // In Chinese, month names are too long for the axis, so a day is written as 11/21.
  const short =
    bucket === 'day' && locale.startsWith('zh')
      ? ({ ...SHORT.day, month: 'numeric' } as const)
      : SHORT[bucket];
  const format = (options: Intl.DateTimeFormatOptions) => {
    const made = new Intl.DateTimeFormat(locale, { ...options, timeZone });
    return (period: string): string => {
      const ms = Date.parse(period);
      return Number.isNaN(ms) ? period : made.format(ms);
    };
  };
  return { short: format(short), long: format(LONG[bucket]) };
}

/** The maximum number of days that a chart shows by day. A longer range is shown by month. */
const MAX_DAYS = 120;
export const bucketOf = (days: readonly string[]) => (days.length > MAX_DAYS ? 'month' : 'day');

/** The number of characters of a period in ISO 8601, such as 2026-11 or 2026-11-21. */
const CHARS = { month: 7, day: 10 } as const;
export const periodOf = (day: string, bucket: 'day' | 'month'): string =>
  day.slice(0, CHARS[bucket]);

/** Returns the periods of a chart: the given days or, if there are too many, their months. */
export const periodsOf = (days: readonly string[]): readonly string[] => [
  ...new Set(days.map((day) => periodOf(day, bucketOf(days)))),
];

/** Returns the first day of a period, which is a month or a day. */
export const firstDayOf = (period: string): string =>
  period.length === CHARS.month ? `${period}-01` : period;

/** Returns the last day of a period, which is a month or a day. */
export function lastDayOf(period: string): string {
  if (period.length > CHARS.month) return period;
  const [year = 0, month = 0] = period.split('-').map(Number);
  return new Date(Date.UTC(year, month, 0)).toISOString().slice(0, CHARS.day);
}
