import { expect, test } from 'bun:test';
import { timeOf } from './bar-time.ts';

const data = [21, 22, 23].map((day) => ({
  at: `2026-11-${day}T05:00:00.000Z`,
  ...{ requests: 1, failed: 0 },
}));
const histogram = { data, from: '2026-11-21T09:30:00.000Z', to: '2026-11-23T07:00:00.000Z' };

test('a bar covers the time until the next bar', () => {
  const [, middle] = data;
  expect(timeOf(middle?.at ?? '', histogram)).toEqual([
    '2026-11-22T05:00:00.000Z',
    '2026-11-23T05:00:00.000Z',
  ]);
});

test('the first and the last bar are cut at the ends of the range', () => {
  expect(timeOf(data[0]?.at ?? '', histogram)[0]).toBe(histogram.from);
  expect(timeOf(data[2]?.at ?? '', histogram)[1]).toBe(histogram.to);
});
