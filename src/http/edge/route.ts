/** Routes declare their rules; `edge.ts` enforces them, so no handler forgets to authenticate. */
import type { z } from 'zod';
import type { Actor, Caller } from '../../accounts/account.ts';
import type { NeededScope } from '../../accounts/scopes.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { ScanLimits } from '../../json/scan-limits.ts';
import type { Person, Role } from '../../people/person.ts';
import type { TraceContext } from '../../protocols/trace-context.ts';
import type { AskedFor, Endpoint } from '../../telemetry/request-journal.ts';

/**
 * The callers that a route accepts: `public`, anybody; `key`, an API key; `session`, a person
 * signed in to the console; `playground`, a signed-in person, who calls with their playground key;
 * `admin`, the administrator's token or a signed-in administrator.
 */
export type RouteAuth = 'public' | 'key' | 'session' | 'playground' | 'admin';

/** The path of the console's pages; its API is below `/console/api`. */
export const CONSOLE_PATH = '/console';

/**
 * The protocol of a path's error bodies. With `both`, OpenAI's and Anthropic's clients can read the
 * body.
 */
export type RouteDialect = 'openai' | 'anthropic' | 'google' | 'both';

export type Call = {
  readonly request: Request;
  readonly url: URL;
  /** The path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly trace: TraceContext;
  /** Returns the caller's IP address, or null if unknown. */
  readonly address: () => string | null;
  /** When the request was accepted, in milliseconds on the monotonic clock. */
  readonly acceptedAtMs: number;
  /** Reads the body. Later calls return the same bytes. @throws GatewayError from `readBody`. */
  readBytes(): Promise<Uint8Array<ArrayBuffer>>;
  /** Reads the body as a JSON object, with its bytes. @throws GatewayError from `readScanned`. */
  readScanned(): Promise<ScannedObject>;
  /**
   * Scans `bytes`, which are used in place of the received body, as a JSON object.
   * @throws GatewayError from `scanMade`.
   */
  scanMade(bytes: Uint8Array<ArrayBuffer>): Promise<ScannedObject>;
  /** Reads and parses the body; an empty one yields `{}`. @throws GatewayError from `readJson`. */
  readJson(): Promise<Record<string, unknown>>;
  /**
   * Releases the body's memory. Only handlers of streams must call this. For other responses, the
   * edge releases the memory.
   */
  releaseBody(): void;
  /**
   * Returns a new record of the headers that every response has. A handler that calls it must put
   * them on its response. The edge adds them to all other responses.
   */
  headers(answersWith: 'json' | 'stream'): Record<string, string>;
  /** Records what is requested, so that the log line shows it even if the request is refused. */
  asks(asked: AskedFor): void;
};
/** Returns the path parameter `:id`. A malformed id needs no check: no lookup finds it. */
export const idOf = ({ params }: Pick<Call, 'params'>): string => params['id'] ?? '';

export type KeyCall = Call & { readonly caller: Caller };
export type SessionCall = Call & { readonly person: Person };
/** A call of an administrator; `actor` is `admin` for the token, else the person's id. */
export type AdminCall = Call & { readonly actor: Actor };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];
/** A method and a path, such as `GET /keys/:id`. */
export type MethodAndPath = `${Method} /${string}`;

type RouteBase = {
  readonly method: Method;
  /** The path in Hono's syntax, such as `/v1/models/:id`. */
  readonly path: string;
  readonly dialect: RouteDialect;
  /** Set on routes of inference and token counting only. */
  readonly endpoint?: Endpoint;
  /** Maximum bytes of the body; by default `MAX_BODY_BYTES` of the edge. */
  readonly maxBodyBytes?: number;
  /** The limits of `readScanned` and `readJson`; by default, they depend on `maxBodyBytes`. */
  readonly scanLimits?: ScanLimits;
  /** Whether the route is an alias of another route. API descriptions omit aliases. */
  readonly isAlias?: boolean;
  readonly doc: RouteDoc;
};
export type Route =
  | (RouteBase & {
      readonly auth: 'key';
      /** The scope that the key needs. */
      readonly scope: NeededScope;
      /** Whether the route needs no key at present. Its handler then has no caller. */
      readonly isOpen?: () => boolean;
      readonly handle: (call: KeyCall) => Promise<Response>;
    })
  | (RouteBase & {
      readonly auth: 'session';
      /** The lowest role that may call the route. */
      readonly role: Role;
      /** Whether the route works before people set up required two-factor authentication. */
      readonly beforeTotp?: boolean;
      /**
       * Whether the route ends an administrator's view of an account. During a view, no other route
       * changes anything.
       */
      readonly endsView?: boolean;
      readonly handle: (call: SessionCall) => Promise<Response>;
    })
  | (RouteBase & {
      readonly auth: 'playground';
      readonly role: Role;
      readonly handle: (call: KeyCall) => Promise<Response>;
    })
  | (RouteBase & {
      readonly auth: 'admin';
      readonly handle: (call: AdminCall) => Promise<Response>;
    })
  | (RouteBase & { readonly auth: 'public'; readonly handle: (call: Call) => Promise<Response> });

