/** The days of a report as whole calendar months, and the days before and after them. */
const DAY_MS = 86_400_000;

/** Periods one after the other, each by its first day, as days since 1970 (UTC); there may be none. */
export type UsagePeriods = {
  readonly rollUp: 'day' | 'month';
  readonly periods: readonly number[];
};

/** Every day from `fromDay` to `toDay`, both included, is in exactly one period. */
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

/** The first of a month that is not before `day`. */
function monthFrom(day: number): number {
  const at = new Date(day * DAY_MS);
  const months = at.getUTCDate() === 1 ? 0 : 1;
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months, 1) / DAY_MS;
}

const days = (from: number, to: number): readonly number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
