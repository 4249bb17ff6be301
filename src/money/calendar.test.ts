import { describe, expect, test } from 'bun:test';
import { DAY_MS, daysAt, firstOfMonth, zonedDayStarts } from './calendar.ts';

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

describe('the days of a time zone', () => {
  const startsOf = (from: string, to: string, timeZone: string): readonly string[] =>
    zonedDayStarts(Date.parse(from), Date.parse(to), timeZone).map((ms) =>
      new Date(ms).toISOString().slice(0, 16),
    );

  test.each([
    // November 1 has 25 hours in New York, where clocks are set back on that day.
    [
      'America/New_York',
      '2026-11-01T12:00Z',
      '2026-11-03T05:00Z',
      ['2026-11-01T04:00', '2026-11-02T05:00'],
    ],
    // October 4 has 23 hours in Sydney, where clocks are set forward on that day.
    [
      'Australia/Sydney',
      '2026-10-03T14:00Z',
      '2026-10-04T14:00Z',
      ['2026-10-03T14:00', '2026-10-04T13:00'],
    ],
    [
      'Asia/Kathmandu',
      '2026-11-22T00:00Z',
      '2026-11-22T18:16Z',
      ['2026-11-21T18:15', '2026-11-22T18:15'],
    ],
    // In Beirut, clocks change at midnight: in spring from 24:00 to 1:00, and in autumn from 24:00
    // to 23:00.
    ['Asia/Beirut', '2026-03-28T22:00Z', '2026-03-29T21:00Z', ['2026-03-28T22:00']],
    [
      'Asia/Beirut',
      '2026-10-24T21:00Z',
      '2026-10-25T22:01Z',
      ['2026-10-23T21:00', '2026-10-24T22:00', '2026-10-25T22:00'],
    ],
    [
      'Pacific/Kiritimati',
      '2026-11-22T09:59Z',
      '2026-11-22T10:01Z',
      ['2026-11-21T10:00', '2026-11-22T10:00'],
    ],
  ])('%s from %s to %s', (timeZone, from, to, starts) => {
    expect(startsOf(from, to, timeZone)).toEqual(starts);
  });
});
