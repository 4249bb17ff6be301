/**
 * The administrators' route that returns the health of every route of every channel, as this
 * process observes it.
 */
import * as z from 'zod';
import {
  type Catalogue,
  CHANNELS,
  type ChannelName,
  type Route as UpstreamRoute,
} from '../../catalogue/catalogue.ts';
import type { Clock } from '../../clock.ts';
import { inSlices, type Steps } from '../../config/document/steps.ts';
import { type RouteHealthBook, type RouteReport, routeId } from '../../routing/route-health.ts';
import type { RouteStates } from '../../routing/route-states.ts';
import { isoTime } from '../caller/account-body.ts';
import { count, millis, thousandths, time } from '../edge/answer-schema.ts';
import { adminRoute, type Route } from '../edge/route.ts';
import { OUT_OF_SERVICE, outOfServiceBody } from './traffic/route-state-routes.ts';

export type AdminHealthDeps = {
  readonly catalogue: () => Catalogue;
  readonly health: Pick<RouteHealthBook, 'report'>;
  readonly states: Pick<RouteStates, 'of'>;
  readonly clock: Pick<Clock, 'monotonicMs' | 'sleep'>;
};

const PERCENTILES = z.strictObject({ p50: millis, p95: millis });

export const ROUTE_HEALTH = z
  .strictObject({
    model: z.string(),
    channel: z.enum(CHANNELS),
    upstream: z.string().meta({ description: 'The configured name of the upstream.' }),
    upstream_model: z.string(),
    weight: count.meta({
      description:
        'The weight of the route. Routes of the same channel and priority share the requests in proportion to their weights.',
    }),
    priority: count.meta({
      description:
        'Routes of priority 1 come first. Routes with a higher number get requests only while no route with a lower number can be used.',
    }),
    out_of_service: OUT_OF_SERVICE.nullable().meta({
      description:
        'The state in which an operator put the route, the same on all nodes; null: the route is in service.',
    }),
    standing: z.enum(['closed', 'half_open', 'open', 'cooling']).meta({
      description:
        'The state of the circuit breaker. closed: the route is used. open: the route fails and is only a last resort. half_open: a few requests test the route. cooling: the upstream asked for a pause (429).',
    }),
    since: time.nullable().meta({
      description:
        'When the state in `standing` began; null: it has not changed since this process started.',
    }),
    retry_in_ms: count.meta({
      description: 'Milliseconds until requests may try the route again; 0: now.',
    }),
    in_flight: count,
    ended: count.meta({
      description:
        'The number of attempts that ended in the last five minutes, excluding those whose caller disconnected.',
    }),
    success_rate: z
      .number()
      .nullable()
      .meta({ description: 'Share of the attempts in `ended` that succeeded, 0 to 1.' }),
    first_byte_ms: PERCENTILES.nullable().meta({
      description: 'Milliseconds to the first byte, over the last five minutes.',
    }),
    last_failure: z
      .strictObject({
        code: z.string(),
        cause: z
          .string()
          .nullable()
          .meta({ description: 'The exact cause of the failure, with API keys removed.' }),
        at: time,
      })
      .nullable()
      .meta({ description: 'The last failure since this process started; null: none.' }),
  })
  .meta({ id: 'RouteHealth' });

export function adminHealthRoutes(deps: AdminHealthDeps): readonly Route[] {
  const summary = 'Read the health of each route of each channel, as this process observes it';
  const response = z.strictObject({ data: z.array(ROUTE_HEALTH) });
  return [
    adminRoute('GET /routes', { summary, response }, async () =>
      Response.json({ data: await inSlices(reportSteps(deps), deps.clock) }),
    ),
  ];
}

/**
 * Builds the report. Yields after each route, since a report on thousands of routes would block the
 * event loop.
 */
function* reportSteps(deps: AdminHealthDeps): Steps<readonly z.infer<typeof ROUTE_HEALTH>[]> {
  const bodies: z.infer<typeof ROUTE_HEALTH>[] = [];
  for (const place of routesOf(deps.catalogue())) {
    bodies.push(reportBody(place, deps));
    yield;
  }
  return bodies;
}

type Place = {
  readonly model: string;
  readonly channel: ChannelName;
  readonly route: UpstreamRoute;
};

function* routesOf(catalogue: Catalogue): Iterable<Place> {
  for (const model of catalogue.models.values()) {
    for (const { name, routes } of model.channels.values()) {
      for (const route of routes) yield { model: model.id, channel: name, route };
    }
  }
}

function reportBody(
  { model, channel, route }: Place,
  { health, states }: AdminHealthDeps,
): z.infer<typeof ROUTE_HEALTH> {
  const report = health.report(routeId(route));
  const out = states.of(route);
  return {
    model,
    channel,
    upstream: route.upstream,
    upstream_model: route.model,
    weight: route.weight,
    priority: route.priority,
    out_of_service: out === null ? null : outOfServiceBody(out),
    ...(report === null ? UNTRIED : healthBody(report)),
  };
}

const UNTRIED = {
  standing: 'closed',
  since: null,
  retry_in_ms: 0,
  in_flight: 0,
  ended: 0,
  success_rate: null,
  first_byte_ms: null,
  last_failure: null,
} as const;

const healthBody = (report: RouteReport) => ({
  standing: report.standing,
  since: isoTime(report.sinceMs),
  retry_in_ms: Math.ceil(report.waitMs),
  in_flight: report.inFlight,
  ended: report.ended,
  success_rate: thousandths(report.successRatio),
  first_byte_ms: report.firstByteMs,
  last_failure:
    report.lastFailure === null
      ? null
      : {
          code: report.lastFailure.code,
          cause: report.lastFailure.cause,
          at: isoTime(report.lastFailure.atMs),
        },
});
