import { expect, test } from 'bun:test';
import { dayIn, endOfDay, shiftedDay, startOfDay } from './zoned-days.ts';

const isoStart = (zone: string, day: string): string =>
  new Date(startOfDay(zone, day)).toISOString().slice(0, 16);

test.each([
  ['UTC', '2026-11-22', '2026-11-22T00:00'],
  ['Asia/Shanghai', '2026-11-22', '2026-11-21T16:00'],
  ['Asia/Kathmandu', '2026-11-22', '2026-11-21T18:15'],
  ['Pacific/Kiritimati', '2026-11-22', '2026-11-21T10:00'],
  ['America/Los_Angeles', '2026-11-01', '2026-11-01T07:00'],
  ['America/Los_Angeles', '2026-11-02', '2026-11-02T08:00'],
  // In Beirut, March 29th begins at 1:00. In Havana, November 1st has midnight twice.
  ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00'],
])('in %s, %s begins at %s UTC', (zone, day, start) => {
  expect(isoStart(zone, day)).toBe(start);
});

test.each([
  ['America/New_York', '2026-03-08', 23],
  ['America/New_York', '2026-11-01', 25],
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
])('in %s, %s has %d hours', (zone, day, hours) => {
  expect((endOfDay(zone, day) - startOfDay(zone, day)) / 3_600_000).toBe(hours);
});

test('every moment belongs to the day that it is in', () => {
  for (const zone of ['UTC', 'Asia/Shanghai', 'America/New_York', 'Asia/Beirut']) {
    for (let day = '2026-01-01'; day < '2027-01-01'; day = shiftedDay(day, 1)) {
      const [start, end] = [startOfDay(zone, day), endOfDay(zone, day)];
      expect([dayIn(zone, start - 1) < day, dayIn(zone, start), dayIn(zone, end - 1)]).toEqual([
        true,
        day,
        day,
      ]);
    }
  }
});
