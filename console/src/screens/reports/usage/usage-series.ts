/**
 * Rows of the usage report as the bars of a chart: a point a day, a series for each of the largest groups,
 * and one for the others together. Values stay exact; only the height of a bar is not.
 */
import { formatExact, type Pico, parseAmount } from '../../../money/amount.ts';
import type { Grouping } from './usage-search.ts';

export type UsageRow = {
  readonly day: string | null;
  readonly model: string | null;
  readonly key_id: string | null;
  readonly channel: string | null;
  readonly currency: string;
  readonly requests: number;
  readonly incomplete: number;
  readonly input_tokens: number;
  readonly cache_read_tokens: number;
  readonly cache_write_5m_tokens: number;
  readonly cache_write_1h_tokens: number;
  readonly output_tokens: number;
  readonly images: number;
  readonly charge: string;
  readonly cost_usd: string;
};

export const METRICS = ['spend', 'requests', 'tokens'] as const;
/** `spend` in USD, each request's at its own rate. */
export type Metric = (typeof METRICS)[number];

/** Of spend, millionths of a millionth of a dollar; else a count. */
export type Value = bigint;

/** Stands for all groups that have no series of their own; no group is called so. */
export const OTHER = ' other';
/** As many can be told apart by their colour. */
export const MAX_SERIES = 7;

export type Point = {
  readonly day: string;
  /** By group; a group that was not used on the day is absent, which is not zero. */
  readonly values: ReadonlyMap<string, Value>;
};
export type Series = { readonly groups: readonly string[]; readonly points: readonly Point[] };

export const groupOf = (row: UsageRow, by: Grouping): string =>
  (by === 'key' ? row.key_id : row[by]) ?? '';

function metricOf(row: UsageRow, metric: Metric): Value {
  switch (metric) {
    case 'spend':
      return parseAmount(row.cost_usd);
    case 'requests':
      return BigInt(row.requests);
    case 'tokens':
      return tokensOf(row);
  }
}

const cachedOf = (row: UsageRow): number => row.cache_read_tokens;
export const inputOf = (row: UsageRow): number =>
  row.input_tokens + row.cache_write_5m_tokens + row.cache_write_1h_tokens;
const tokensOf = (row: UsageRow): bigint =>
  BigInt(inputOf(row) + cachedOf(row) + row.output_tokens);

/** @param days every day that is shown, in order: one without use has a point without values. */
export function seriesOf(
  rows: readonly UsageRow[],
  days: readonly string[],
  by: Grouping,
  metric: Metric,
): Series {
  const groups = largest(rows, by);
  const shown = new Set(groups);
  const byDay = new Map<string, Map<string, Value>>(days.map((day) => [day, new Map()]));
  for (const row of rows) {
    const values = byDay.get(row.day ?? '');
    if (values === undefined) continue;
    const group = groupOf(row, by);
    add(values, shown.has(group) ? group : OTHER, metricOf(row, metric));
  }
  const points = days.map((day) => ({ day, values: byDay.get(day) ?? new Map() }));
  const hasOthers = points.some(({ values }) => values.has(OTHER));
  return { groups: hasOthers ? [...groups, OTHER] : groups, points };
}

/** The dearest groups first, no more than have a colour; the same in every chart, each in its colour. */
function largest(rows: readonly UsageRow[], by: Grouping): readonly string[] {
  const sums = new Map<string, Value>();
  for (const row of rows) add(sums, groupOf(row, by), metricOf(row, 'spend'));
  return [...sums]
    .toSorted(([a, x], [b, y]) => (x === y ? (a < b ? -1 : 1) : x > y ? -1 : 1))
    .slice(0, MAX_SERIES)
    .map(([group]) => group);
}

function add(sums: Map<string, Value>, name: string, value: Value): void {
  sums.set(name, (sums.get(name) ?? 0n) + value);
}

/** Null: nothing was used on that day. */
export function totalOf({ values }: Point): Value | null {
  if (values.size === 0) return null;
  return [...values.values()].reduce((sum, value) => sum + value, 0n);
}

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
    output: total.output + row.output_tokens,
    images: total.images + row.images,
    charge,
    usd: total.usd + parseAmount(row.cost_usd),
  };
}
