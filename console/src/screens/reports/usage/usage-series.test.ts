import { describe, expect, test } from 'bun:test';
import type { UsageRow } from '#api/usage.ts';
import { slotsOf } from '#charts/palette.ts';
import { bucketOf, lastDayOf, periodsOf } from '#charts/periods.ts';
import { stackOf } from '#charts/stack.ts';
import { formatExact } from '#money/amount.ts';
import { perTokenField } from '../../../../../src/money/usage.ts';
import { type Metric, piecesOf, requestsOf, totalOfAll, totalsByGroup } from './usage-series.ts';

const row = (day: string, model: string, more: Partial<UsageRow> = {}): UsageRow => ({
  ...{ day, model, key_id: null, channel: null, currency: 'USD', requests: 1, incomplete: 0 },
  ...perTokenField(() => 0),
  ...{ input_tokens: 10, cache_read_tokens: 5, output_tokens: 2 },
  ...{ images: 0, charge: '0.1', cost_usd: '0.1', loss: '0' },
  ...more,
});

const DAYS = ['2026-11-19', '2026-11-20', '2026-11-21'];

/** Builds the data of a stacked chart, grouped by model and day, as the usage page does. */
const chart = (rows: readonly UsageRow[], metric: Metric) =>
  stackOf(piecesOf(rows, 'model', metric, 'day'), DAYS, slotsOf(['a', 'b'], []));

describe('the bars of a chart', () => {
  test('have a row for each day, without a total on days without usage', () => {
    const usage = [row('2026-11-19', 'a'), row('2026-11-21', 'a', { charge: '0', cost_usd: '0' })];
    const { groups, rows } = chart(usage, 'spend');
    expect(groups).toEqual(['a']);
    expect(rows.map(({ period }) => period)).toEqual(DAYS);
    expect(rows.map(({ total }) => total)).toEqual([10n ** 11n, null, 0n]);
  });

  test('show the groups that have a color, and the rest as one', () => {
    const usage = ['b', 'x', 'a', 'y'].map((model, at) =>
      row('2026-11-20', model, { requests: 10 ** at }),
    );
    const { groups, hasOthers, rows } = chart(usage, 'requests');
    expect(groups).toEqual(['a', 'b']);
    expect(hasOthers).toBe(true);
    expect(rows[1]?.amounts).toEqual([100n, 1n, 1010n]);
  });

  test('add up exactly where floating point would not', () => {
    const usage = [
      row('2026-11-20', 'a', { cost_usd: '0.1' }),
      row('2026-11-20', 'a', { cost_usd: '0.2', currency: 'CNY' }),
    ];
    expect(formatExact(chart(usage, 'spend').rows[1]?.amounts[0] ?? 0n)).toBe('0.30');
  });
});

test('a long range is drawn by month', () => {
  const days = Array.from({ length: 150 }, (_, at) =>
    new Date(Date.UTC(2026, 0, 31 + at)).toISOString().slice(0, 10),
  );
  expect([bucketOf(DAYS), bucketOf(days)]).toEqual(['day', 'month']);
  expect(periodsOf(DAYS)).toEqual(DAYS);
  expect(periodsOf(days)).toEqual([
    '2026-01',
    '2026-02',
    '2026-03',
    '2026-04',
    '2026-05',
    '2026-06',
  ]);
  const [piece] = piecesOf([row('2026-02-14', 'a')], null, 'requests', 'month');
  expect(piece).toEqual({ period: '2026-02', group: '', amount: 1n });
  expect([lastDayOf('2028-02'), lastDayOf('2026-12'), lastDayOf('2026-11-20')]).toEqual([
    '2028-02-29',
    '2026-12-31',
    '2026-11-20',
  ]);
});

test('a group links to its requests', () => {
  expect(requestsOf('key', 'key_1')).toEqual({ key_id: 'key_1' });
  expect(requestsOf('day', '2026-11-20')).toEqual({ from: '2026-11-20', to: '2026-11-20' });
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
    expect([...total.charge.keys()]).toEqual(['USD', 'CNY']);
  });
});

test('a second dimension divides each group, and its lines add up to the total', () => {
  const rows = [
    row('2026-11-20', 'a', { key_id: 'k1', charge: '0.1', cost_usd: '0.1' }),
    row('2026-11-21', 'a', { key_id: 'k1', charge: '0.2', cost_usd: '0.2' }),
    row('2026-11-21', 'a', { key_id: 'k2', charge: '5', cost_usd: '5' }),
    row('2026-11-21', 'b', { key_id: 'k1', charge: '1', cost_usd: '1' }),
  ];
  const lines = totalsByGroup(rows, 'model', 'key');
  expect(lines.map(({ group, second }) => [group, second])).toEqual([
    ['a', 'k2'],
    ['b', 'k1'],
    ['a', 'k1'],
  ]);
  expect(lines.map(({ usd }) => formatExact(usd))).toEqual(['5.00', '1.00', '0.30']);
  expect(lines.reduce((sum, { usd }) => sum + usd, 0n)).toBe(totalOfAll(rows).usd);
});
