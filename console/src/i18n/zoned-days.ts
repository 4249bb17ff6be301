/** Calculates with days of a time zone, in the format 2026-11-21. */

const DAY_MS = 86_400_000;
const SECOND_MS = 1_000;
/** 15 minutes. The UTC offset of every current time zone is a multiple of this. */
const QUARTER_MS = 900_000;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Returns the day at a point in time, in a zone of the IANA database. */
export function dayIn(timeZone: string, ms: number): string {
  // The Swedish date format is the format of ISO 8601. Days in this format can be compared as
  // texts, because their alphabetical order is their order in time.
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short' });
  formats.set(timeZone, format);
  return format.format(ms);
}

/** Returns the day `days` later, or earlier if negative. */
export const shiftedDay = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/**
 * Returns the first moment of a day. Because of daylight saving time, a day may begin at 1:00, and
 * midnight may come twice.
 */
export function startOfDay(timeZone: string, day: string): number {
  let [early, late] = [Date.parse(day) - DAY_MS, Date.parse(day) + DAY_MS];
  while (late - early > QUARTER_MS) {
    const middle = early + Math.floor((late - early) / QUARTER_MS / 2) * QUARTER_MS;
    if (dayIn(timeZone, middle) < day) early = middle;
    else late = middle;
  }
  return late;
}

/** Returns the first moment after a day. */
export const endOfDay = (timeZone: string, day: string): number =>
  startOfDay(timeZone, shiftedDay(day, 1));

/** Returns the last second of a day in ISO 8601, for an expiry at the end of that day. */
export const lastSecondOf = (timeZone: string, day: string): string =>
  new Date(endOfDay(timeZone, day) - SECOND_MS).toISOString();
