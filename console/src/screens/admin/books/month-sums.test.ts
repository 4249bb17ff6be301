import { expect, test } from 'bun:test';
import { hasCost, isUsed, marginOf, sumOf } from './month-sums.ts';

const NOTHING = { revenue: '0', cost: '0', profit: null, paid: '0', loss: '0' };

test('sums are exact, and a month without a known cost adds nothing', () => {
  const months = [{ ...NOTHING, profit: '0.000000001' }, { ...NOTHING, profit: '-2.1' }, NOTHING];
  expect(sumOf(months, 'profit')).toBe(-2_099_999_999_000n);
});

test('the cost of months is known if any request has one', () => {
  expect(hasCost([NOTHING, NOTHING])).toBe(false);
  expect(hasCost([NOTHING, { ...NOTHING, profit: '0' }])).toBe(true);
});

test('the margin is a share of the revenue whose cost is known', () => {
  const sold = { ...NOTHING, revenue: '100', profit: '2.5', cost: '7.5' };
  expect(marginOf([sold, NOTHING])).toBe(0.25);
  expect(marginOf([{ ...sold, profit: '-5', cost: '15' }])).toBe(-0.5);
  expect(marginOf([NOTHING])).toBeNull();
});

test('a month counts as used if it has a request, a payment or a refund', () => {
  expect(isUsed({ ...NOTHING, requests: 0 })).toBe(false);
  expect(isUsed({ ...NOTHING, requests: 1 })).toBe(true);
  expect(isUsed({ ...NOTHING, requests: 0, paid: '5' })).toBe(true);
  expect(isUsed({ ...NOTHING, requests: 0, revenue: '-5' })).toBe(true);
});
