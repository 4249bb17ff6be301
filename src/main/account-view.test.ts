/**
 * Tests that an administrator who views an account sees what its owner sees, and cannot change
 * anything.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { joined, setUp, Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

/** The timeout is long because the tests hash real passwords. */
setDefaultTimeout(180_000);

const TOKEN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const END = 'DELETE /console/api/view';
/**
 * The lists of an account that its owner can read. Routes whose answers change over time are left
 * out.
 */
const SHOWN = ['keys', 'wallets', 'requests', 'top-ups', 'members', 'invitations', 'alerts'];

let gateway: Gateway;
let admin: Visit;
let eve: Visit;
let eveAccount: string;
let ownAccount: string;
/** Every route below `/console/api` and `/admin/v1` that accepts a console session. */
let routes: readonly string[];

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  admin = await setUp(gateway);
  eve = await joined(gateway, 'owner', 'eve@example.com', { account_name: 'Eve Ltd' });
  eveAccount = (await session(eve)).person.account.id;
  ownAccount = (await session(admin)).person.account.id;
  const made = await eve.send('POST /console/api/keys', { name: 'of Eve' });
  expect(made.status).toBe(201);
  const { body } = await admin.send('GET /openapi.json');
  routes = Object.entries(Object(body.paths)).flatMap(([path, methods]) =>
    Object.entries(Object(methods)).flatMap(([method, operation]) =>
      takesSession(Object(operation)) ? [`${method.toUpperCase()} ${path}`] : [],
    ),
  );
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

const takesSession = (operation: { security?: readonly object[]; 'x-least-role'?: string }) =>
  operation['x-least-role'] !== undefined ||
  operation.security?.some((each) => 'adminToken' in each) === true;

const session = async (visit: Visit) => (await visit.send('GET /console/api/session')).body;

async function startView(accountId = eveAccount): Promise<void> {
  const { status, body } = await admin.send('POST /console/api/view', { account_id: accountId });
  expect(status).toBe(200);
  expect(body.account.id).toBe(accountId);
}

/**
 * Calls a route, with `x` for each id in it. Returns the error code of a 401 or 403; for any other
 * answer, `let in`.
 */
async function judged(visit: Visit, route: string): Promise<string> {
  const [method = ''] = route.split(' ');
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : null;
  const answer = await visit.send(route.replaceAll(/\{\w+\}/g, 'x'), body);
  return answer.status === 401 || answer.status === 403 ? answer.body.error.code : 'let in';
}

async function audited(): Promise<readonly Record<string, unknown>[]> {
  const { body } = await admin.send('GET /admin/v1/audit?limit=100', null, TOKEN);
  return body.data.filter(({ action }: { action: string }) => action.startsWith('account.view'));
}

