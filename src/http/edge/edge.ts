/** Receives a request, finds its route, authorizes the caller, and converts errors to responses. */
import { type Context, Hono } from 'hono';
import type { Actor, Caller } from '../../accounts/account.ts';
import { asGatewayError, GatewayError } from '../../errors.ts';
import type { Person } from '../../people/person.ts';
import type { InFlight } from '../../relay/in-flight.ts';
import type { AskedFor, OpenRequest, RequestJournal } from '../../telemetry/request-journal.ts';
import { type AddressRequests, callerAddress } from './address-requests.ts';
import { type AuthorizeDeps, authorized, type OpenCall } from './authorize.ts';
import { jsonIn, MAX_BODY_BYTES, readBody, readJson, readScanned, scanMade } from './body.ts';
import { compressed, isCompressed } from './compression.ts';
import { errorResponse } from './error-response.ts';
import type { BodyShare, RequestBytes } from './request-bytes.ts';
import { ANY_ORIGIN, isSessionPath, preflight } from './response-headers.ts';
import { type Call, isOpenNow, type Route, type RouteDialect } from './route.ts';
import { dialectOf, methodNotAllowed, unknownUrl } from './unknown-url.ts';

export type EdgeDeps = AuthorizeDeps & {
  readonly journal: Pick<RequestJournal, 'open'>;
  /** The number of the operator's proxies that add to X-Forwarded-For. */
  readonly trustedProxies: number;
  readonly isDraining: () => boolean;
  readonly requestBytes: RequestBytes;
  readonly addressRequests: Pick<AddressRequests, 'enter' | 'leave'>;
  /** Counts the requests that have no response so far. A shutdown waits for them. */
  readonly inFlight: Pick<InFlight, 'enter' | 'leave'>;
  /** Called for every error with a status of 500 or more. */
  readonly onFailure: (requestId: string, path: string, error: GatewayError) => void;
};

/** The HTTP server that received a request, which knows the request's connection. */
export type RequestServer = {
  /** Returns the address of the connection's peer; null if unknown. */
  requestIP(request: Request): { readonly address: string } | null;
  /** Sets after how many seconds without traffic the connection is closed; 0: never. */
  timeout(request: Request, seconds: number): void;
};
export type Edge = {
  readonly fetch: (request: Request, server?: RequestServer) => Response | Promise<Response>;
};
const NO_SERVER: RequestServer = { requestIP: () => null, timeout: () => {} };

/** How long a connection waits for its next request: longer than proxies keep idle connections. */
export const IDLE_SECONDS = 255;
/** How long an answered connection waits for the rest of a request body that is not read. */
const UNREAD_SECONDS = 30;

type LaterRoutes = () => Promise<readonly Route[]>;
type Env = { Bindings: { server: RequestServer } };
type Answer = (c: Context<Env>) => Response | Promise<Response>;

/**
 * @param others loads the routes that are registered only when a request matches none of `routes`.
 *   Their paths must not match any of `routes`, because `routes` are searched first.
 */
export function createEdge(
  routes: readonly Route[],
  deps: EdgeDeps,
  others: LaterRoutes | null = null,
): Edge {
  const unknown: Answer = (c) =>
    refuse(c.req.raw, unknownUrl(c.req.method, c.req.path, deps.publicUrl), null, deps);
  const notFound = others === null ? unknown : amongOthers(others, deps, unknown);
  const app = routerOf(routes, deps, notFound);
  const inference = inferenceRoutes(routes);
  const hosts = new KnownHosts();
  return {
    fetch: (request, server = NO_SERVER) => {
      const { url } = request;
      const pathStart = url.indexOf('/', SCHEME_CHARS);
      if (!hosts.isOne(request, url.slice(0, pathStart))) {
        return isProbeWithoutHost(request)
          ? app.fetch(new Request(`http://localhost${url}`, request), { server })
          : refuseHost(request, deps);
      }
      const route = request.method === 'POST' ? inference.get(url.slice(pathStart)) : undefined;
      return route === undefined
        ? app.fetch(request, { server })
        : serve(route, request, NO_PARAMS, server, deps).catch((thrown: unknown) =>
            refuse(request, asGatewayError(thrown), null, deps),
          );
    },
  };
}

/** Answers a request with the routes that are loaded on demand. Makes their router only once. */
function amongOthers(others: LaterRoutes, deps: EdgeDeps, unknown: Answer): Answer {
  let router: Hono<Env> | null = null;
  return async (c) => {
    const routes = await others();
    router ??= routerOf(routes, deps, unknown);
    return await router.fetch(c.req.raw, c.env);
  };
}

function routerOf(routes: readonly Route[], deps: EdgeDeps, notFound: Answer): Hono<Env> {
  const app = new Hono<Env>();
  const register = (route: Route): void => {
    app.on(route.method, route.path, (c) =>
      serve(route, c.req.raw, c.req.param(), c.env.server, deps),
    );
  };
  const own = routes.filter((route) => !isCatchAll(route));
  own.forEach(register);
  for (const [path, methods] of methodsByPath(own)) {
    app.options(path, (c) => preflight(c.req.raw, path));
    app.all(path, (c) => refuse(c.req.raw, methodNotAllowed(c.req.raw, methods), methods, deps));
  }
  routes.filter(isCatchAll).forEach(register);
  app.notFound(notFound);
  app.onError((thrown, c) => refuse(c.req.raw, asGatewayError(thrown), null, deps));
  return app;
}

