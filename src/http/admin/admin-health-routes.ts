/** How each route fares, for the administrator: every route of every channel, as this process sees it. */
import type { Catalogue, ChannelName, Route as UpstreamRoute } from '../../catalogue/catalogue.ts';
import { routeId } from '../../routing/health.ts';
import type { RouteHealthBook, RouteReport } from '../../routing/route-health.ts';
import { isoTime } from '../account-body.ts';
import type { Route } from '../route.ts';
import { adminRoute } from './admin-route.ts';

export type AdminHealthDeps = {
  readonly catalogue: () => Catalogue;
  readonly health: Pick<RouteHealthBook, 'report'>;
};

const nullable = (type: string, description: string) => ({ type: [type, 'null'], description });

const REPORT = {
  type: 'object',
  properties: {
    model: { type: 'string' },
    channel: { type: 'string' },
    upstream: { type: 'string', description: 'By its configured name.' },
    upstream_model: { type: 'string' },
    weight: { type: 'integer' },
    standing: {
      enum: ['closed', 'half_open', 'open', 'cooling'],
      description:
        'closed: in use. open: failing, and left alone. half_open: a few requests find out how it is. cooling: it asked for a pause (429).',
    },
    since: {
      ...nullable('string', 'Since when; null: as long as this process runs.'),
      format: 'date-time',
    },
    retry_in_ms: { type: 'integer', description: 'Until it may be tried again; 0: now.' },
    in_flight: { type: 'integer' },
    ended: {
      type: 'integer',
      description: 'Exchanges that ended in the last five minutes; callers who left do not count.',
    },
    success_rate: nullable('number', 'Of these, 0 to 1.'),
    first_byte_ms: {
      ...nullable('object', 'Until the first byte of an answer, in the last five minutes.'),
      properties: { p50: { type: 'integer' }, p95: { type: 'integer' } },
    },
    last_failure: {
      ...nullable('object', 'Since this process runs.'),
      properties: {
        code: { type: 'string' },
        cause: nullable('string', 'What exactly it was, without the key.'),
        at: { type: 'string', format: 'date-time' },
      },
    },
  },
} as const;

export function adminHealthRoutes({ catalogue, health }: AdminHealthDeps): readonly Route[] {
  const summary = 'How each route of each channel fares, as this process sees it';
  const response = {
    type: 'object',
    properties: { data: { type: 'array', items: REPORT } },
  };
  return [
    adminRoute('GET', '/routes', { summary, response }, async () =>
      Response.json({ data: [...routesOf(catalogue())].map((at) => reportBody(at, health)) }),
    ),
  ];
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

function reportBody({ model, channel, route }: Place, health: AdminHealthDeps['health']) {
  const report = health.report(routeId(route));
  return {
    model,
    channel,
    upstream: route.upstream,
    upstream_model: route.model,
    weight: route.weight,
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
  since: report.sinceMs === null ? null : isoTime(report.sinceMs),
  retry_in_ms: Math.ceil(report.waitMs),
  in_flight: report.inFlight,
  ended: report.ended,
  success_rate: rounded(report.successRatio),
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

/** A thousandth is as much as five minutes can tell. */
const rounded = (ratio: number | null): number | null =>
  ratio === null ? null : Math.round(ratio * 1000) / 1000;