describe('while an administrator views an account', () => {
  beforeAll(() => startView());
  afterAll(async () => {
    await admin.send(END);
  });

  test('the session says so, and until when', async () => {
    const { person, view } = await session(admin);
    expect(person).toMatchObject({ role: 'owner', account: { id: eveAccount, name: 'Eve Ltd' } });
    const leftMs = Date.parse(view.ends_at) - Date.now();
    expect(leftMs).toBeGreaterThan(1_700_000);
    expect(leftMs).toBeLessThanOrEqual(1_800_000);
    expect((await session(eve)).view).toBeNull();
  });

  test('they see what its owner sees, and no secret', async () => {
    for (const name of SHOWN) {
      const [theirs, owners] = await Promise.all(
        [admin, eve].map((visit) => visit.send(`GET /console/api/${name}`)),
      );
      expect([name, theirs?.status, theirs?.body]).toEqual([name, 200, owners?.body]);
    }
    const { body } = await admin.send('GET /console/api/keys');
    expect(body.data).toMatchObject([{ name: 'of Eve' }]);
    expect(JSON.stringify(body)).not.toMatch(/sk-mg-\w{20}/);
  });

  test('every route that changes something refuses them, and so does every route of administrators', async () => {
    const isOpen = (route: string) => route.startsWith('GET /console/api/');
    for (const route of routes.filter((each) => each !== END)) {
      const expected = isOpen(route) ? 'let in' : 'view_is_read_only';
      expect([route, await judged(admin, route)]).toEqual([route, expected]);
    }
    expect(routes.filter((route) => !isOpen(route)).length).toBeGreaterThan(60);
  });

  test('a complete request changes nothing either', async () => {
    for (const [route, body] of [
      ['POST /console/api/keys', { name: 'of nobody' }],
      ['POST /console/api/invitations', { role: 'owner' }],
      ['PATCH /console/api/profile', { name: 'Somebody else' }],
      [`POST /console/api/view`, { account_id: ownAccount }],
      [`PATCH /admin/v1/accounts/${eveAccount}`, { name: 'Adam Ltd' }],
    ] as const) {
      const answer = await admin.send(route, body);
      expect([route, answer.status, answer.body.error.code]).toEqual([
        route,
        403,
        'view_is_read_only',
      ]);
      expect(answer.body.error.message).toContain('End the view');
    }
    const { body } = await eve.send('GET /console/api/keys');
    expect(body.data).toHaveLength(1);
  });

  test('the playground makes no key for the account', async () => {
    const chat = { model: 'gen-v4-flash', messages: [{ role: 'user', content: 'Hello.' }] };
    const answer = await admin.send('POST /console/api/chat/completions', chat);
    expect(answer.body.error.code).toBe('view_is_read_only');
    const all = await admin.send(`GET /admin/v1/keys?account_id=${eveAccount}`, null, TOKEN);
    expect(all.body.data).toHaveLength(1);
  });
});

test('a view begins and ends in the audit log, with the name of the administrator', async () => {
  const before = (await audited()).length;
  await startView();
  const { id } = (await session(admin)).person;
  expect((await admin.send(END)).body).toEqual({ ended: true });
  expect((await admin.send(END)).body).toEqual({ ended: false });
  expect((await session(admin)).person).toMatchObject({
    role: 'administrator',
    account: { id: ownAccount },
  });
  const [end, start] = await audited();
  expect((await audited()).length).toBe(before + 2);
  expect(end).toMatchObject({ action: 'account.view_end', actor: id, subject: eveAccount });
  expect(start).toMatchObject({ action: 'account.view', actor: id, subject: eveAccount });
});

test('signing out ends the view as well', async () => {
  await startView();
  const before = (await audited()).length;
  await admin.send('POST /console/api/sign-out');
  expect((await audited()).length).toBe(before + 1);
  await admin.signIn('administrator@example.com');
  expect((await session(admin)).view).toBeNull();
});

test('an unknown account has no view', async () => {
  const { status, body } = await admin.send('POST /console/api/view', { account_id: 'acc_x' });
  expect([status, body.error.code]).toEqual([404, 'not_found']);
  expect((await session(admin)).view).toBeNull();
});

test('a page that shows another account than the session neither reads nor changes it', async () => {
  const shows = (account: string) => ({ 'x-account': account });
  const key = { name: 'of a stale page' };
  for (const route of ['GET /console/api/keys', 'POST /console/api/keys']) {
    const body = route.startsWith('POST') ? key : null;
    const { status, body: answer } = await admin.send(route, body, shows(eveAccount));
    expect([status, answer.error.code]).toEqual([409, 'other_account']);
  }
  await startView();
  const answer = await admin.send('GET /console/api/keys', null, shows(ownAccount));
  expect(answer.body.error.code).toBe('other_account');
  const shown = await admin.send('GET /console/api/keys', null, shows(eveAccount));
  expect(shown.status).toBe(200);
  expect((await admin.send(END, null, shows(ownAccount))).body).toEqual({ ended: true });
  const made = await admin.send('POST /console/api/keys', key, shows(ownAccount));
  expect(made.status).toBe(201);
});

test('a page whose session has ended is asked to sign in, not to send a token', async () => {
  const codeOf = async (headers: Readonly<Record<string, string>>) =>
    (await new Visit(gateway).send('GET /admin/v1/accounts', null, headers)).body.error.code;
  expect(await codeOf({ 'x-account': ownAccount })).toBe('not_signed_in');
  expect(await codeOf({})).toBe('invalid_api_key');
});
