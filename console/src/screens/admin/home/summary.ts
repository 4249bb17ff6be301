/** The sums of all accounts over some days, converted for the charts of the operator's home. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { bucketOf, periodOf } from '#charts/periods.ts';
import type { Piece } from '#charts/stack.ts';
import type { DayRange } from '#components/range/range.ts';
import { parseAmount } from '#money/amount.ts';
import type { RouteHealth } from '#screens/admin/channels/route-groups.ts';

export type Summary = components['schemas']['OperatorSummary'];
export type Books = Summary['books'][number];

const FRESH_MS = 30_000;

export const summaryQuery = (range: DayRange) =>
  queryOptions({
    queryKey: ['admin', 'summary', range],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/admin/v1/summary', { params: { query: range }, signal })),
    placeholderData: keepPreviousData,
    staleTime: FRESH_MS,
  });

type Day = Summary['days'][number];
type Drawn = Pick<Day, 'day' | 'currency' | 'requests' | 'failed' | 'charged'>;

/** The charges in one currency, by period. */
export const chargePieces = (
  rows: readonly Drawn[],
  currency: string,
  days: readonly string[],
): readonly Piece[] =>
  rows
    .filter((row) => row.currency === currency)
    .map(({ day, charged }) => ({
      period: periodOf(day, bucketOf(days)),
      group: '',
      amount: parseAmount(charged),
    }));

export const OUTCOMES = ['completed', 'failed'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** The requests in all currencies, by period and by whether they failed. */
export const requestPieces = (rows: readonly Drawn[], days: readonly string[]): readonly Piece[] =>
  rows.flatMap(({ day, requests, failed }) => {
    const period = periodOf(day, bucketOf(days));
    return [
      { period, group: 'completed', amount: BigInt(requests - failed) },
      { period, group: 'failed', amount: BigInt(failed) },
    ];
  });

/** The requests in all currencies, and how many of them failed. */
export const requestsOf = (rows: readonly Drawn[]) => ({
  total: rows.reduce((sum, { requests }) => sum + requests, 0),
  failed: rows.reduce((sum, { failed }) => sum + failed, 0),
});

/** Counts the unhealthy routes: not `closed`, but `open`, `half_open` or `cooling`. */
export const failingRoutes = (routes: readonly Pick<RouteHealth, 'standing'>[]): number =>
  routes.filter(({ standing }) => standing !== 'closed').length;
