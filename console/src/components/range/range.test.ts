import { expect, test } from 'bun:test';
import { rangeOfDays } from '#components/time-range.ts';
import { dayRange, daysIn, presetOf, rangedSearch } from './range.ts';

const NOW = Date.parse('2026-03-02T15:00:00Z');

test('the default is the last week', () => {
  expect(presetOf({})).toBe('7d');
  expect(presetOf({ from: '2026-01-01' })).toBeNull();
});

test('a preset has priority, and a range that ends before it starts does not count', () => {
  expect(presetOf({ range: '30d', from: '2026-01-01' })).toBe('30d');
  expect(presetOf({ from: '2026-02-02', to: '2026-02-01' })).toBe('7d');
  expect(presetOf({ from: '2026-02-02', to: '2026-02-02' })).toBeNull();
});

test('presets are whole days, today included, over the end of a month', () => {
  expect(dayRange({ range: 'today' }, NOW)).toEqual({ from: '2026-03-02', to: '2026-03-02' });
  expect(dayRange({ range: '7d' }, NOW)).toEqual({ from: '2026-02-24', to: '2026-03-02' });
});

test('a request id is searched in the last year, unless a range is chosen', () => {
  const found = { request: 'req_1', from: '2025-03-03', to: '2026-03-02' };
  expect(rangedSearch({ request: 'req_1' }, NOW, 'UTC')).toEqual(found);
  const chosen = { request: 'req_1', range: '7d' as const };
  expect(rangedSearch(chosen, NOW, 'UTC')).toBe(chosen);
  expect(rangedSearch({ from: undefined }, NOW, 'UTC')).toEqual({ from: undefined });
});

test('times become their days', () => {
  const range = { from: '2026-02-01T10:00:00Z', to: '2026-02-03T00:00:00Z' };
  expect(dayRange(range, NOW)).toEqual({ from: '2026-02-01', to: '2026-02-02' });
  expect(dayRange({ from: '2026-02-28' }, NOW)).toEqual({ from: '2026-02-28', to: '2026-03-02' });
});

test('a range has each of its days once', () => {
  expect(daysIn({ from: '2026-02-27', to: '2026-03-01' })).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
  ]);
  expect(daysIn({ from: '2026-03-02', to: '2026-03-01' })).toEqual([]);
});

test('the days of another zone are sent as times, and shown as the same days', () => {
  const zone = 'America/New_York';
  // At this time, it is still March 8th in New York. This day has only 23 hours.
  const now = Date.parse('2026-03-09T02:00:00Z');
  const days = dayRange({ range: 'today' }, now, zone);
  const times = rangeOfDays(days, zone);
  expect(days).toEqual({ from: '2026-03-08', to: '2026-03-08' });
  expect(times).toEqual({ from: '2026-03-08T05:00:00.000Z', to: '2026-03-09T04:00:00.000Z' });
  expect(dayRange(times, now, zone)).toEqual(days);
  expect(rangeOfDays(days, 'UTC')).toEqual(days);
});

test('a UTC day lies in two days of another zone', () => {
  const day = { from: '2026-11-22', to: '2026-11-22' };
  expect(dayRange(day, NOW, 'Asia/Shanghai')).toEqual({ from: '2026-11-22', to: '2026-11-23' });
});
