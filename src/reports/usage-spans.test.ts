import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { DAY_MS, dateOf } from '../money/calendar.ts';
import { usageSpans } from './usage-spans.ts';

const SEED = 7;
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / DAY_MS;
const spansOf = (from: string, to: string) =>
  usageSpans({ fromDay: dayOf(from), toDay: dayOf(to) }).map(({ rollUp, periods }) => [
    rollUp,
    periods.map(dateOf),
  ]);

test('splits a range into whole months and the days around them', () => {
  expect(spansOf('2026-01-30', '2026-04-02')).toEqual([
    ['day', ['2026-01-30', '2026-01-31']],
    ['month', ['2026-02-01', '2026-03-01']],
    ['day', ['2026-04-01', '2026-04-02']],
  ]);
  expect(spansOf('2028-02-01', '2028-02-29')).toEqual([
    ['day', []],
    ['month', ['2028-02-01']],
    ['day', []],
  ]);
  expect(spansOf('2028-02-01', '2028-02-02')).toEqual([['day', ['2028-02-01', '2028-02-02']]]);
});

test('covers every day of the range exactly once, and no other day', () => {
  const span = fc.tuple(fc.nat(40_000), fc.nat(800));
  fc.assert(
    fc.property(span, ([fromDay, more]) => {
      const toDay = fromDay + more;
      const read = usageSpans({ fromDay, toDay }).flatMap(({ rollUp, periods }) =>
        periods.flatMap((first) => (rollUp === 'day' ? [first] : daysOfMonth(first))),
      );
      expect(read).toEqual(Array.from({ length: more + 1 }, (_, at) => fromDay + at));
    }),
    { seed: SEED },
  );
});

/** Returns the days of the month that begins on `first`, counted until the month changes. */
function daysOfMonth(first: number): number[] {
  const days = [first];
  const month = dateOf(first).slice(0, 7);
  for (let day = first + 1; dateOf(day).slice(0, 7) === month; day += 1) days.push(day);
  return days;
}
