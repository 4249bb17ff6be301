import { expect, test } from 'bun:test';
import { nano } from '../money/amount.ts';
import { booksOf } from './books-by-month.ts';
import { COSTS } from './books-months-conformance.fixture.ts';

const [PRICED = '', OTHER = ''] = Object.keys(COSTS);
const costOf = (model: string) => COSTS[model] ?? null;
const sold = (model: string, cost: bigint | null) => ({
  ...{ model, channel: 'direct', requests: 1n, charge: nano(10n), loss: nano(0n) },
  cost: cost === null ? null : nano(cost),
});
const refundOf = (model: string) =>
  ({ currency: 'USD', model, channel: 'direct', amount: 100n }) as const;

test('a refund lowers the earnings, even if its model had no request in the period', () => {
  const { earned, cost, refunded } = booksOf([sold(OTHER, 5n)], [refundOf(PRICED)], costOf);
  expect({ earned, cost, refunded }).toEqual({
    ...{ earned: nano(-90n), cost: nano(5n), refunded: nano(100n) },
  });
  expect(booksOf([], [refundOf(PRICED)], costOf).earned).toBe(nano(-100n));
});

test('a refund for a model whose cost is unknown does not lower the earnings', () => {
  expect(booksOf([], [refundOf('never-priced')], costOf).earned).toBe(nano(0n));
  // The model has a cost, but that of its requests in this period could not be computed.
  const uncosted = booksOf([sold(PRICED, null)], [refundOf(PRICED)], costOf);
  expect([uncosted.earned, uncosted.uncosted]).toEqual([nano(0n), 1n]);
});
