/** Routes for operators and probes: liveness, readiness, metrics and the API description. */
import * as z from 'zod';
import { built } from '../../config/document/on-demand.ts';
import { GatewayError } from '../../errors.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { acceptedBy, compress, type Encoding } from './compression.ts';
import { type Call, CONSOLE_PATH, type Route, type RouteDoc } from './route.ts';

const HOME = built(() =>
  z.strictObject({
    name: z.literal('modelgate'),
    version: z.string(),
    docs: z.string(),
  }),
);

export const METRICS_PATH = '/metrics';

/**
 * The encodings of the API description with their compression levels, the smallest result first.
 */
const OPENAPI_QUALITIES = [
  ['br', 9],
  ['gzip', 9],
] as const;

const OPENAPI_HEADERS = { 'content-type': 'application/json;charset=utf-8' } as const;

export type ServiceDeps = {
  readonly isReady: () => boolean;
  /** Rejects when the store cannot be written. */
  readonly pingStore: () => Promise<void>;
  /**
   * Whether this node has the same prices as the other nodes. False only after the node has refused
   * requests for a long time because its prices differ.
   */
  readonly hasSamePrices: () => boolean;
  readonly metrics: Metrics;
  readonly version: string;
  /** Returns the OpenAPI document of all routes, or of only the routes for callers, as JSON. */
  readonly openApi: (isForCallers: boolean) => Promise<string>;
};

export function serviceRoutes(deps: ServiceDeps): readonly Route[] {
  const route = (
    path: string,
    summary: string,
    handle: (call: Call) => Promise<Response>,
    more: Partial<RouteDoc> = {},
  ): Route => ({
    method: 'GET',
    path,
    auth: 'public',
    dialect: 'both',
    doc: { summary, tag: 'service', ...more } satisfies RouteDoc,
    handle,
  });
  const forAll = openApiAnswers(() => deps.openApi(false));
  const forCallers = openApiAnswers(() => deps.openApi(true));
  return [
    route(
      '/',
      'Read the name and the version of the gateway; browsers are redirected to the console',
      async ({ request }) => home(request, deps.version),
      { response: HOME },
    ),
    route(
      '/api/hello',
      'Answer the connection tests of clients',
      async () => Response.json({ ok: true }),
      {
        response: z.strictObject({ ok: z.literal(true) }),
      },
    ),
    route(
      '/healthz',
      'Check whether this node is alive',
      async () => Response.json({ status: 'ok' }),
      {
        response: z.strictObject({ status: z.literal('ok') }),
      },
    ),
    route(
      '/readyz',
      'Check whether this node is ready for requests',
      async () => await ready(deps),
      {
        response: z.strictObject({ status: z.literal('ready') }),
      },
    ),
    route(
      '/openapi.json',
      'Read the OpenAPI description of this API',
      async ({ request, url }) => {
        const audience = url.searchParams.get('audience');
        if (audience === null) return forAll(request);
        if (audience === 'callers') return forCallers(request);
        throw new GatewayError(
          'invalid_value',
          'audience must be callers. Leave it out for all routes.',
          { param: 'audience' },
        );
      },
      {
        query: {
          properties: {
            audience: {
              enum: ['callers'],
              description: '`callers` leaves out the routes of the console and of administrators.',
            },
          },
        },
        response: z.looseObject({ openapi: z.string() }),
      },
    ),
    {
      method: 'GET',
      path: METRICS_PATH,
      // The metrics name upstreams, and contain the revenue, costs and losses of the operator.
      auth: 'admin',
      dialect: 'openai',
      doc: { summary: 'Read Prometheus metrics', tag: 'service', mediaTypes: ['text/plain'] },
      handle: () => metricsResponse(deps.metrics),
    },
  ];
}

/** Answers with the API description, which is compressed only once for each encoding. */
function openApiAnswers(openApi: () => Promise<string>): (request: Request) => Promise<Response> {
  let text = '';
  // All answers share the bytes of a blob, also while callers are slow to read them.
  let plain = new Blob();
  const made = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>();
  return async ({ headers }) => {
    const current = await openApi();
    if (current !== text) {
      made.clear();
      plain = new Blob([current]);
      text = current;
    }
    const accepts = acceptedBy(headers.get('accept-encoding'));
    const encoding = OPENAPI_QUALITIES.find(([name]) => accepts(name));
    if (encoding === undefined) return new Response(plain, { headers: OPENAPI_HEADERS });
    const [name, quality] = encoding;
    const bytes = made.get(name) ?? compress[name](Buffer.from(text), quality);
    made.set(name, bytes);
    return new Response(await bytes, {
      headers: { ...OPENAPI_HEADERS, 'content-encoding': name, vary: 'accept-encoding' },
    });
  };
}

export const metricsResponse = async (metrics: Pick<Metrics, 'text'>): Promise<Response> =>
  new Response(await metrics.text(), {
    headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  });

/** Redirects browsers to the console. Other clients get the gateway's name and version. */
function home({ method, headers }: Request, version: string): Response {
  const vary = { vary: 'accept' };
  if (method === 'GET' && headers.get('accept')?.includes('text/html') === true) {
    return new Response(null, { status: 302, headers: { ...vary, location: CONSOLE_PATH } });
  }
  return Response.json({ name: 'modelgate', version, docs: '/openapi.json' }, { headers: vary });
}

async function ready(deps: ServiceDeps): Promise<Response> {
  if (!deps.isReady())
    throw new GatewayError('shutting_down', 'The gateway is draining.', { retryAfterSeconds: 1 });
  if (!deps.hasSamePrices()) {
    throw new GatewayError(
      'config_mismatch',
      'The prices of this node differ from those of the other nodes.',
      {
        retryAfterSeconds: 5,
      },
    );
  }
  try {
    await deps.pingStore();
  } catch (thrown) {
    throw new GatewayError('store_unavailable', 'The gateway cannot write to the database.', {
      retryAfterSeconds: 5,
      cause: thrown,
    });
  }
  return Response.json({ status: 'ready' });
}