/** Whether anybody may call the route at present. */
export const isOpenNow = (route: Route): boolean =>
  route.auth === 'public' || (route.auth === 'key' && route.isOpen?.() === true);

/**
 * A zod schema, a function that returns it, or a JSON Schema where zod does not check the body. The
 * function is called only when an API description is generated, so that the schema is not built
 * earlier.
 */
export type BodySchema = z.ZodType | (() => z.ZodType) | Readonly<Record<string, unknown>>;

/** The description of a route in `/openapi.json`. */
export type Doc = {
  readonly summary: string;
  readonly request?: BodySchema;
  /** The request as a multipart form, if the route also takes one. */
  readonly form?: BodySchema;
  readonly response?: BodySchema;
  /** The schema of an object that holds the query parameters. */
  readonly query?: BodySchema;
  /** JSON Schemas of the request headers that the route reads, by header name. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /**
   * The success statuses; by default 200. A route with both 200 and 201 returns 201 if this call
   * made the change, and 200 if an earlier call did.
   */
  readonly statuses?: readonly (200 | 201)[];
  /** The media types of the response; by default JSON. */
  readonly mediaTypes?: readonly string[];
  /** Whether a replica may serve the route, so that its answers may be some seconds old. */
  readonly isReport?: true;
};
type Tag =
  | 'chat'
  | 'messages'
  | 'responses'
  | 'images'
  | 'embeddings'
  | 'catalogue'
  | 'account'
  | 'service'
  | 'console'
  | 'admin';
export type RouteDoc = Doc & { readonly tag: Tag };

/** Splits `at` into the method and the path, and prepends `prefix` to the path. */
export function below(prefix: string, at: MethodAndPath): Pick<RouteBase, 'method' | 'path'> {
  const method = METHODS.find((each) => at.startsWith(`${each} `)) ?? 'GET';
  return { method, path: prefix + at.slice(method.length + 1) };
}

/** Makes a route from its method and path, its description and its handler. */
export type Register<Handle> = (at: MethodAndPath, doc: Doc, handle: Handle) => Route;

/** Makes a route for administrators; `at` has the path below `/admin/v1`. */
export const adminRoute: Register<(call: AdminCall) => Promise<Response>> = (at, doc, handle) => ({
  ...below('/admin/v1', at),
  auth: 'admin',
  dialect: 'openai',
  doc: { ...doc, tag: 'admin' },
  handle,
});

/** Makes a route for signed-in people; `at` has the path below `/console/api`. */
export const consoleRoute = (
  at: MethodAndPath,
  role: Role,
  doc: Doc,
  handle: (call: SessionCall) => Promise<Response>,
): Extract<Route, { readonly auth: 'session' }> => ({
  ...below(`${CONSOLE_PATH}/api`, at),
  auth: 'session',
  role,
  dialect: 'openai',
  doc: { ...doc, tag: 'console' },
  handle,
});

/** Makes a route for API keys, once under each prefix of the API for callers. */
export const callerRoutes = (
  at: MethodAndPath,
  scope: NeededScope,
  doc: Doc,
  handle: (call: KeyCall) => Promise<Response>,
): readonly Route[] =>
  ['/v1', '/v2'].map((prefix) => ({
    ...below(prefix, at),
    auth: 'key',
    scope,
    dialect: 'both',
    doc: { ...doc, tag: 'account' },
    handle,
  }));
