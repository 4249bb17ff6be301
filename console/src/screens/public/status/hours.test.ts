import { expect, test } from 'bun:test';
import { hoursOf, knownHours } from './hours.ts';

test('consecutive hours have their own state', () => {
  const hours = hoursOf([null, 1, 0.95, 0.5], '2026-11-20T22:30:00.000Z');
  expect(hours.map(({ from }) => from)).toEqual([
    '2026-11-20T22:30:00.000Z',
    '2026-11-20T23:30:00.000Z',
    '2026-11-21T00:30:00.000Z',
    '2026-11-21T01:30:00.000Z',
  ]);
  expect(hours.map(({ state }) => state)).toEqual(['unknown', 'healthy', 'degraded', 'down']);
});

test('an hour without data does not count', () => {
  expect(knownHours([null, 1, 0.5, null])).toEqual({ known: 2, average: 0.75 });
  expect(knownHours([null])).toEqual({ known: 0, average: null });
});
