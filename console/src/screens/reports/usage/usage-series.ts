/** Converts usage rows to chart data, and to one table row per group, in exact amounts. */
import { given } from '#api/given.ts';
import { oneOf } from '#api/lists.ts';
import type { UsageRow } from '#api/usage.ts';
import { CHANNELS } from '#catalogue/models.ts';
import { tokensOf } from '#catalogue/usage-buckets.ts';
import { periodOf } from '#charts/periods.ts';
import type { Piece } from '#charts/stack.ts';
import { type Pico, parseAmount } from '#money/amount.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { groupName } from './speed.ts';
import type { Grouping } from './usage-search.ts';

export const METRICS = ['spend', 'requests', 'tokens'] as const;
/** The metric of a chart. `spend` is in USD, converted at the rate of each request. */
export type Metric = (typeof METRICS)[number];

/** The value of a metric: pico-dollars for spend, otherwise a count. */
export type Value = bigint;

export const groupOf = (row: UsageRow, by: Grouping): string =>
  (by === 'key' ? row.key_id : row[by]) ?? '';

/** The group that stands for all usage in a chart that is not divided into groups. */
export const ALL = '';

/** Returns the filter with which the request list shows only the requests of a group. */
export function requestsOf(by: Grouping, group: string) {
  const channel = oneOf(CHANNELS, group);
  switch (by) {
    case 'model':
      return { model: group };
    case 'key':
      return { key_id: group };
    case 'channel':
      return given({ channel });
    case 'day':
      return { from: group, to: group };
  }
}

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

/** Returns the values of a metric by period and group; without `by`, only by period. */
export const piecesOf = (
  rows: readonly UsageRow[],
  by: Grouping | null,
  metric: Metric,
  bucket: 'day' | 'month',
): Piece[] =>
  rows.map((row) => ({
    period: periodOf(row.day ?? '', bucket),
    group: by === null ? ALL : groupOf(row, by),
    amount: metricOf(row, metric),
  }));

export type GroupTotal = {
  readonly group: string;
  /** The group in the second dimension; empty if there is no second dimension. */
  readonly second: string;
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

/**
 * Returns one line per group over all days and currencies, in order of decreasing spend.
 * @param and the second dimension; undefined for none.
 */
export function totalsByGroup(
  rows: readonly UsageRow[],
  by: Grouping,
  and?: Grouping,
): readonly GroupTotal[] {
  const totals = new Map<string, GroupTotal>();
  for (const row of rows) {
    const group = groupOf(row, by);
    const second = and === undefined ? '' : groupOf(row, and);
    const name = groupName([group, second]);
    totals.set(name, added(totals.get(name) ?? nothing(group, second), row));
  }
  return [...totals.values()].toSorted((a, b) =>
    a.usd === b.usd ? b.requests - a.requests : a.usd > b.usd ? -1 : 1,
  );
}

/**
 * Returns the total over all groups. The currencies are in the same order as on every other page.
 */
export function totalOfAll(rows: readonly UsageRow[]): GroupTotal {
  const total = rows.reduce(added, nothing('', ''));
  const charge = CURRENCIES.flatMap((currency) => {
    const sum = total.charge.get(currency);
    return sum === undefined ? [] : [[currency, sum] as const];
  });
  return { ...total, charge: new Map(charge) };
}

const nothing = (group: string, second: string): GroupTotal => ({
  ...{ group, second, requests: 0, failed: 0, input: 0, cached: 0, output: 0, images: 0 },
  ...{ charge: new Map(), usd: 0n },
});

function added(total: GroupTotal, row: UsageRow): GroupTotal {
  const charge = new Map(total.charge);
  charge.set(row.currency, (charge.get(row.currency) ?? 0n) + parseAmount(row.charge));
  return {
    ...{ group: total.group, second: total.second },
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
