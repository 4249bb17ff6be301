import { expect, test } from 'bun:test';
import { arrivalTicks, TICK_MS } from './arrivals.ts';

const SECONDS = 20;
const ticks = arrivalTicks(1_000, SECONDS * 1000);

test('arrivals ascend until the end of the duration', () => {
  expect(ticks).toEqual(ticks.toSorted());
  expect((ticks.at(-2) ?? 0) * TICK_MS).toBeLessThanOrEqual(SECONDS * 1000);
  expect((ticks.at(-1) ?? 0) * TICK_MS).toBeGreaterThanOrEqual(SECONDS * 1000);
});

test('their average rate is the offered rate', () => {
  expect(Math.round(ticks.length / SECONDS / 50)).toBe(20);
});

test('they are independent: the variance of counts per 100 ms is about the mean', () => {
  const counts = new Array<number>(SECONDS * 10).fill(0);
  for (const tick of ticks.slice(0, -1)) {
    const slot = Math.floor(((tick - 1) * TICK_MS) / 100);
    counts[slot] = (counts[slot] ?? 0) + 1;
  }
  const mean = counts.reduce((sum, count) => sum + count) / counts.length;
  const variance = counts.reduce((sum, count) => sum + (count - mean) ** 2, 0) / counts.length;
  expect(variance / mean).toBeGreaterThan(0.7);
  expect(variance / mean).toBeLessThan(1.4);
});

test('every call returns the same schedule', () => {
  expect(arrivalTicks(1_000, SECONDS * 1000)).toEqual(ticks);
});

test('even a window shorter than the mean gap has an arrival', () => {
  expect(arrivalTicks(1, 1)).toHaveLength(1);
});
