/** The times that prices depend on: hours, dates, instants and time zones. */
import * as z from 'zod';
import { built } from './on-demand.ts';

const CLOCK_TIME = /^([01]\d|2[0-3]):([0-5]\d)-(?:([01]\d|2[0-3]):([0-5]\d)|(24):(00))$/;
export const hours = built(() =>
  z.string().transform((given, context) => {
    const [, fromHour, fromMinute, hour, minute, lastHour, lastMinute] =
      CLOCK_TIME.exec(given) ?? [];
    const from = Number(fromHour) * 60 + Number(fromMinute);
    const to = Number(hour ?? lastHour) * 60 + Number(minute ?? lastMinute);
    if (from < to) return { from, to };
    const message =
      from >= to
        ? 'ends before it begins; write two ranges, such as 22:00-24:00 and 00:00-06:00'
        : 'write hours such as "09:00-12:00"';
    context.addIssue(message);
    return z.NEVER;
  }),
);

/**
 * Parses an instant such as 2026-12-01T00:00:00Z and returns it in Unix milliseconds. Returns null
 * for any other value.
 */
export function instantMs(given: unknown): number | null {
  if (typeof given !== 'string') return null;
  const isWhole = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?(?:Z|[+-]\d{2}:\d{2})$/.test(given);
  const atMs = Date.parse(given);
  return isWhole && isDate(given.slice(0, 10)) && Number.isFinite(atMs) ? atMs : null;
}

export const instant = built(() =>
  z.string().transform((given, context) => {
    const atMs = instantMs(given);
    if (atMs !== null) return atMs;
    context.addIssue('write an instant with its offset, such as 2026-12-01T00:00:00Z');
    return z.NEVER;
  }),
);

export const isDate = (date: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(date) &&
  Number.isFinite(Date.parse(date)) &&
  // Rejects dates such as 2026-02-31, which JavaScript turns into a day of the next month.
  new Date(date).toISOString().startsWith(date);
export const date = built(() => z.string().refine(isDate, 'write the date as YYYY-MM-DD'));

export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
