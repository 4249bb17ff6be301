/** Authorizes calls: checks the credentials that the route's `auth` requires. */
import type { Actor, Caller } from '../../accounts/account.ts';
import { requireScope } from '../../accounts/authentication.ts';
import { inTurn } from '../../accounts/limits/large-pages.ts';
import type { Secret } from '../../config/secret.ts';
import { GatewayError } from '../../errors.ts';
import {
  notSignedIn,
  otherAccount,
  totpRequired,
  viewIsReadOnly,
} from '../../people/people-errors.ts';
import { isAtLeast, mustSetUpTotp, type Person, type Role } from '../../people/person.ts';
import { hasSessionCookie } from '../../people/session-cookie.ts';
import type { Attendance } from '../../people/sessions.ts';
import type { AdminCall, Call, KeyCall, Route, SessionCall } from './route.ts';

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS'];

export type AuthorizeDeps = {
  /**
   * Finds the caller by API key without waiting. Returns null if only `authenticate` can find the
   * caller.
   */
  readonly knownCaller: (headers: Headers, address: () => string | null) => Caller | null;
  /** Finds the caller by API key. Calls `address` only if the key is limited to IP ranges. */
  readonly authenticate: (headers: Headers, address: () => string | null) => Promise<Caller>;
  /** Finds the person's playground key. Calls `address` only if the key is limited to IP ranges. */
  readonly playgroundOf: (person: Person, address: () => string | null) => Promise<Caller>;
  /** Finds the person whose session the cookie names; null if there is no valid session. */
  readonly signedIn: (headers: Headers) => Promise<Person | null>;
  /** Whether administrators must set up two-factor authentication before anything else. */
  readonly requireTotp: () => boolean;
  readonly adminToken: Secret;
  readonly publicUrl: string;
};

/**
 * A call to authorize. Authorization sets these members on the call itself, because copying the
 * call would be slow.
 */
export type OpenCall = Call & { caller?: Caller; person?: Person; actor?: Actor };

/**
 * Calls the handler if the caller may use the route. If the route is for API keys or the
 * playground, first calls `admit` with the key's caller.
 * Rejects or throws GatewayError `invalid_api_key`, `not_signed_in`, `not_allowed`,
 * `totp_required`, `view_is_read_only`, `other_account`, `cross_origin`, and what the handler
 * throws.
 */
export function authorized(
  route: Route,
  call: OpenCall,
  deps: AuthorizeDeps,
  opened: Admits,
): Promise<Response> {
  if (route.auth === 'public') return route.handle(call);
  // The route currently accepts calls without a key, so its handler does not read `caller`.
  if (route.auth === 'key' && route.isOpen?.() === true) return route.handle(call as KeyCall);
  if (route.auth !== 'key') return authorizedLater(route, call, deps, opened);
  // Most keys are in memory, so most requests are authorized without waiting.
  const caller = deps.knownCaller(call.request.headers, call.address);
  if (caller === null) return authorizedLater(route, call, deps, opened);
  opened.admit(caller);
  requireScope(caller, route.scope);
  setCaller(call, caller);
  // Most requests are calls of models, which have no pages.
  if (route.method === 'POST') return route.handle(call);
  return inTurn(caller.accountId, call.request, () => route.handle(call));
}

type Admits = { readonly admit: (caller: Caller) => void };

async function authorizedLater(
  route: Exclude<Route, { readonly auth: 'public' }>,
  call: OpenCall,
  deps: AuthorizeDeps,
  opened: Admits,
): Promise<Response> {
  const { request } = call;
  switch (route.auth) {
    case 'key': {
      const caller = await deps.authenticate(request.headers, call.address);
      opened.admit(caller);
      requireScope(caller, route.scope);
      setCaller(call, caller);
      return await inTurn(caller.accountId, request, () => route.handle(call));
    }
    case 'session': {
      const person = await personOf(request, route, deps);
      requireActiveAccount(request, route.role, person);
      setPerson(call, person);
      return await inTurn(person.accountId, request, () => route.handle(call));
    }
    case 'playground': {
      const caller = await deps.playgroundOf(await personOf(request, route, deps), call.address);
      opened.admit(caller);
      requireScope(caller, 'inference');
      setCaller(call, caller);
      return await route.handle(call);
    }
    case 'admin': {
      setActor(call, await actorOf(request, deps));
      return await route.handle(call);
    }
  }
}

function setCaller(call: OpenCall, caller: Caller): asserts call is OpenCall & KeyCall {
  call.caller = caller;
}
function setPerson(call: OpenCall, person: Person): asserts call is OpenCall & SessionCall {
  call.person = person;
}
function setActor(call: OpenCall, actor: Actor): asserts call is OpenCall & AdminCall {
  call.actor = actor;
}

