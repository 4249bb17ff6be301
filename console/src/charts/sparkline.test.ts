import { expect, test } from 'bun:test';
import { sparklinePath } from './sparkline-path.ts';

test('a sparkline spans its width, with zero at the bottom and the maximum at the top', () => {
  const { line, area } = sparklinePath([0, 5, 10], 100, 28);
  expect(line).toBe('M0.0 26.0L50.0 14.0L100.0 2.0');
  expect(area).toBe(`${line}V28H0Z`);
});

test('a negative value is at the bottom, with zero above it', () => {
  expect(sparklinePath([-1, 0, 1], 10, 10).line).toBe('M0.0 8.0L5.0 5.0L10.0 2.0');
});

test('no values, one value and invalid values have a path without NaN', () => {
  expect(sparklinePath([], 100, 28)).toEqual({ line: '', area: '' });
  expect(sparklinePath([3], 100, 28).line).toBe('M0.0 2.0L100.0 2.0');
  expect(sparklinePath([0, Number.NaN, Number.POSITIVE_INFINITY], 10, 10).line).toBe(
    'M0.0 8.0L5.0 8.0L10.0 8.0',
  );
});
