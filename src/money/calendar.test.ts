import { describe, expect, test } from 'bun:test';
import { DAY_MS, daysAt, firstOfMonth } from './calendar.ts';

const dayOf = (iso: string): bigint => BigInt(Date.parse(`${iso}T00:00:00Z`) / DAY_MS);

describe('a moment', () => {
  test.each([
    ['2026-11-22T23:59:59.999Z', '2026-11-22', '2026-11-16', '2026-11-01'],
    ['2026-11-23T00:00:00Z', '2026-11-23', '2026-11-23', '2026-11-01'],
    ['2026-11-22T23:59:00Z', '2026-11-22', '2026-11-16', '2026-11-01'],
    ['2026-11-21T23:59:59.999Z', '2026-11-21', '2026-11-16', '2026-11-01'],
    ['2027-01-01T00:00:00Z', '2027-01-01', '2026-12-28', '2027-01-01'],
    ['1969-12-31T23:00:00Z', '1969-12-31', '1969-12-29', '1969-12-01'],
  ])('%s is on day %s, in the week of %s and the month of %s', (iso, day, week, month) => {
    const days = { day: dayOf(day), week: dayOf(week), month: dayOf(month) };
    expect(daysAt(Date.parse(iso))).toEqual(days);
  });
});

test('returns the first of a later month, also in the next year', () => {
  const november = Date.parse('2026-11-22T12:00:00Z');
  expect(BigInt(firstOfMonth(november))).toBe(dayOf('2026-11-01'));
  expect(BigInt(firstOfMonth(november, 2))).toBe(dayOf('2027-01-01'));
});
