/** The administrator's API of keys: made, limited, rotated, revoked. */
import type { z } from 'zod';
import type { PageRequest } from '../../accounts/account-store.ts';
import { type Accounts, DEFAULT_PAGE } from '../../accounts/accounts.ts';
import { DEFAULT_OVERLAP_MS } from '../../accounts/keys.ts';
import { CREATED_KEY, KEY, keyBody } from '../account-body.ts';
import { answerSchema, page } from '../answer-schema.ts';
import type { Call, Route, RouteDoc } from '../route.ts';
import { KEY_CHANGE, limitsChange, NEW_KEY, ROTATION } from './admin-limit-schemas.ts';
import { adminRoute } from './admin-route.ts';
import { checked, checkedQuery, jsonSchema, KEYS_QUERY } from './admin-schemas.ts';

const CREATED = 201;
const ADMIN = 'admin';
/** A secret is in it. */
const NO_STORE = { 'cache-control': 'no-store' } as const;

type Handle = (accounts: Accounts, call: Call) => Promise<Response>;

export function adminKeyRoutes(accounts: Accounts): readonly Route[] {
  const route = (
    method: Route['method'],
    path: string,
    doc: Omit<RouteDoc, 'tag'>,
    handle: Handle,
  ): Route => adminRoute(method, `/keys${path}`, doc, (call) => handle(accounts, call));
  const withBody = (summary: string, request: z.ZodType, response: z.ZodType) => ({
    summary,
    request: jsonSchema(request),
    response: answerSchema(response),
  });
  const list = {
    summary: 'API keys, of one account or all',
    query: jsonSchema(KEYS_QUERY),
    response: answerSchema(page(KEY)),
  };
  return [
    route('GET', '', list, listKeys),
    route(
      'POST',
      '',
      {
        ...withBody('Create an API key; its secret is shown once', NEW_KEY, CREATED_KEY),
        statuses: [CREATED],
      },
      createKey,
    ),
    route(
      'GET',
      '/:id',
      { summary: 'An API key, its limits and what they leave', response: answerSchema(KEY) },
      getKey,
    ),
    route(
      'PATCH',
      '/:id',
      withBody('Change an API key and its limits', KEY_CHANGE, KEY),
      changeKey,
    ),
    route(
      'POST',
      '/:id/rotate',
      withBody(
        'Give an API key a new secret; the old one ends after the overlap',
        ROTATION,
        CREATED_KEY,
      ),
      rotateKey,
    ),
    route(
      'DELETE',
      '/:id',
      { summary: 'Revoke an API key for good', response: answerSchema(KEY) },
      revokeKey,
    ),
  ];
}

const listKeys: Handle = async (accounts, { url }) => {
  const { query } = checkedQuery(KEYS_QUERY, url);
  const accountId = query.account_id ?? null;
  // An account that is not there must not look like one without keys.
  if (accountId !== null) await accounts.getAccount(accountId);
  const page: PageRequest = { limit: query.limit ?? DEFAULT_PAGE, after: query.after ?? null };
  const { items, next } = await accounts.keysOf(accountId).list(page);
  return Response.json({ data: items.map(keyBody), next });
};

const createKey: Handle = async (accounts, call) => {
  const body = checked(NEW_KEY, await call.readJson());
  const key = {
    name: body.name,
    expiresAtMs: body.expires_at ?? null,
    limits: limitsChange(body.limits),
  };
  const { record, secret } = await accounts.createKey(body.account_id, key, ADMIN);
  const shown = { ...keyBody(record), secret: secret.reveal() };
  return Response.json(shown, { status: CREATED, headers: NO_STORE });
};

const getKey: Handle = async (accounts, call) =>
  Response.json(keyBody(await accounts.keysOf(null).get(idOf(call))));

const changeKey: Handle = async (accounts, call) => {
  const body = checked(KEY_CHANGE, await call.readJson());
  const change = {
    name: body.name,
    expiresAtMs: body.expires_at,
    limits: limitsChange(body.limits),
  };
  return Response.json(keyBody(await accounts.keysOf(null).update(idOf(call), change, ADMIN)));
};

const rotateKey: Handle = async (accounts, call) => {
  const { overlap } = checked(ROTATION, await call.readJson());
  const rotated = await accounts
    .keysOf(null)
    .rotate(idOf(call), overlap ?? DEFAULT_OVERLAP_MS, ADMIN);
  const shown = { ...keyBody(rotated.record), secret: rotated.secret.reveal() };
  return Response.json(shown, { headers: NO_STORE });
};

const revokeKey: Handle = async (accounts, call) =>
  Response.json(keyBody(await accounts.keysOf(null).revoke(idOf(call), ADMIN)));

/** Long or odd ids are looked up like any other and found nowhere. */
const idOf = (call: Call): string => call.params['id'] ?? '';
