import { expect, test } from 'bun:test';
import { type Batch, batchState, codesCsv, redeemedValue, unusedCodes } from './batch.ts';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const batch = (change: Partial<Batch>): Batch => ({
  id: 'bat_1',
  currency: 'USD',
  amount: '5.00',
  count: 10,
  used: 0,
  cancelled: 0,
  reason: 'fair',
  created_at: '2026-11-01T00:00:00Z',
  expires_at: null,
  cancelled_at: null,
  ...change,
});

test('a batch is open until its codes are used, expired or canceled', () => {
  const state = (change: Partial<Batch>) => batchState(batch(change), NOW);
  expect(state({ used: 9 })).toBe('open');
  expect(state({ used: 10 })).toBe('used_up');
  expect(state({ expires_at: '2026-11-21T12:00:00Z' })).toBe('expired');
  expect(state({ expires_at: '2026-11-21T12:00:01Z' })).toBe('open');
  expect(state({ used: 4, cancelled: 6, cancelled_at: '2026-11-20T00:00:00Z' })).toBe('cancelled');
  expect(unusedCodes(batch({ used: 3, cancelled: 2 }))).toBe(5);
});

test('the codes are written as CSV with one column', () => {
  expect(codesCsv(['A', 'B'])).toBe('code\r\nA\r\nB\r\n');
});

test('the value of redeemed codes is exact', () => {
  expect(redeemedValue(batch({ amount: '0.000000001', used: 3 }))).toBe('0.000000003');
});
