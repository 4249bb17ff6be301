import { expect, test } from 'bun:test';
import { changeOf } from './trend.ts';

test('a change is relative to the period before', () => {
  expect(changeOf('0.3', '0.2')).toBe(0.5);
  expect(changeOf('0.5', '9.1')).toBe(-0.945);
});

test('without earlier spend there is no change', () => {
  expect(changeOf('1', '0')).toBeNull();
});
