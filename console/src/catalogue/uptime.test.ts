import { expect, test } from 'bun:test';
import { averageOf, spansOf } from './uptime.ts';

test('consecutive hours have their own state', () => {
  const hours = spansOf([null, 1, 0.95, 0.5], '2026-11-20T22:30:00.000Z', 'hour');
  expect(hours.map(({ start }) => start)).toEqual([
    '2026-11-20T22:30:00.000Z',
    '2026-11-20T23:30:00.000Z',
    '2026-11-21T00:30:00.000Z',
    '2026-11-21T01:30:00.000Z',
  ]);
  expect(hours.map(({ state }) => state)).toEqual(['unknown', 'healthy', 'degraded', 'down']);
});

test('days follow each other over the end of a month', () => {
  const days = spansOf([1, 1], '2026-11-30T00:00:00.000Z', 'day');
  expect(days[1]?.start).toBe('2026-12-01T00:00:00.000Z');
});

test('a span without data does not count', () => {
  expect(averageOf([null, 1, 0.5, null])).toBe(0.75);
  expect(averageOf([null])).toBeNull();
});
