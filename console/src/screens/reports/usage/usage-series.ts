/** Rows of the usage report as pieces of a chart, and as a line for each group. Amounts stay exact. */
import type { UsageRow } from '../../../api/usage.ts';
import { tokensOf } from '../../../catalogue/usage-buckets.ts';
import type { Piece } from '../../../charts/stack.ts';
import { formatExact, type Pico, parseAmount } from '../../../money/amount.ts';
import type { Grouping } from './usage-search.ts';

export const METRICS = ['spend', 'requests', 'tokens'] as const;
/** `spend` in USD, each request's at its own rate. */
export type Metric = (typeof METRICS)[number];

/** Of spend, millionths of a millionth of a dollar; else a count. */
export type Value = bigint;

/** As many as can be told apart by their colour. */
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

/** What a chart of the metric is stacked from. */
export const piecesOf = (rows: readonly UsageRow[], by: Grouping, metric: Metric): Piece[] =>
  rows.map((row) => ({
    period: row.day ?? '',
    group: groupOf(row, by),
    amount: metricOf(row, metric),
  }));

/** For a bar's height alone. */
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
  /** By currency, as it was charged. */
  readonly charge: ReadonlyMap<string, Pico>;
  /** In USD, each request's at its own rate. */
  readonly usd: Pico;
};

/** A line for each group over all of its days and currencies, the dearest first. */
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

/** Everything in one line. */
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
