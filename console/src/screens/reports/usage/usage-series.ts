/** Converts usage rows to chart data and to one line per group, in exact amounts. */
import type { UsageRow } from '#api/usage.ts';
import { tokensOf } from '#catalogue/usage-buckets.ts';
import type { Piece } from '#charts/stack.ts';
import { formatExact, type Pico, parseAmount } from '#money/amount.ts';
import type { Grouping } from './usage-search.ts';

export const METRICS = ['spend', 'requests', 'tokens'] as const;
/** The metric of a chart. `spend` is in USD, converted at the rate of each request. */
export type Metric = (typeof METRICS)[number];

/** The value of a metric: pico-dollars for spend, otherwise a count. */
export type Value = bigint;

/** The maximum number of groups in a chart. With more, colors are hard to tell apart. */
export const MAX_SERIES = 7;

export const groupOf = (row: UsageRow, by: Grouping): string =>
  (by === 'key' ? row.key_id : row[by]) ?? '';

function metricOf(row: UsageRow, metric: Metric): Value {
  switch (metric) {
    case 'spend':
      return parseAmount(row.cost_usd);
    case 'requests':
      return BigInt(row.requests);
    case 'tokens':
      return allTokens(row);
  }
}

const cachedOf = (row: UsageRow): number => tokensOf(row, 'cache_read');
const outputOf = (row: UsageRow): number => tokensOf(row, 'output');
export const inputOf = (row: UsageRow): number => tokensOf(row, 'input', 'cache_write');
const allTokens = (row: UsageRow): bigint => BigInt(inputOf(row) + cachedOf(row) + outputOf(row));

/** Returns the values of a metric by day and group. */
export const piecesOf = (rows: readonly UsageRow[], by: Grouping, metric: Metric): Piece[] =>
  rows.map((row) => ({
    period: row.day ?? '',
    group: groupOf(row, by),
    amount: metricOf(row, metric),
  }));

/** Converts a value to a floating-point number, only for the height of a bar. */
export const heightOf = (value: Value, metric: Metric): number =>
  metric === 'spend' ? Number(formatExact(value)) : Number(value);

export type GroupTotal = {
  readonly group: string;
  readonly requests: number;
  readonly failed: number;
  readonly input: number;
  readonly cached: number;
  readonly output: number;
  readonly images: number;
  /** The charged amounts by currency. */
  readonly charge: ReadonlyMap<string, Pico>;
  /** The spend in USD, converted at the rate of each request. */
  readonly usd: Pico;
};

/** Returns one line per group over all days and currencies, in order of decreasing spend. */
export function totalsByGroup(rows: readonly UsageRow[], by: Grouping): readonly GroupTotal[] {
  const totals = new Map<string, GroupTotal>();
  for (const row of rows) {
    const group = groupOf(row, by);
    totals.set(group, added(totals.get(group) ?? nothing(group), row));
  }
  return [...totals.values()].toSorted((a, b) =>
    a.usd === b.usd ? b.requests - a.requests : a.usd > b.usd ? -1 : 1,
  );
}

/** Returns the total over all groups. */
export const totalOfAll = (rows: readonly UsageRow[]): GroupTotal =>
  rows.reduce(added, nothing(''));

const nothing = (group: string): GroupTotal => ({
  ...{ group, requests: 0, failed: 0, input: 0, cached: 0, output: 0, images: 0 },
  ...{ charge: new Map(), usd: 0n },
});

function added(total: GroupTotal, row: UsageRow): GroupTotal {
  const charge = new Map(total.charge);
  charge.set(row.currency, (charge.get(row.currency) ?? 0n) + parseAmount(row.charge));
  return {
    group: total.group,
    requests: total.requests + row.requests,
    failed: total.failed + row.incomplete,
    input: total.input + inputOf(row),
    cached: total.cached + cachedOf(row),
    output: total.output + outputOf(row),
    images: total.images + row.images,
    charge,
    usd: total.usd + parseAmount(row.cost_usd),
  };
}