/** The length of `https://`. The path of a URL never begins before this position. */
const SCHEME_CHARS = 8;
const NO_PARAMS = {};

/** Returns the inference routes by their exact path, so that they are found without the router. */
const inferenceRoutes = (routes: readonly Route[]): ReadonlyMap<string, Route> =>
  new Map(
    routes
      .filter(({ endpoint, method, path }) => endpoint && method === 'POST' && !path.includes(':'))
      .map((route) => [route.path, route]),
  );

/** Checks Host headers. Remembers the last valid one, which most requests repeat. */
class KnownHosts {
  #valid = '';

  /**
   * Whether the request has exactly one valid Host header. If there are several, a proxy and the
   * gateway might use different hosts.
   * @param origin the scheme and the host of the request's URL.
   */
  isOne(request: Request, origin: string): boolean {
    if (request.headers.get('host')?.includes(',') === true) return false;
    if (origin === this.#valid) return true;
    if (!URL.canParse(request.url)) return false;
    this.#valid = origin;
    return true;
  }
}

async function serve(
  route: Route,
  request: Request,
  params: Readonly<Record<string, string>>,
  server: RequestServer,
  deps: EdgeDeps,
): Promise<Response> {
  const opened = deps.journal.open(request, route);
  const address = () =>
    callerAddress(server.requestIP(request)?.address ?? null, request.headers, deps.trustedProxies);
  const share = deps.requestBytes.open(address);
  // Disables the timeout of a POST: only the relay can distinguish slow from dead upstreams.
  const isPost = request.method === 'POST';
  if (isPost) server.timeout(request, 0);
  let call: EdgeCall | null = null;
  let response: Response;
  let error: GatewayError | null = null;
  try {
    // Service routes, such as health probes, are answered even if their address is at its limit.
    if (route.doc.tag !== 'service') {
      opened.countedUnder(deps.addressRequests.enter(address), deps.addressRequests);
    }
    if (deps.isDraining() && !isOpenNow(route)) throw shuttingDown();
    // PostgreSQL rejects NUL bytes, and no id or name contains one.
    if (request.url.includes('%00')) throw nulInUrl();
    call = new EdgeCall(route, request, params, opened, share);
    deps.inFlight.enter();
    try {
      response = await authorized(route, call, deps, opened);
      if (isCompressed(route)) response = await compressed(request, response);
    } finally {
      deps.inFlight.leave();
    }
  } catch (thrown) {
    error = asGatewayError(thrown);
    response = failed(error, route.dialect, request, opened.requestId, deps);
  }
  const isMade = error === null && call !== null && call.answersWith !== null;
  const isStream = isMade ? call?.answersWith === 'stream' : isEventStream(response);
  // For a stream, the relay releases the body's memory when it has chosen an upstream.
  if (!isStream) share.release();
  if (isPost) {
    const isRead = share.arrived || request.body === null;
    server.timeout(request, isRead ? IDLE_SECONDS : UNREAD_SECONDS);
  }
  const { status } = response;
  let isReplay = false;
  if (!isMade) {
    addCommonHeaders(response.headers, request, opened.requestId, isSessionRoute(route));
    isReplay = response.headers.has('idempotency-replayed');
  }
  opened.answered({ status, error, isStream, isReplay });
  return response;
}

/** One call. It is a class, because a literal would create its functions for each request. */
class EdgeCall implements OpenCall {
  readonly request: Request;
  readonly params: Call['params'];
  readonly requestId: string;
  readonly trace: Call['trace'];
  readonly acceptedAtMs: number;
  readonly address: Call['address'];
  caller?: Caller;
  person?: Person;
  actor?: Actor;
  /** The argument with which the handler called `headers`; null before it calls `headers`. */
  answersWith: 'json' | 'stream' | null = null;
  readonly #route: Route;
  readonly #opened: OpenRequest;
  readonly #share: BodyShare;
  #url: URL | null = null;
  #bytes: Uint8Array<ArrayBuffer> | null = null;

  constructor(
    route: Route,
    request: Request,
    params: Call['params'],
    opened: OpenRequest,
    share: BodyShare,
  ) {
    this.request = request;
    this.params = params;
    this.requestId = opened.requestId;
    this.trace = opened.trace;
    this.acceptedAtMs = opened.acceptedAtMs;
    this.address = share.address;
    this.#route = route;
    this.#opened = opened;
    this.#share = share;
  }

  /** The URL is parsed on demand, because most handlers never read their query. */
  get url(): URL {
    this.#url ??= new URL(this.request.url);
    return this.#url;
  }

  async readBytes(): Promise<Uint8Array<ArrayBuffer>> {
    this.#bytes ??= await readBody(this.request, this.#maxBytes, this.#share);
    return this.#bytes;
  }

