/**
 * A route says everything about itself where it is registered: method, path, who may call it, how large
 * a body it takes. The edge (`edge.ts`) does the rest, so no handler can forget to authenticate.
 */
import type { Actor, Caller } from '../../accounts/account.ts';
import type { ScannedObject } from '../../json/scan.ts';
import type { Person, Role } from '../../people/person.ts';
import type { TraceContext } from '../../protocols/trace-context.ts';
import type { Endpoint } from '../../telemetry/request-journal.ts';

/**
 * `key`: an inference key. `session`: somebody who is signed in to the console. `playground`: the same, who
 * then calls with the key that their account has for its playground. `admin`: the administrator's token, or
 * an administrator who is signed in. `public`: anyone.
 */
export type RouteAuth = 'public' | 'key' | 'session' | 'playground' | 'admin';

/** The console's pages, and under `/api` what they ask. */
export const CONSOLE_PATH = '/console';

/** Whose error bodies a path speaks. `both` is a body valid in either dialect. */
export type RouteDialect = 'openai' | 'anthropic' | 'both';

export type Call = {
  readonly request: Request;
  readonly url: URL;
  /** Path parameters, percent-decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly trace: TraceContext;
  /** Where the caller is; null when that cannot be told. */
  readonly address: () => string | null;
  /** Milliseconds on the monotonic clock when the request was accepted. */
  readonly acceptedAtMs: number;
  /** The body as it came; throws what `readBody` throws. */
  readonly readBytes: () => Promise<Uint8Array<ArrayBuffer>>;
  /** The body as a JSON object, its bytes kept; throws what `readScanned` throws. */
  readonly readScanned: () => Promise<ScannedObject>;
  /** The body as a parsed JSON object, for small bodies, `{}` for an empty one; throws the same. */
  readonly readJson: () => Promise<Record<string, unknown>>;
  /**
   * Says that the body is no longer needed, so that its memory counts no more. Only an answer that is a
   * stream has to: all others have done with it when they are there.
   */
  readonly releaseBody: () => void;
  /** Notes what was wanted, so that a refusal can be told with it. */
  readonly asks: (asked: {
    readonly model: string;
    readonly channel: string | null;
    readonly stream: boolean;
  }) => void;
};
/** The `:id` of the path. Long or odd ones are looked up like any other and found nowhere. */
export const idOf = ({ params }: Pick<Call, 'params'>): string => params['id'] ?? '';

export type KeyCall = Call & { readonly caller: Caller };
export type SessionCall = Call & { readonly person: Person };
/** `actor`: who it is, as the audit log names them: `admin` with the token, else the person's id. */
export type AdminCall = Call & { readonly actor: Actor };

type RouteBase = {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Hono path, such as `/v1/models/:id`. */
  readonly path: string;
  readonly dialect: RouteDialect;
  /** Absent where there is no inference. */
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
      /** Whether also those may who have yet to set up the second step that the settings ask of them. */
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

/** What `/openapi.json` says of the route. Schemas are JSON Schema, made from zod where one exists. */
export type RouteDoc = {
  readonly summary: string;
  readonly tag:
    | 'chat'
    | 'messages'
    | 'images'
    | 'catalogue'
    | 'account'
    | 'service'
    | 'console'
    | 'admin';
  readonly request?: Readonly<Record<string, unknown>>;
  readonly response?: Readonly<Record<string, unknown>>;
  /** The query parameters: the schema of an object that holds them. */
  readonly query?: Readonly<Record<string, unknown>>;
  /** The headers that mean something to it: their schemas by name. */
  readonly headers?: Readonly<Record<string, unknown>>;
  /** What success may answer; 200 when absent. What is done once for its id answers 200 when it comes again. */
  readonly statuses?: readonly (200 | 201)[];
  /** What the answer may come as; JSON when absent. */
  readonly mediaTypes?: readonly string[];
};

/** @param path below `/admin/v1`. */
export const adminRoute = (
  method: Route['method'],
  path: string,
  doc: Omit<RouteDoc, 'tag'>,
  handle: (call: AdminCall) => Promise<Response>,
): Route => ({
  method,
  path: `/admin/v1${path}`,
  auth: 'admin',
  dialect: 'openai',
  doc: { ...doc, tag: 'admin' },
  handle,
});

/** @param path below `/console/api`. */
export const consoleRoute = (
  method: Route['method'],
  path: string,
  role: Role,
  doc: Omit<RouteDoc, 'tag'>,
  handle: (call: SessionCall) => Promise<Response>,
): Extract<Route, { readonly auth: 'session' }> => ({
  method,
  path: `${CONSOLE_PATH}/api${path}`,
  auth: 'session',
  role,
  dialect: 'openai',
  doc: { ...doc, tag: 'console' },
  handle,
});
