/** The API route that shows the history of an upstream's route: attempts, times and costs. */
import * as z from 'zod';
import type { Clock } from '../../../clock.ts';
import { CURRENCIES, type Currency, formatAmount, nano } from '../../../money/amount.ts';
import { DAY_MS, dateOf } from '../../../money/calendar.ts';
import {
  type FailureKind,
  NO_ROUTE_COUNTS,
  type RouteCounts,
  routeSummary,
} from '../../../telemetry/route-figures.ts';
import { KEPT_DAYS, type RouteHistory } from '../../../telemetry/route-history.ts';
import { isoTime } from '../../caller/account-body.ts';
import { tenths } from '../../caller/channel-health-body.ts';
import { daysOf, SUMMARY_QUERY } from '../../caller/reports/report-query.ts';
import {
  amount,
  count,
  currency,
  date,
  NO_STORE,
  thousandths,
  time,
} from '../../edge/answer-schema.ts';
import { checkedQuery, id } from '../../edge/request-schema.ts';
import { adminRoute, type Call, type Route } from '../../edge/route.ts';

/**
 * Maximum days of an hourly history, which must also begin within the last week. Longer and older
 * histories are daily.
 */
const MAX_HOURLY_DAYS = 3;

const QUERY = SUMMARY_QUERY.extend({
  upstream: id.meta({ description: 'The configured name of the upstream.' }),
  model: id.optional().meta({
    description:
      "The upstream's name for the model; without it, all routes of the upstream together.",
  }),
});

const PERCENTILES = z.strictObject({ p50: count, p95: count }).nullable();
const FIGURES = {
  successes: count.meta({ description: 'The number of attempts that succeeded.' }),
  failures: z
    .strictObject({
      rate_limited: count,
      server_error: count.meta({ description: 'Failures with a status of 500 or more.' }),
      timed_out: count,
      broken: count.meta({
        description:
          'Failures because no connection was made, or because the answer was interrupted.',
      }),
      refused: count.meta({
        description: 'Failures because of credentials, billing or an unknown model.',
      }),
    } satisfies Record<FailureKind, z.ZodType>)
    .meta({
      description:
        'The number of attempts that failed, by kind. Caller errors, disconnects and test requests are not counted.',
    }),
  success_rate: z
    .number()
    .nullable()
    .meta({ description: 'Share of the attempts that succeeded, 0 to 1; null: no attempts.' }),
  first_token_ms: PERCENTILES.meta({
    description: 'Milliseconds from the start of an attempt to the first token.',
  }),
  duration_ms: PERCENTILES.meta({
    description: 'Milliseconds from the start of an attempt to the end of the answer.',
  }),
  tokens_per_second: z.number().nullable(),
  cost: z.array(z.strictObject({ currency, amount })).meta({
    description:
      "What the operator paid the provider, calculated from the channel's `cost`; for channels without `cost`, as the provider reported it.",
  }),
  costed: count.meta({ description: 'The number of successful attempts whose cost is known.' }),
} as const;

export const ROUTE_HISTORY = z
  .strictObject({
    upstream: z.string(),
    model: z.string().nullable(),
    from: date.meta({ description: 'The first day (UTC).' }),
    to: date.meta({ description: 'The last day (UTC), included.' }),
    by: z.enum(['hour', 'day']).meta({
      description: `The time that each point covers: an hour for periods of up to ${MAX_HOURLY_DAYS} days within the last week, otherwise a day.`,
    }),
    total: z.strictObject(FIGURES),
    points: z.array(z.strictObject({ at: time, ...FIGURES })).meta({
      description: `The figures of each hour or day, oldest first. Hours and days without attempts are absent. They are kept for ${KEPT_DAYS} days.`,
    }),
  })
  .meta({ id: 'RouteHistory' });

export type RouteHistoryRouteDeps = {
  readonly history: Pick<RouteHistory, 'of'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

export const routeHistoryRoutes = (deps: RouteHistoryRouteDeps): readonly Route[] => [
  adminRoute(
    'GET /routes/history',
    {
      summary: 'Read the attempts, times and costs of a route, by default of the last 30 days',
      query: QUERY,
      response: ROUTE_HISTORY,
    },
    (call) => historyOf(deps, call),
  ),
];

async function historyOf({ history, clock }: RouteHistoryRouteDeps, { url }: Call) {
  const { query } = checkedQuery(QUERY, url);
  const nowMs = clock.nowMs();
  const { fromDay, toDay } = daysOf(query, nowMs);
  const isHourly = toDay - fromDay < MAX_HOURLY_DAYS && nowMs - fromDay * DAY_MS < 7 * DAY_MS;
  const { upstream, model = null } = query;
  const span = isHourly ? 'hour' : 'day';
  const points = await history.of({
    ...{ upstream, model, span, fromMs: fromDay * DAY_MS, toMs: (toDay + 1) * DAY_MS },
  });
  const body: z.infer<typeof ROUTE_HISTORY> = {
    ...{ upstream, model, from: dateOf(fromDay), to: dateOf(toDay), by: span },
    total: figuresOf(sumOf(points.map(({ counts }) => counts)), costSum(points)),
    points: points.map(({ startMs, counts, cost }) => ({
      at: isoTime(startMs),
      ...figuresOf(counts, cost),
    })),
  };
  return Response.json(body, { headers: NO_STORE });
}

type Cost = Readonly<Record<Currency, bigint>>;

function figuresOf(counts: RouteCounts, cost: Cost) {
  const summary = routeSummary(counts);
  return {
    successes: summary.successes,
    failures: summary.failures,
    success_rate: thousandths(summary.successRatio),
    first_token_ms: summary.firstTokenMs,
    duration_ms: summary.durationMs,
    tokens_per_second: tenths(summary.tokensPerSecond),
    cost: CURRENCIES.filter((unit) => cost[unit] !== 0n).map((unit) => ({
      currency: unit,
      amount: formatAmount(nano(cost[unit])),
    })),
    costed: summary.costed,
  };
}

const sumOf = (all: readonly RouteCounts[]): RouteCounts =>
  NO_ROUTE_COUNTS.map((none, at) => all.reduce((sum, counts) => sum + (counts[at] ?? 0), none));

const costSum = (points: readonly { readonly cost: Cost }[]): Cost => ({
  USD: points.reduce((sum, { cost }) => sum + cost.USD, 0n),
  CNY: points.reduce((sum, { cost }) => sum + cost.CNY, 0n),
});
