/**
 * Routes of API keys. Administrators can manage all keys, other callers only the keys of their
 * account.
 */
import type { z } from 'zod';
import type { Actor, CreatedKey, NewKey } from '../../../accounts/account.ts';
import type { Accounts } from '../../../accounts/accounts.ts';
import { DEFAULT_OVERLAP_MS, type Keys } from '../../../accounts/keys.ts';
import { CREATED, NO_STORE, page, tagged } from '../../edge/answer-schema.ts';
import { checked, checkedQuery, pageOf } from '../../edge/request-schema.ts';
import { IF_MATCH, ifMatchOf } from '../../edge/response-headers.ts';
import {
  type Call,
  callerRoutes,
  type Doc,
  idOf,
  type MethodAndPath,
  type Route,
} from '../../edge/route.ts';
import { CREATED_KEY, KEY, keyBody } from '../account-body.ts';
import { KEY_CHANGE, limitsChange, NEW_OWN_KEY, OWN_KEYS_QUERY, ROTATION } from './key-schemas.ts';

/** The API keys that the caller may manage, and the caller's name in the audit log. */
export type KeyHolder = { readonly keys: Keys; readonly actor: Actor };
type Handle = (holder: KeyHolder, call: Call) => Promise<Response>;
/** Makes one route for each path prefix of an API. `changes` is false for routes that only read. */
export type RegisterKeyRoute = (
  at: MethodAndPath,
  changes: boolean,
  doc: Doc,
  handle: Handle,
) => readonly Route[];

export function keyRoutes(register: RegisterKeyRoute): readonly Route[] {
  const post = (at: MethodAndPath, summary: string, handle: Handle): readonly Route[] =>
    register(at, true, { summary, headers: IF_MATCH, response: KEY }, handle);
  return [
    ...register(
      'GET /keys/:id',
      false,
      { summary: 'Read an API key with its limits and what remains of them', response: KEY },
      get,
    ),
    ...register(
      'PATCH /keys/:id',
      true,
      {
        summary: 'Change an API key and its limits',
        headers: IF_MATCH,
        request: KEY_CHANGE,
        response: KEY,
      },
      change,
    ),
    ...register(
      'POST /keys/:id/rotate',
      true,
      {
        summary:
          'Rotate the secret of an API key; the old secret keeps working for the time in `overlap`',
        request: ROTATION,
        response: CREATED_KEY,
      },
      rotate,
    ),
    ...post(
      'POST /keys/:id/disable',
      'Disable an API key until it is enabled again',
      turn('disable'),
    ),
    ...post('POST /keys/:id/enable', 'Enable a disabled API key', turn('enable')),
    ...register(
      'DELETE /keys/:id',
      true,
      { summary: 'Revoke an API key permanently', response: KEY },
      revoke,
    ),
  ];
}

const get: Handle = async ({ keys }, call) => tagged(keyBody(await keys.get(idOf(call))));

const change: Handle = async ({ keys, actor }, call) => {
  const body = checked(KEY_CHANGE, await call.readJson());
  const wanted = {
    name: body.name,
    expiresAtMs: body.expires_at,
    limits: limitsChange(body.limits),
    scopes: body.scopes,
  };
  const ifMatch = ifMatchOf(call.request);
  return tagged(keyBody(await keys.update(idOf(call), wanted, actor, ifMatch)));
};

const rotate: Handle = async ({ keys, actor }, call) => {
  const { overlap } = checked(ROTATION, await call.readJson());
  return shownOnce(await keys.rotate(idOf(call), overlap ?? DEFAULT_OVERLAP_MS, actor), 200);
};

const turn =
  (change: 'disable' | 'enable'): Handle =>
  async ({ keys, actor }, call) =>
    tagged(keyBody(await keys[change](idOf(call), actor, ifMatchOf(call.request))));

const revoke: Handle = async ({ keys, actor }, call) =>
  Response.json(keyBody(await keys.revoke(idOf(call), actor)));

export async function listKeys(
  keys: Keys,
  query: z.infer<typeof OWN_KEYS_QUERY>,
): Promise<Response> {
  const { items, next } = await keys.list(pageOf(query), query.created_by ?? null);
  return Response.json({ data: items.map(keyBody), next });
}

export async function createKey(
  accounts: Pick<Accounts, 'createKey'>,
  accountId: string,
  body: z.infer<typeof NEW_OWN_KEY>,
  actor: Actor,
): Promise<Response> {
  const key: NewKey = {
    name: body.name,
    expiresAtMs: body.expires_at ?? null,
    limits: limitsChange(body.limits),
    scopes: body.scopes,
  };
  return shownOnce(await accounts.createKey(accountId, key, actor), CREATED);
}

function shownOnce({ record, secret }: CreatedKey, status: number): Response {
  const body = { ...keyBody(record), secret: secret.reveal() } satisfies z.infer<
    typeof CREATED_KEY
  >;
  return Response.json(body, { status, headers: NO_STORE });
}

/** Returns the routes for keys with the scope `manage`, which change all keys of their account. */
export function managingRoutes(accounts: Accounts): readonly Route[] {
  return [
    ...callerRoutes(
      'GET /keys',
      'manage',
      {
        summary: "List the account's API keys, oldest first",
        query: OWN_KEYS_QUERY,
        response: page(KEY),
      },
      ({ url, caller }) => {
        const { query } = checkedQuery(OWN_KEYS_QUERY, url);
        return listKeys(accounts.keysOf(caller.accountId), query);
      },
    ),
    ...callerRoutes(
      'POST /keys',
      'manage',
      {
        summary: 'Create an API key; its secret is shown once',
        request: NEW_OWN_KEY,
        response: CREATED_KEY,
        statuses: [CREATED],
      },
      async (call) => {
        const { accountId, keyId } = call.caller;
        return await createKey(
          accounts,
          accountId,
          checked(NEW_OWN_KEY, await call.readJson()),
          keyId,
        );
      },
    ),
    ...keyRoutes((at, _changes, doc, handle) =>
      callerRoutes(at, 'manage', doc, (call) => {
        const { accountId, keyId } = call.caller;
        return handle({ keys: accounts.keysOf(accountId), actor: keyId }, call);
      }),
    ),
  ];
}