  readScanned(): ReturnType<Call['readScanned']> {
    return readScanned(this.request, this.#maxBytes, this.#share, this.#route.scanLimits);
  }

  scanMade(bytes: Uint8Array<ArrayBuffer>): ReturnType<Call['scanMade']> {
    return scanMade(bytes, this.#share);
  }

  async readJson(): Promise<Record<string, unknown>> {
    return this.#bytes === null
      ? await readJson(this.request, this.#maxBytes, this.#share, this.#route.scanLimits)
      : jsonIn(this.#bytes, this.request, this.#maxBytes, this.#share, this.#route.scanLimits);
  }

  releaseBody(): void {
    this.#share.release();
  }

  asks(asked: AskedFor): void {
    this.#opened.asks(asked);
  }

  headers(answersWith: 'json' | 'stream'): Record<string, string> {
    this.answersWith = answersWith;
    return commonHeaders(this.request, this.requestId, isSessionRoute(this.#route));
  }

  get #maxBytes(): number {
    return this.#route.maxBodyBytes ?? MAX_BODY_BYTES;
  }
}

function failed(
  error: GatewayError,
  dialect: RouteDialect,
  request: Request,
  requestId: string,
  deps: EdgeDeps,
): Response {
  if (error.status >= 500) deps.onFailure(requestId, new URL(request.url).pathname, error);
  return errorResponse(error, dialect, requestId);
}

/**
 * Whether the request is a probe by HTTP/1.0, which needs no Host header. HAProxy's
 * `option httpchk` sends such probes. Without the header, the runtime passes only the path as the
 * URL.
 */
const isProbeWithoutHost = ({ method, url, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  (url === '/readyz' || url === '/healthz') &&
  !headers.has('host');

/** Refuses a request with an invalid Host header: its URL is invalid, so it has no route. */
function refuseHost(request: Request, deps: EdgeDeps): Response {
  const opened = deps.journal.open(request, null);
  const error = new GatewayError(
    'invalid_value',
    'The Host header is invalid or repeated. Send exactly one, with the host (and port) that the request is addressed to.',
    { param: 'Host' },
  );
  const response = errorResponse(error, 'both', opened.requestId);
  return finish(response, request, opened, error, true);
}

/** Answers with an error when no route was found or the router failed. */
function refuse(
  request: Request,
  error: GatewayError,
  allow: readonly string[] | null,
  deps: EdgeDeps,
): Response {
  const opened = deps.journal.open(request, null);
  const path = new URL(request.url).pathname;
  const response = failed(error, dialectOf(path, request.headers), request, opened.requestId, deps);
  if (allow !== null) response.headers.set('allow', allow.join(', '));
  return finish(response, request, opened, error, isSessionPath(path));
}

function finish(
  response: Response,
  request: Request,
  opened: OpenRequest,
  error: GatewayError,
  isOwn: boolean,
): Response {
  addCommonHeaders(response.headers, request, opened.requestId, isOwn);
  const { status } = response;
  opened.answered({ status, error, isStream: false, isReplay: false });
  return response;
}

/** Returns the headers of every response. `isOwn`: of web pages, only the console's may read it. */
function commonHeaders(
  request: Request,
  requestId: string,
  isOwn: boolean,
): Record<string, string> {
  const headers: Record<string, string> = { 'x-request-id': requestId, 'request-id': requestId };
  // The URL does not identify the caller, so a cache could serve the response to another person.
  if (isOwn) headers['cache-control'] = 'no-store';
  else if (request.headers.has('origin')) Object.assign(headers, ANY_ORIGIN);
  return headers;
}

function addCommonHeaders(
  headers: Headers,
  request: Request,
  requestId: string,
  isOwn: boolean,
): void {
  const common = commonHeaders(request, requestId, isOwn);
  for (const name in common) {
    if (name !== 'cache-control' || !headers.has(name)) headers.set(name, common[name] ?? '');
  }
  // A cache must store answers with and without `Origin` separately. Otherwise it could send a web
  // page a stored answer that lacks the CORS headers.
  if (!isOwn && headers.has('cache-control')) headers.append('vary', 'origin');
}

/** Whether the path ends with a wildcard. Such routes are registered last and so match last. */
const isCatchAll = ({ path }: Route): boolean => path.endsWith('/*');

/** Whether a route accepts or starts a session, so that it responds only to our own pages. */
const isSessionRoute = ({ auth, path }: Route): boolean =>
  auth === 'session' || auth === 'admin' || isSessionPath(path);

const isEventStream = ({ headers }: Response): boolean =>
  headers.get('content-type')?.startsWith('text/event-stream') ?? false;

function methodsByPath(routes: readonly Route[]): Map<string, string[]> {
  const byPath = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const methods = byPath.get(path) ?? ['OPTIONS'];
    methods.push(method);
    if (method === 'GET') methods.push('HEAD');
    byPath.set(path, methods);
  }
  return byPath;
}

const nulInUrl = (): GatewayError =>
  new GatewayError('invalid_value', 'The URL contains a NUL character (%00). Remove it.');

const shuttingDown = (): GatewayError =>
  new GatewayError('shutting_down', 'The gateway is restarting. Retry the request.', {
    retryAfterSeconds: 1,
  });
