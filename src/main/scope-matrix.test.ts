/**
 * Tests which scope each route for API keys needs. Calls every such route with a key of each scope.
 * A new route must be added to `TABLE`.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../accounts/scopes.ts';
import { Secret } from '../config/secret.ts';
import { type Answer, joined, setUp, Visit } from './console.fixture.ts';
import {
  ADMIN_TOKEN,
  configFor,
  newFolder,
  openGatewayOn,
  removeFolders,
} from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

/** The routes below `/v1` and `/v2` that each scope allows. */
const TABLE: Readonly<Record<Scope | 'any', readonly string[]>> = {
  inference: [
    'POST /chat/completions',
    'POST /embeddings',
    'POST /images/edits',
    'POST /images/generations',
    'POST /messages',
    'POST /messages/count_tokens',
    'POST /responses',
    'POST /responses/input_tokens',
  ],
  usage: [
    'GET /credits',
    'GET /generation',
    'GET /ledger',
    'GET /refusals',
    'GET /refusals/counts',
    'GET /refusals/{id}',
    'GET /requests',
    'GET /requests/histogram',
    'GET /requests/{id}',
    'GET /statements',
    'GET /usage',
  ],
  top_up: ['GET /top-ups', 'GET /top-ups/{id}', 'POST /redeem', 'POST /top-ups'],
  manage: [
    'DELETE /keys/{id}',
    'GET /keys',
    'GET /keys/{id}',
    'PATCH /keys/{id}',
    'POST /keys',
    'POST /keys/{id}/disable',
    'POST /keys/{id}/enable',
    'POST /keys/{id}/rotate',
  ],
  any: ['GET /key'],
};
const GEMINI = 'POST /v1beta/models/{call}';
/** Aliases of described routes. `/openapi.json` does not list them. */
const ALIASES = [
  ...['/openai', '/openai/v1', '/openai/deployments/m'].flatMap((prefix) =>
    ['chat/completions', 'embeddings', 'images/generations', 'images/edits'].map(
      (name) => `POST ${prefix}/${name}`,
    ),
  ),
  'POST /openai/responses',
  'POST /openai/v1/responses',
  'POST /v1/models/m:generateContent',
];

/** Settings that add the routes of card payments. No test sends a payment. */
const STRIPE = {
  secret_key: new Secret('sk_test_x'),
  webhook_secret: new Secret('whsec_x'),
  min: { USD: '5', CNY: '35' },
  max: { USD: '1000', CNY: '7000' },
  api_base: 'http://127.0.0.1:1',
};

/** The timeout is long because the tests start a complete gateway and hash real passwords. */
setDefaultTimeout(180_000);

let gateway: Gateway;
let owner: Visit;
let member: Visit;
let stranger: Visit;
const nobody = () => new Visit(gateway);

beforeAll(async () => {
  const shipped = configFor(newFolder(), { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN });
  gateway = await openGatewayOn({ ...shipped, payments: { stripe: STRIPE } });
  await setUp(gateway);
  owner = await joined(gateway, 'owner');
  member = await joined(gateway, 'member');
  stranger = await joined(gateway, 'owner', 'eve@example.com', { account_name: 'Eve Ltd' });
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

const needed: readonly (readonly [route: string, scope: Scope | 'any'])[] = [
  ...([...SCOPES, 'any'] as const).flatMap((scope) =>
    TABLE[scope].flatMap((route) =>
      ['/v1', '/v2'].map((prefix) => [route.replace(' ', ` ${prefix}`), scope] as const),
    ),
  ),
  [GEMINI, 'inference'],
];

const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });

async function keyWith(
  scopes: readonly Scope[] | undefined,
  visit: Visit = owner,
): Promise<Answer['body']> {
  const answer = await visit.send('POST /console/api/keys', { name: 'scoped', scopes });
  expect(answer.status).toBe(201);
  return answer.body;
}

/** Calls a route with an unknown id and an empty body, so that nothing is changed. */
async function ask(secret: string, route: string, body: object = {}): Promise<Answer> {
  const hasBody = /^P/.test(route);
  const path = route.replace('{call}', 'm:generateContent').replaceAll(/\{\w+\}/g, 'x');
  return await nobody().send(path, hasBody ? body : null, bearer(secret));
}

