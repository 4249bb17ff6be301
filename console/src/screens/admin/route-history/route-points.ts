/** Converts the figures of a route to chart data. */
import type { components } from '#api/schema.gen.ts';
import type { Bucket } from '#charts/periods.ts';
import { type Piece, type Stack, stackOf } from '#charts/stack.ts';
import { daysIn } from '#components/range/range.ts';
import { parseAmount } from '#money/amount.ts';

export type RouteHistory = components['schemas']['RouteHistory'];
type Point = RouteHistory['points'][number];
export type Percentile = 'p50' | 'p95';

/** The results of attempts, in the order in which the chart stacks them. */
export const RESULTS = [
  'success',
  'rate_limited',
  'server_error',
  'timed_out',
  'broken',
  'refused',
] as const;
export type Result = (typeof RESULTS)[number];
const RESULT_SLOTS = new Map<string, number>(RESULTS.map((result, slot) => [result, slot]));
const ONE_GROUP = new Map([['', 0]]);
const HOUR_MS = 3_600_000;

export const bucketOf = ({ by }: RouteHistory): Bucket => by;

const periodOf = (history: RouteHistory, { at }: Point): string =>
  history.by === 'day' ? at.slice(0, 10) : at;

/** Returns all hours or days of the range up to now, including those without attempts. */
export function periodsOf({ from, to, by }: RouteHistory, nowMs: number): readonly string[] {
  if (by === 'day') return daysIn({ from, to });
  const first = Date.parse(from);
  const hours = daysIn({ from, to }).length * 24;
  return Array.from({ length: hours }, (_, hour) => first + hour * HOUR_MS)
    .filter((startMs) => startMs <= nowMs)
    .map((startMs) => new Date(startMs).toISOString());
}

export function attemptStack(history: RouteHistory, nowMs: number): Stack {
  const pieces = history.points.flatMap((point): readonly Piece[] => {
    const counts = { success: point.successes, ...point.failures };
    return RESULTS.filter((result) => counts[result] > 0).map((result) => ({
      ...{ period: periodOf(history, point), group: result, amount: BigInt(counts[result]) },
    }));
  });
  return stackOf(pieces, periodsOf(history, nowMs), RESULT_SLOTS);
}

/**
 * Returns the chart data for a percentile of a duration, by hour or day. Percentiles cannot be
 * added, so the stack's `sum` is the percentile over the whole range.
 */
export function timeStack(
  history: RouteHistory,
  of: 'first_token_ms' | 'duration_ms',
  percentile: Percentile,
  nowMs: number,
): Stack {
  const pieces = history.points.flatMap((point): readonly Piece[] => {
    const ms = point[of]?.[percentile];
    return ms === undefined
      ? []
      : [{ period: periodOf(history, point), group: '', amount: BigInt(ms) }];
  });
  const whole = history.total[of]?.[percentile];
  const total = whole === undefined ? null : BigInt(whole);
  return {
    ...stackOf(pieces, periodsOf(history, nowMs), ONE_GROUP),
    sum: { amounts: [total], total },
  };
}

type Currency = Point['cost'][number]['currency'];

export function costStack(history: RouteHistory, currency: Currency, nowMs: number): Stack {
  const pieces = history.points.flatMap((point) =>
    point.cost
      .filter((cost) => cost.currency === currency)
      .map(({ amount }) => ({
        ...{ period: periodOf(history, point), group: '', amount: parseAmount(amount) },
      })),
  );
  return stackOf(pieces, periodsOf(history, nowMs), ONE_GROUP);
}
