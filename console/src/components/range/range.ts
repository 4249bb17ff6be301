/** The time range of a report, kept in the page's URL: recent days, or a start and an end. */
import { choice, dayOrTime } from '#components/search-reader.ts';
import { daysOf, endOf, rangeOfDays, startOf, type TimeRange } from '#components/time-range.ts';
import { dayIn, shiftedDay } from '#i18n/zoned-days.ts';

export const DAYS = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const;
export type Preset = keyof typeof DAYS;
export const PRESETS: readonly Preset[] = ['today', '7d', '30d', '90d'];

/**
 * The time range in the URL: a preset, or a start, an end or both. Without any of these, the
 * default preset applies.
 */
export const RANGE = { range: choice(PRESETS), from: dayOrTime, to: dayOrTime };
export type RangeSearch = TimeRange & { readonly range?: Preset | undefined };
/** The first and the last day, both inclusive. */
export type DayRange = { readonly from: string; readonly to: string };

const DEFAULT_PRESET: Preset = '7d';
const DAY_MS = 86_400_000;

/**
 * Returns the selected preset, or null if dates are selected instead. Dates that end before they
 * start count as not selected.
 */
export function presetOf({ range, from, to }: RangeSearch): Preset | null {
  const isNone = from === undefined && to === undefined;
  const isReversed = from !== undefined && to !== undefined && startOf(from) >= endOf(to);
  return range ?? (isNone || isReversed ? DEFAULT_PRESET : null);
}

/** Returns the first and the last day of a range in a time zone, both inclusive. */
export function dayRange(search: RangeSearch, nowMs: number, timeZone = 'UTC'): DayRange {
  const preset = presetOf(search);
  const today = dayIn(timeZone, nowMs);
  if (preset !== null) return { from: shiftedDay(today, 1 - DAYS[preset]), to: today };
  const { to = today, from = shiftedDay(to, 1 - DAYS[DEFAULT_PRESET]) } = daysOf(search, timeZone);
  return { from, to };
}

/** The API reports on at most 366 days. */
const YEAR_DAYS = 365;

/**
 * Returns the search with the last year as its range if it asks for a request id and has no range,
 * because an id may be of any age. Otherwise, returns the search unchanged.
 */
export function rangedSearch<
  Search extends RangeSearch & { readonly request?: string | undefined },
>(search: Search, nowMs: number, timeZone: string): Search {
  const { request, range, from, to } = search;
  if (request === undefined || (range ?? from ?? to) !== undefined) return search;
  const today = dayIn(timeZone, nowMs);
  const year = { from: shiftedDay(today, 1 - YEAR_DAYS), to: today };
  return { ...search, ...rangeOfDays(year, timeZone) };
}

/** Returns every day of the range, oldest first. */
export function daysIn({ from, to }: DayRange): readonly string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) => shiftedDay(from, at));
}