/** Calls a route. Returns the missing scope that a 403 names; `let in` for any other status. */
async function judged(secret: string, route: string): Promise<string> {
  const { status, body } = await ask(secret, route);
  if (status !== 403) return 'let in';
  // Google's error bodies have no field for the scope, so it is read from the message.
  return body.error.scope_needed ?? /lacks the scope (\w+)/.exec(body.error.message)?.[1];
}

test('the table has every route for keys with its declared scope', async () => {
  const { body } = await nobody().send('GET /openapi.json');
  const declared = Object.entries(Object(body.paths)).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).flatMap(([method, operation]) => {
      const { security = [], 'x-scope': scope } = Object(operation);
      const isForKeys = security.some((each: object) => 'apiKey' in each);
      return isForKeys ? [[`${method.toUpperCase()} ${path}`, scope]] : [];
    }),
  );
  expect(declared.toSorted()).toEqual(needed.map((each) => [...each]).toSorted());
});

for (const scope of SCOPES) {
  test(`a key with only the scope ${scope} is let in exactly where the table says so`, async () => {
    const { secret } = await keyWith([scope]);
    const aliases = ALIASES.map((route) => [route, 'inference'] as const);
    for (const [route, needs] of [...needed, ...aliases]) {
      const isOpen = needs === scope || needs === 'any';
      expect([route, await judged(secret, route)]).toEqual([route, isOpen ? 'let in' : needs]);
    }
  });
}

test('a key without named scopes does all that keys could do before scopes, and no more', async () => {
  const { secret, scopes } = await keyWith(undefined);
  expect(scopes).toEqual([...DEFAULT_SCOPES]);
  for (const [route, needs] of needed) {
    const isOpen = needs !== 'manage';
    expect([route, await judged(secret, route)]).toEqual([route, isOpen ? 'let in' : 'manage']);
  }
});

test('the refusal names the missing scope and the remedy in the dialect of the route', async () => {
  const { secret } = await keyWith(['usage']);
  const openai = await ask(secret, 'POST /v1/chat/completions');
  expect([openai.status, openai.body.error]).toMatchObject([
    403,
    {
      code: 'not_allowed',
      scope_needed: 'inference',
      message: expect.stringMatching(/lacks the scope inference\. It has usage\. Use another key/),
    },
  ]);
  const anthropic = await ask(secret, 'POST /v1/messages');
  expect([anthropic.status, anthropic.body]).toMatchObject([
    403,
    { type: 'error', error: { type: 'permission_error', scope_needed: 'inference' } },
  ]);
  expect((await ask(secret, GEMINI)).body.error.status).toBe('PERMISSION_DENIED');
});

test('a refusal for its scope is among the refused requests of the key', async () => {
  const { id, secret } = await keyWith(['usage'], stranger);
  await ask(secret, 'POST /v1/chat/completions');
  const { body } = await ask(secret, 'GET /v1/refusals');
  expect(body.data).toMatchObject([{ key_id: id, code: 'not_allowed', status: 403 }]);
});

test('a change of the scopes is in effect at once, audited, and kept by a rotation', async () => {
  const key = await keyWith(['inference', 'usage']);
  expect(await judged(key.secret, 'POST /v1/chat/completions')).toBe('let in');
  const route = `PATCH /console/api/keys/${key.id}`;
  const changed = await owner.send(route, { scopes: ['usage', 'usage'] });
  expect([changed.status, changed.body.scopes]).toEqual([200, ['usage']]);
  expect(await judged(key.secret, 'POST /v1/chat/completions')).toBe('inference');
  const stale = await owner.send(route, { scopes: ['inference'] }, { 'if-match': key.etag });
  expect(stale.status).toBe(412);
  const rotated = await owner.send(`POST /console/api/keys/${key.id}/rotate`, {});
  expect(rotated.body.scopes).toEqual(['usage']);
  expect(await judged(rotated.body.secret, 'POST /v1/chat/completions')).toBe('inference');
  const audit = await nobody().send('GET /admin/v1/audit', null, bearer(ADMIN_TOKEN));
  const entries = audit.body.data.filter((each: { subject: string }) => each.subject === key.id);
  expect(entries.map((each: { action: string }) => each.action)).toEqual([
    ...['key.rotate', 'key.limit', 'key.create'],
  ]);
  expect(entries[1].detail).toEqual({
    before: { scopes: 'inference usage' },
    after: { scopes: 'usage' },
  });
});

