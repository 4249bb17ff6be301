/**
 * A route declares its method, its path, who may call it and how large a body it takes. The edge
 * (`edge.ts`) does the rest, so no handler can forget to authenticate.
 */
import type { z } from 'zod';
import type { Actor, Caller } from '../../accounts/account.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { Person, Role } from '../../people/person.ts';
import type { TraceContext } from '../../protocols/trace-context.ts';
import type { Endpoint } from '../../telemetry/request-journal.ts';

/**
 * `key`: an inference key. `session`: a person who is signed in to the console. `playground`: the
 * same, calling with the playground key of their account. `admin`: the administrator's token, or a
 * signed-in administrator. `public`: anyone.
 */
export type RouteAuth = 'public' | 'key' | 'session' | 'playground' | 'admin';

/** The console's pages; its API is under `/api`. */
export const CONSOLE_PATH = '/console';

/** The dialect of a path's error bodies. `both`: a body valid in either dialect. */
export type RouteDialect = 'openai' | 'anthropic' | 'both';

export type Call = {
  readonly request: Request;
  readonly url: URL;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly trace: TraceContext;
  /** The caller's IP address; null: unknown. */
  readonly address: () => string | null;
  /** Milliseconds on the monotonic clock when the request was accepted. */
  readonly acceptedAtMs: number;
  /** The bytes of the body. @throws what `readBody` throws. */
  readonly readBytes: () => Promise<Uint8Array<ArrayBuffer>>;
  /** The body as a JSON object, with its bytes. @throws what `readScanned` throws. */
  readonly readScanned: () => Promise<ScannedObject>;
  /** The parsed body, for small bodies; `{}` if it is empty. @throws what `readJson` throws. */
  readonly readJson: () => Promise<Record<string, unknown>>;
  /**
   * Releases the memory of the body once it is no longer needed. Only streams must call it; the
   * body of any other request is released with its answer.
   */
  readonly releaseBody: () => void;
  /** Records what was requested, so that the log of a refusal has it too. */
  readonly asks: (asked: {
    readonly model: string;
    readonly channel: string | null;
    readonly stream: boolean;
  }) => void;
};
/** The `:id` of the path. An invalid one is looked up like any other, and not found. */
export const idOf = ({ params }: Pick<Call, 'params'>): string => params['id'] ?? '';

export type KeyCall = Call & { readonly caller: Caller };
export type SessionCall = Call & { readonly person: Person };
/** `actor`: as the audit log names the caller: `admin` for the token, else the person's id. */
export type AdminCall = Call & { readonly actor: Actor };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];
/** Such as `GET /keys/:id`. */
export type MethodAndPath = `${Method} /${string}`;

type RouteBase = {
  readonly method: Method;
  /** Hono path, such as `/v1/models/:id`. */
  readonly path: string;
  readonly dialect: RouteDialect;
  /** Inference routes only. */
  readonly endpoint?: Endpoint;
  /** Default `MAX_BODY_BYTES` of the edge. */
  readonly maxBodyBytes?: number;
  readonly doc: RouteDoc;
};
export type Route =
  | (RouteBase & { readonly auth: 'key'; readonly handle: (call: KeyCall) => Promise<Response> })
  | (RouteBase & {
      readonly auth: 'session';
      /** The least role that may call it. */
      readonly role: Role;
      /** Whether people may call it who have yet to set up required two-factor authentication. */
      readonly beforeTotp?: boolean;
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

/** A zod schema, or JSON Schema where the body is not checked by zod. */
export type BodySchema = z.ZodType | Readonly<Record<string, unknown>>;

/** What `/openapi.json` says about a route. */
export type Doc = {
  readonly summary: string;
  readonly request?: BodySchema;
  readonly response?: BodySchema;
  /** The query parameters: the schema of an object that holds them. */
  readonly query?: BodySchema;
  /** The request headers that it reads: their JSON Schemas by name. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** Statuses of success; 200 when absent. A repeated request that was already done answers 200. */
  readonly statuses?: readonly (200 | 201)[];
  /** The media types of the answer; JSON when absent. */
  readonly mediaTypes?: readonly string[];
};
type Tag =
  | 'chat'
  | 'messages'
  | 'images'
  | 'catalogue'
  | 'account'
  | 'service'
  | 'console'
  | 'admin';
export type RouteDoc = Doc & { readonly tag: Tag };

/** The method, and the path below `prefix`. */
export function below(prefix: string, at: MethodAndPath): Pick<RouteBase, 'method' | 'path'> {
  const method = METHODS.find((each) => at.startsWith(`${each} `)) ?? 'GET';
  return { method, path: prefix + at.slice(method.length + 1) };
}

/** Adds a prefix to the path and what its handlers have in common. */
export type Register<Handle> = (at: MethodAndPath, doc: Doc, handle: Handle) => Route;

/** @param at below `/admin/v1`. */
export const adminRoute: Register<(call: AdminCall) => Promise<Response>> = (at, doc, handle) => ({
  ...below('/admin/v1', at),
  auth: 'admin',
  dialect: 'openai',
  doc: { ...doc, tag: 'admin' },
  handle,
});

/** @param at below `/console/api`. */
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

/** The route for API keys, under both prefixes of the API for callers. */
export const callerRoutes = (
  at: MethodAndPath,
  doc: Doc,
  handle: (call: KeyCall) => Promise<Response>,
): readonly Route[] =>
  ['/v1', '/v2'].map((prefix) => ({
    ...below(prefix, at),
    auth: 'key',
    dialect: 'both',
    doc: { ...doc, tag: 'account' },
    handle,
  }));
