/**
 * API keys: made, limited, rotated, disabled, revoked. Administrators have these routes for the keys of all
 * accounts, people who are signed in for those of their own; what they answer is the same.
 */
import type { z } from 'zod';
import type { Actor, CreatedKey, NewKey } from '../../accounts/account.ts';
import type { Accounts } from '../../accounts/accounts.ts';
import { DEFAULT_OVERLAP_MS, type Keys } from '../../accounts/keys.ts';
import type { PageRequest } from '../../accounts/page.ts';
import { answerSchema } from '../edge/answer-schema.ts';
import { checked, jsonSchema } from '../edge/request-schema.ts';
import { type Call, idOf, type Route, type RouteDoc } from '../edge/route.ts';
import { CREATED_KEY, KEY, keyBody } from './account-body.ts';
import { KEY_CHANGE, limitsChange, type NEW_OWN_KEY, ROTATION } from './key-schemas.ts';

export const CREATED = 201;
/** A secret is in it. */
const NO_STORE = { 'cache-control': 'no-store' } as const;

/** Who asks, and for which keys. */
export type KeyHolder = { readonly keys: Keys; readonly actor: Actor };
type Handle = (holder: KeyHolder, call: Call) => Promise<Response>;
/** Registers a route below `/keys`. `changes`: whether it takes more than reading. */
export type RegisterKeyRoute = (
  method: Route['method'],
  path: string,
  changes: boolean,
  doc: Omit<RouteDoc, 'tag'>,
  handle: Handle,
) => Route;

/** The routes of one key. */
export function keyRoutes(register: RegisterKeyRoute): readonly Route[] {
  const post = (path: string, summary: string, handle: Handle): Route =>
    register('POST', path, true, { summary, response: answerSchema(KEY) }, handle);
  return [
    register(
      'GET',
      '/:id',
      false,
      { summary: 'An API key, its limits and what they leave', response: answerSchema(KEY) },
      get,
    ),
    register(
      'PATCH',
      '/:id',
      true,
      {
        summary: 'Change an API key and its limits',
        request: jsonSchema(KEY_CHANGE),
        response: answerSchema(KEY),
      },
      change,
    ),
    register(
      'POST',
      '/:id/rotate',
      true,
      {
        summary: 'Give an API key a new secret; the old one ends after the overlap',
        request: jsonSchema(ROTATION),
        response: answerSchema(CREATED_KEY),
      },
      rotate,
    ),
    post('/:id/disable', 'Take an API key out of use until it is enabled again', disable),
    post('/:id/enable', 'Put an API key that is disabled back into use', enable),
    register(
      'DELETE',
      '/:id',
      true,
      { summary: 'Revoke an API key for good', response: answerSchema(KEY) },
      revoke,
    ),
  ];
}

const get: Handle = async ({ keys }, call) => Response.json(keyBody(await keys.get(idOf(call))));

const change: Handle = async ({ keys, actor }, call) => {
  const body = checked(KEY_CHANGE, await call.readJson());
  const wanted = {
    name: body.name,
    expiresAtMs: body.expires_at,
    limits: limitsChange(body.limits),
  };
  return Response.json(keyBody(await keys.update(idOf(call), wanted, actor)));
};

const rotate: Handle = async ({ keys, actor }, call) => {
  const { overlap } = checked(ROTATION, await call.readJson());
  return shownOnce(await keys.rotate(idOf(call), overlap ?? DEFAULT_OVERLAP_MS, actor), 200);
};

const disable: Handle = async ({ keys, actor }, call) =>
  Response.json(keyBody(await keys.disable(idOf(call), actor)));

const enable: Handle = async ({ keys, actor }, call) =>
  Response.json(keyBody(await keys.enable(idOf(call), actor)));

const revoke: Handle = async ({ keys, actor }, call) =>
  Response.json(keyBody(await keys.revoke(idOf(call), actor)));

export async function listKeys(keys: Keys, page: PageRequest): Promise<Response> {
  const { items, next } = await keys.list(page);
  return Response.json({ data: items.map(keyBody), next });
}

/** @param body what is asked of the key, whichever route it came to. */
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
  };
  return shownOnce(await accounts.createKey(accountId, key, actor), CREATED);
}

function shownOnce({ record, secret }: CreatedKey, status: number): Response {
  const body = { ...keyBody(record), secret: secret.reveal() } satisfies z.infer<
    typeof CREATED_KEY
  >;
  return Response.json(body, { status, headers: NO_STORE });
}
