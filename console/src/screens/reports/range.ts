/** The time range of a report, kept in the page's URL: recent days, or a start and an end. */

import { choice, dayOrTime } from '#components/search-reader.ts';

export const DAYS = { today: 1, '7d': 7, '30d': 30, '90d': 90 } as const;
export type Preset = keyof typeof DAYS;
export const PRESETS: readonly Preset[] = ['today', '7d', '30d', '90d'];

/**
 * The time range in the URL: a preset, or a start, an end or both. Without any of these, the
 * default preset applies. A start is inclusive. A day as the end is inclusive, a time is exclusive.
 */
export const RANGE = { range: choice(PRESETS), from: dayOrTime, to: dayOrTime };
export type RangeSearch = {
  readonly range?: Preset | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};
export type DayRange = { readonly from: string; readonly to: string };

const DEFAULT_PRESET: Preset = '7d';
const DAY_MS = 86_400_000;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Returns the selected preset; null for a range of dates. A range that ends before it starts does
 * not count.
 */
export function presetOf({ range, from, to }: RangeSearch): Preset | null {
  const isNone = from === undefined && to === undefined;
  const isReversed = from !== undefined && to !== undefined && from > to;
  return range ?? (isNone || isReversed ? DEFAULT_PRESET : null);
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the first and the last UTC day of a range, both inclusive. */
export function dayRange(search: RangeSearch, nowMs: number): DayRange {
  const preset = presetOf(search);
  const today = dayOf(nowMs);
  if (preset === null) {
    const to = search.to === undefined ? today : lastDay(search.to);
    return { from: search.from?.slice(0, 10) ?? shifted(to, 1 - DAYS[DEFAULT_PRESET]), to };
  }
  return { from: shifted(today, 1 - DAYS[preset]), to: today };
}

/**
 * Returns the last day of a range. A day as `to` is included. A time as `to` is excluded, so that
 * midnight ends the range on the day before.
 */
const lastDay = (to: string): string => (DATE.test(to) ? to : dayOf(Date.parse(to) - 1));

const shifted = (day: string, days: number): string => dayOf(Date.parse(day) + days * DAY_MS);

/** Returns every day of the range, oldest first. */
export function daysIn({ from, to }: DayRange): readonly string[] {
  const count = Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1;
  return Array.from({ length: Math.max(0, count) }, (_, at) => shifted(from, at));
}