test('refuses a list of scopes that is empty or names an unknown one', async () => {
  for (const scopes of [[], ['admin'], 'usage', null]) {
    const { status, body } = await owner.send('POST /console/api/keys', { name: 'x', scopes });
    expect([scopes, status, body.error.code]).toEqual([scopes, 400, 'invalid_value']);
    expect(body.error.param).toMatch(/^scopes/);
  }
});

test('a managing key creates each key once, and changes all keys of its account only', async () => {
  const { id, secret } = await keyWith(['manage']);
  const headers = { ...bearer(secret), 'idempotency-key': 'one' };
  const create = () =>
    nobody().send('POST /v1/keys', { name: 'made', scopes: ['inference'] }, headers);
  const [made, again] = [await create(), await create()];
  expect([made.status, again.body.id]).toEqual([201, made.body.id]);
  expect(made.body).toMatchObject({ scopes: ['inference'], created_by: null });
  expect(await judged(made.body.secret, 'POST /v1/chat/completions')).toBe('let in');
  const revoked = await ask(secret, `DELETE /v1/keys/${made.body.id}`);
  expect([revoked.status, revoked.body.status]).toEqual([200, 'revoked']);
  const audit = await nobody().send('GET /admin/v1/audit', null, bearer(ADMIN_TOKEN));
  const [entry] = audit.body.data;
  expect([entry.action, entry.actor, entry.subject]).toEqual(['key.revoke', id, made.body.id]);
  const theirs = await stranger.send('POST /console/api/keys', { name: 'hers' });
  expect((await ask(secret, `DELETE /v1/keys/${theirs.body.id}`)).status).toBe(404);
});

test('only owners give a key the scope manage', async () => {
  const create = (visit: Visit) =>
    visit.send('POST /console/api/keys', { name: 'mine', scopes: ['usage', 'manage'] });
  const refused = await create(member);
  expect([refused.status, refused.body.error.code]).toEqual([403, 'not_allowed']);
  const own = (await member.send('POST /console/api/keys', { name: 'mine' })).body;
  const route = `PATCH /console/api/keys/${own.id}`;
  expect((await member.send(route, { scopes: ['manage'] })).status).toBe(403);
  expect((await member.send(route, { scopes: ['usage'] })).body.scopes).toEqual(['usage']);
  // An owner may add the scope. The member may still change the other fields of the key.
  expect((await owner.send(route, { scopes: ['manage'] })).status).toBe(200);
  expect((await member.send(route, { name: 'still mine' })).body.scopes).toEqual(['manage']);
  const turn = (visit: Visit, to: string) => visit.send(`POST /console/api/keys/${own.id}/${to}`);
  expect((await turn(owner, 'disable')).status).toBe(200);
  const denied = await turn(member, 'enable');
  expect([denied.status, denied.body.error?.code]).toEqual([403, 'not_allowed']);
  expect((await member.send(route, { scopes: ['usage'] })).body.status).toBe('disabled');
  expect((await turn(member, 'enable')).body.status).toBe('active');
});

test('the playground key has only the scope inference, and needs it', async () => {
  const play = () => member.send('POST /console/api/chat/completions', {});
  expect((await play()).status).toBe(400);
  const { body } = await owner.send('GET /console/api/keys');
  const { id, scopes } = body.data.find((key: { purpose: string }) => key.purpose === 'playground');
  expect(scopes).toEqual(['inference']);
  await owner.send(`PATCH /console/api/keys/${id}`, { scopes: ['usage'] });
  expect((await play()).body.error.scope_needed).toBe('inference');
});
