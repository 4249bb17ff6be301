import { describe, expect, test } from 'bun:test';
import type { UsageRow } from '#api/usage.ts';
import { stackOf } from '#charts/stack.ts';
import { formatExact } from '#money/amount.ts';
import { perTokenField } from '../../../../../src/money/usage.ts';
import {
  heightOf,
  MAX_SERIES,
  type Metric,
  piecesOf,
  totalOfAll,
  totalsByGroup,
} from './usage-series.ts';

const row = (day: string, model: string, more: Partial<UsageRow> = {}): UsageRow => ({
  ...{ day, model, key_id: null, channel: null, currency: 'USD', requests: 1, incomplete: 0 },
  ...perTokenField(() => 0),
  ...{ input_tokens: 10, cache_read_tokens: 5, output_tokens: 2 },
  ...{ images: 0, charge: '0.1', cost_usd: '0.1', loss: '0' },
  ...more,
});

const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21'];

/** Builds the stack of a chart as the page does. */
const chart = (rows: readonly UsageRow[], metric: Metric) =>
  stackOf(piecesOf(rows, 'model', metric), DAYS, MAX_SERIES, piecesOf(rows, 'model', 'spend'));

describe('the bars of a chart', () => {
  test('have a row for each day, without a total on days without usage', () => {
    const usage = [row('2026-11-19', 'a'), row('2026-11-21', 'a', { charge: '0', cost_usd: '0' })];
    const { groups, rows } = chart(usage, 'spend');
    expect(groups).toEqual(['a']);
    expect(rows.map(({ period }) => period)).toEqual(DAYS);
    expect(rows.map(({ total }) => total)).toEqual([10n ** 11n, null, 0n]);
  });

  test('show the groups with the highest spend, and the rest as one', () => {
    const usage = Array.from({ length: MAX_SERIES + 2 }, (_, at) =>
      row('2026-11-20', `m${at}`, { requests: 90 + at, cost_usd: `${100 - at}` }),
    );
    const { groups, hasOthers, rows } = chart(usage, 'requests');
    expect(groups).toEqual(['m0', 'm1', 'm2', 'm3', 'm4', 'm5', 'm6']);
    expect(hasOthers).toBe(true);
    expect(rows[1]?.amounts.at(-1)).toBe(97n + 98n);
  });

  test('add up exactly where floating point would not', () => {
    const usage = [
      row('2026-11-20', 'a', { cost_usd: '0.1' }),
      row('2026-11-20', 'a', { cost_usd: '0.2', currency: 'CNY' }),
    ];
    const amount = chart(usage, 'spend').rows[1]?.amounts[0] ?? 0n;
    expect(formatExact(amount)).toBe('0.30');
    expect(heightOf(amount, 'spend')).toBe(0.3);
  });
});

describe('the lines of a table', () => {
  const rows = [
    row('2026-11-19', 'a', { charge: '7.1', cost_usd: '1', currency: 'CNY', incomplete: 1 }),
    row('2026-11-20', 'a', { charge: '2', cost_usd: '2' }),
    row('2026-11-20', 'b', { charge: '9', cost_usd: '9', cache_write_1h_tokens: 3 }),
  ];

  test('are one per group by decreasing spend, with separate currencies', () => {
    const totals = totalsByGroup(rows, 'model');
    expect(totals.map(({ group }) => group)).toEqual(['b', 'a']);
    expect([...(totals[1]?.charge ?? [])].map(([c, sum]) => [c, formatExact(sum)])).toEqual([
      ['CNY', '7.10'],
      ['USD', '2.00'],
    ]);
    expect(totals[1]).toMatchObject({ requests: 2, failed: 1, input: 20, cached: 10, output: 4 });
    expect(totals[0]?.input).toBe(13);
  });

  test('add up to the total', () => {
    const total = totalOfAll(rows);
    expect([formatExact(total.usd), total.requests, total.failed]).toEqual(['12.00', 3, 1]);
  });
});
