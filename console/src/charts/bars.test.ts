import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { barsOf, labeled, placesOf } from './bars.ts';

const SIZE = { width: 300, height: 100 };

describe('bars', () => {
  test('are one path per group, stacked from zero, with a line between parts', () => {
    const { paths, segments, ticks, step } = barsOf([[4, 4], [], [0, 8]], SIZE);
    expect(step).toBe(2);
    expect(ticks.map(({ value, y }) => [value, y])).toEqual([
      [0, 100],
      [2, 75],
      [4, 50],
      [6, 25],
      [8, 0],
    ]);
    expect(segments).toEqual([
      [
        { group: 0, top: 50, bottom: 100 },
        { group: 1, top: 0, bottom: 49 },
      ],
      [],
      [{ group: 1, top: 0, bottom: 100 }],
    ]);
    expect(paths).toEqual(['M34 50h32V100h-32z', 'M34 0h32V49h-32zM234 0h32V100h-32z']);
  });

  test('show a value that is small, and a loss below zero', () => {
    const { segments, ticks } = barsOf([[0.001, 149], [-50]], SIZE);
    expect(ticks.map(({ value }) => value)).toEqual([-50, 0, 50, 100, 150]);
    expect(segments).toEqual([
      [
        { group: 0, top: 73, bottom: 75 },
        { group: 1, top: 0, bottom: 72 },
      ],
      [{ group: 0, top: 75, bottom: 100 }],
    ]);
  });

  test('of any numbers are drawn without NaN and within the plot', () => {
    const value = fc.oneof(
      fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, 0),
      fc.integer().map((size) => size / 1e12),
      fc.integer({ min: 0, max: 1e9 }),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value), { maxLength: 40 }), (heights) => {
        const { paths, ticks } = barsOf(heights, SIZE);
        expect(paths.join('')).not.toMatch(/NaN|Infinity/);
        expect(ticks.length).toBeLessThan(12);
      }),
    );
  });
});

test('bars are whole pixels wide and fill their space up to a width', () => {
  expect(placesOf(30, 301)(0)).toEqual({ left: 2, wide: 7 });
  expect(placesOf(1, 300)(0)).toEqual({ left: 134, wide: 32 });
  expect(placesOf(900, 300)(899).wide).toBe(1);
});

test('labels do not touch, and the ends have none that would be cut off', () => {
  expect(labeled(7, 700, 52)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(labeled(30, 260, 52)).toEqual([2, 8, 14, 20, 26]);
  expect(labeled(0, 260, 52)).toEqual([]);
  expect(labeled(3, 0, 52)).toEqual([1]);
});
