/** Splits the days of a report into whole calendar months and the remaining days. */
import { DAY_MS, firstOfMonth } from '../money/calendar.ts';

/** Consecutive days or months. `periods` has the first day of each, counted from 1970 (UTC). */
export type UsagePeriods = {
  readonly rollUp: 'day' | 'month';
  readonly periods: readonly number[];
};

/** Returns periods that cover each day from `fromDay` to `toDay`, both included, exactly once. */
export function usageSpans({
  fromDay,
  toDay,
}: {
  readonly fromDay: number;
  readonly toDay: number;
}): readonly UsagePeriods[] {
  const months: number[] = [];
  let month = monthFrom(fromDay);
  for (let next = monthFrom(month + 1); next <= toDay + 1; next = monthFrom(month + 1)) {
    months.push(month);
    month = next;
  }
  const first = months[0];
  if (first === undefined) return [{ rollUp: 'day', periods: days(fromDay, toDay) }];
  return [
    { rollUp: 'day', periods: days(fromDay, first - 1) },
    { rollUp: 'month', periods: months },
    { rollUp: 'day', periods: days(month, toDay) },
  ];
}

/** Returns the first day of a month that is on or after `day`. */
function monthFrom(day: number): number {
  const first = firstOfMonth(day * DAY_MS);
  return first === day ? day : firstOfMonth(day * DAY_MS, 1);
}

const days = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
