import { expect, test } from 'bun:test';
import { daysUntil } from '#charts/stack.ts';
import { changeOf } from './trend.ts';

const DAYS = daysUntil(Date.parse('2026-11-21T12:00:00Z'), 60);
const ROWS = [
  { day: '2026-11-21', charge: '0.3' },
  { day: '2026-11-20', charge: '0.2' },
  { day: '2026-11-14', charge: '0.1' },
  { day: '2026-11-13', charge: '9' },
];

test('a change compares with as many days before', () => {
  expect(changeOf(ROWS, DAYS, 1)).toBe(0.5);
  // The spend is 0.5 from the 15th to the 21st, and 9.1 from the 8th to the 14th.
  expect(changeOf(ROWS, DAYS, 7)).toBe(-0.945);
});

test('without earlier spend there is no change', () => {
  expect(changeOf(ROWS, DAYS, 30)).toBeNull();
  expect(changeOf([], DAYS, 7)).toBeNull();
});
