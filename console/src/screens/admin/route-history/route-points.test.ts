import { expect, test } from 'bun:test';
import {
  attemptStack,
  costStack,
  periodsOf,
  type RouteHistory,
  timeStack,
} from './route-points.ts';

const NO_FAILURES = { rate_limited: 0, server_error: 0, timed_out: 0, broken: 0, refused: 0 };
const FIGURES = {
  ...{ successes: 3, failures: { ...NO_FAILURES, broken: 1 }, success_rate: 0.75, costed: 3 },
  ...{ first_token_ms: { p50: 300, p95: 900 }, duration_ms: null, tokens_per_second: 50 },
  cost: [{ currency: 'USD' as const, amount: '0.000000002' }],
};
const HISTORY: RouteHistory = {
  ...{ upstream: 'a', model: 'x', from: '2026-11-22', to: '2026-11-23', by: 'day' },
  total: { ...FIGURES, first_token_ms: { p50: 310, p95: 910 } },
  points: [{ at: '2026-11-23T00:00:00.000Z', ...FIGURES }],
};
const NOW_MS = Date.parse('2026-11-23T01:30:00Z');

test('attempts are stacked by result, and a day without attempts has no data', () => {
  const { groups, rows } = attemptStack(HISTORY, NOW_MS);
  expect(groups).toEqual(['success', 'broken']);
  expect(rows).toEqual([
    { period: '2026-11-22', amounts: [null, null], total: null },
    { period: '2026-11-23', amounts: [3n, 1n], total: 4n },
  ]);
});

test('the total of a time chart is the percentile over the whole range', () => {
  const { rows, sum } = timeStack(HISTORY, 'first_token_ms', 'p95', NOW_MS);
  expect([rows[1]?.total, sum.total]).toEqual([900n, 910n]);
  expect(timeStack(HISTORY, 'duration_ms', 'p50', NOW_MS).sum.total).toBeNull();
});

test('costs are added exactly, each currency by itself', () => {
  expect(costStack(HISTORY, 'USD', NOW_MS).sum.total).toBe(2_000n);
  expect(costStack(HISTORY, 'CNY', NOW_MS).sum.total).toBeNull();
});

test('the hours end with the current hour', () => {
  const hours = periodsOf({ ...HISTORY, by: 'hour' }, NOW_MS);
  expect([hours.length, hours.at(-1)]).toEqual([26, '2026-11-23T01:00:00.000Z']);
});