/**
 * Matches the password of an operator's proxy, which browsers send with every request. It is no
 * token, so it does not replace the session.
 */
const PROXY_PASSWORD = /^Basic\s/i;

async function actorOf(request: Request, deps: AuthorizeDeps): Promise<Actor> {
  const authorization = request.headers.get('authorization');
  if (authorization !== null && !PROXY_PASSWORD.test(authorization)) {
    requireAdminToken(request, deps.adminToken);
    return 'admin';
  }
  // A page of the console has no token: without the cookie, its session has ended.
  const { headers } = request;
  const isOfPage = hasSessionCookie(headers.get('cookie')) || headers.has(PAGE_ACCOUNT_HEADER);
  if (!isOfPage) throw noAdminToken();
  return (await personOf(request, { role: 'administrator' }, deps)).id;
}

/** The header of console requests that are not caused by a person's action, such as polling. */
const UNATTENDED_HEADER = 'x-unattended';

export const attendanceOf = (headers: Headers): Attendance =>
  headers.has(UNATTENDED_HEADER) ? 'unattended' : 'attended';

/** The header in which a page of the console names the account that it shows. */
const PAGE_ACCOUNT_HEADER = 'x-account';

type Needs = { readonly role: Role; readonly beforeTotp?: boolean; readonly endsView?: boolean };

async function personOf(
  request: Request,
  { role: least, beforeTotp = false, endsView = false }: Needs,
  deps: AuthorizeDeps,
): Promise<Person> {
  requireSameOrigin(request, deps.publicUrl);
  const person = await deps.signedIn(request.headers);
  if (person === null) throw notSignedIn();
  if (!endsView) requireShownAccount(request, person);
  if (!beforeTotp && mustSetUpTotp(person, deps.requireTotp())) throw totpRequired();
  if (person.view !== undefined && !endsView) requireRead(request, least);
  if (isAtLeast(person.role, least)) return person;
  throw new GatewayError(
    'not_allowed',
    `This request requires the role ${least}; yours is ${person.role}. Ask an owner of the account or an administrator.`,
    { extra: { role_needed: least } },
  );
}

/**
 * Refuses a request from a page that shows an account other than the session's: all browser tabs
 * share one session, so another tab may have switched the account.
 */
function requireShownAccount({ headers }: Request, { accountId }: Person): void {
  const shown = headers.get(PAGE_ACCOUNT_HEADER);
  if (shown !== null && shown !== accountId) throw otherAccount();
}

/**
 * Refuses changes and administrators' routes while an administrator views an account, because the
 * administrator may then only read what the owner of the account can read.
 */
function requireRead({ method }: Request, least: Role): void {
  if (!SAFE_METHODS.includes(method) || least === 'administrator') throw viewIsReadOnly();
}

/** Lets people of a suspended account read everything, but change only their own profile. */
function requireActiveAccount({ method }: Request, least: Role, { accountStatus }: Person): void {
  const isOfProfile = least === 'read_only';
  if (accountStatus !== 'suspended' || isOfProfile || SAFE_METHODS.includes(method)) return;
  throw new GatewayError(
    'not_allowed',
    'Your account is suspended, so nothing can be changed. Ask the administrator of this gateway.',
  );
}

/**
 * Prevents cross-site request forgery. Browsers send the cookie even from pages of other sites, but
 * `Origin` and `Sec-Fetch-Site` reveal such a page. Other clients send neither header and pass.
 * @throws GatewayError `cross_origin`.
 */
export function requireSameOrigin(request: Request, publicUrl: string): void {
  if (SAFE_METHODS.includes(request.method)) return;
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  const isOurs = origin === null || isOwnOrigin(origin, request, publicUrl);
  if (isOurs && (site === null || site === 'same-origin' || site === 'none')) return;
  throw new GatewayError(
    'cross_origin',
    'This request came from a page of another site. Open the console at the public URL of the gateway.',
  );
}

/** Whether the origin is ours. Schemes are not compared, because a proxy may terminate TLS. */
function isOwnOrigin(origin: string, request: Request, publicUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  return host === new URL(publicUrl).host || host === new URL(request.url).host;
}

function requireAdminToken(request: Request, token: Secret): void {
  const header = request.headers.get('authorization') ?? '';
  if (!token.matches(header.replace(/^Bearer\s+/i, ''))) throw noAdminToken();
}

const noAdminToken = (): GatewayError =>
  new GatewayError(
    'invalid_api_key',
    'This endpoint takes the administrator token as "Authorization: Bearer TOKEN". It is in the file admin-token of the data folder.',
  );
