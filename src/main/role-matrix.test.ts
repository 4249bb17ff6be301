/**
 * Tests the authorization of the console's and the administrator's API. Calls every registered
 * route with every role. A new route must be added to `TABLE`.
 */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { ROLES, type Role } from '../people/person.ts';
import { joined, setUp, Visit } from './console.fixture.ts';
import { ADMIN_TOKEN, newFolder, openTestGateway, removeFolders } from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

/** The routes that each role may call, in addition to the routes of the lower roles. */
const TABLE: Readonly<Record<Role, readonly string[]>> = {
  read_only: [
    'DELETE /console/api/profile/accounts/{id}',
    'DELETE /console/api/profile/passkeys/{id}',
    'DELETE /console/api/profile/sessions',
    'DELETE /console/api/profile/sessions/{id}',
    'DELETE /console/api/profile/totp',
    'DELETE /console/api/view',
    'GET /console/api/alerts',
    'GET /console/api/alerts/log',
    'GET /console/api/keys',
    'GET /console/api/keys/{id}',
    'GET /console/api/ledger',
    'GET /console/api/models',
    'GET /console/api/overview',
    'GET /console/api/profile',
    'GET /console/api/profile/mail',
    'GET /console/api/profile/passkeys',
    'GET /console/api/prompt-log',
    'GET /console/api/profile/sessions',
    'GET /console/api/refusals',
    'GET /console/api/refusals/counts',
    'GET /console/api/refusals/{id}',
    'GET /console/api/requests',
    'GET /console/api/requests/histogram',
    'GET /console/api/requests/{id}',
    'GET /console/api/statements',
    'GET /console/api/status',
    'GET /console/api/status/history',
    'GET /console/api/top-ups',
    'GET /console/api/top-ups/{id}',
    'GET /console/api/usage',
    'GET /console/api/wallets',
    'PATCH /console/api/profile',
    'PATCH /console/api/profile/passkeys/{id}',
    'POST /console/api/invitations/accept',
    'POST /console/api/profile/passkeys',
    'POST /console/api/profile/passkeys/confirm',
    'POST /console/api/profile/password',
    'POST /console/api/profile/totp',
    'POST /console/api/profile/totp/confirm',
    'POST /console/api/profile/totp/recovery-codes',
    'POST /console/api/session/account',
    'PUT /console/api/profile/mail',
  ],
  member: [
    'DELETE /console/api/keys/{id}',
    'PATCH /console/api/keys/{id}',
    'POST /console/api/chat/completions',
    'POST /console/api/images/generations',
    'POST /console/api/keys',
    'POST /console/api/keys/{id}/disable',
    'POST /console/api/keys/{id}/enable',
    'POST /console/api/keys/{id}/rotate',
  ],
  owner: [
    'DELETE /console/api/alerts/webhook',
    'DELETE /console/api/invitations/{id}',
    'DELETE /console/api/members/{id}',
    'DELETE /console/api/prompt-log/records',
    'DELETE /console/api/requests/{id}/prompt',
    'GET /console/api/alerts/webhook',
    'GET /console/api/alerts/webhook/deliveries',
    'GET /console/api/invitations',
    'GET /console/api/members',
    'GET /console/api/requests/{id}/prompt',
    'GET /console/api/members/{id}',
    'GET /console/api/members/{id}/limits',
    'PATCH /console/api/members/{id}',
    'POST /console/api/alerts/test',
    'POST /console/api/alerts/webhook/secret',
    'POST /console/api/alerts/webhook/test',
    'POST /console/api/invitations',
    'POST /console/api/members/{id}/reset-link',
    'POST /console/api/redeem',
    'POST /console/api/top-ups',
    'PUT /console/api/alerts',
    'PUT /console/api/alerts/webhook',
    'PUT /console/api/members/{id}/limits',
    'PUT /console/api/prompt-log',
  ],
  administrator: ['POST /console/api/view'],
};

/** The timeout is long because the tests start complete gateways and hash real passwords. */
setDefaultTimeout(180_000);

let gateway: Gateway;
let visits: Readonly<Record<Role, Visit>>;
/**
 * The lowest role that may call each route; `admin` if only the administrator's token may call it.
 */
let registered: ReadonlyMap<string, string>;

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  const administrator = await setUp(gateway);
  const [owner, member, read_only] = await Promise.all([
    joined(gateway, 'owner'),
    joined(gateway, 'member'),
    joined(gateway, 'read_only'),
  ]);
  visits = { administrator, owner, member, read_only };
  const { body } = await new Visit(gateway).send('GET /openapi.json');
  registered = new Map(
    Object.entries(Object(body.paths)).flatMap(([path, methods]) =>
      Object.entries(Object(methods)).flatMap(([method, operation]) => {
        const needed = neededOf(Object(operation));
        return needed === null ? [] : [[`${method.toUpperCase()} ${path}`, needed] as const];
      }),
    ),
  );
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

function neededOf(operation: { security?: readonly object[]; 'x-least-role'?: string }) {
  if (operation['x-least-role'] !== undefined) return operation['x-least-role'];
  return operation.security?.some((each) => 'adminToken' in each) === true ? 'admin' : null;
}

const sessionRoutes = (): [string, Role][] =>
  ROLES.flatMap((role) => TABLE[role].map((route): [string, Role] => [route, role]));
const adminRoutes = (): string[] =>
  [...registered].flatMap(([route, needed]) => (needed === 'admin' ? [route] : []));

/** Calls a route with an unknown id and an empty body, so that nothing is changed. */
async function ask(visit: Visit, route: string, headers: Readonly<Record<string, string>> = {}) {
  const [method = ''] = route.split(' ');
  const body = ['POST', 'PUT', 'PATCH'].includes(method) ? {} : null;
  return await visit.send(route.replaceAll(/\{\w+\}/g, 'x'), body, headers);
}

/** Calls a route. Returns status and error code of a 401 or 403; `let in` for any other answer. */
async function judged(visit: Visit, route: string, headers: Readonly<Record<string, string>> = {}) {
  const { status, body } = await ask(visit, route, headers);
  return status === 401 || status === 403 ? `${status} ${body.error.code}` : 'let in';
}

test('the table has every session route with its declared role', () => {
  const said = [...registered].filter(([, needed]) => needed !== 'admin').toSorted();
  expect(said).toEqual([...sessionRoutes()].toSorted());
  expect(adminRoutes().length).toBeGreaterThan(40);
  for (const route of registered.keys()) {
    expect(route).toMatch(/ \/(console\/api|admin\/v1)\/|^GET \/metrics$/);
  }
});

describe('a route that takes a session', () => {
  test('refuses anonymous callers, tokens and keys', async () => {
    const key = gateway.firstStart?.key.reveal() ?? '';
    const nobody = new Visit(gateway);
    for (const [route] of sessionRoutes()) {
      for (const secret of [null, key, ADMIN_TOKEN]) {
        const headers: Record<string, string> =
          secret === null ? {} : { authorization: `Bearer ${secret}` };
        expect([route, await judged(nobody, route, headers)]).toEqual([route, '401 not_signed_in']);
      }
    }
  });

  for (const role of ROLES) {
    test(`admits ${role} exactly where the table says so`, async () => {
      for (const [route, least] of sessionRoutes()) {
        const may = ROLES.indexOf(role) >= ROLES.indexOf(least);
        const verdict = await judged(visits[role], route);
        expect([route, verdict]).toEqual([route, may ? 'let in' : '403 not_allowed']);
      }
    });
  }
});

describe('a route of the administrator', () => {
  test('refuses anonymous callers and keys', async () => {
    const key = gateway.firstStart?.key.reveal() ?? '';
    for (const route of adminRoutes()) {
      const nobody = new Visit(gateway);
      const secret = { authorization: `Bearer ${key}` };
      expect([route, await judged(nobody, route)]).toEqual([route, '401 invalid_api_key']);
      expect([route, await judged(nobody, route, secret)]).toEqual([route, '401 invalid_api_key']);
    }
  });

  for (const role of ROLES) {
    test(`admits ${role} ${role === 'administrator' ? 'everywhere' : 'nowhere'}`, async () => {
      const expected = role === 'administrator' ? 'let in' : '403 not_allowed';
      for (const route of adminRoutes()) {
        expect([route, await judged(visits[role], route)]).toEqual([route, expected]);
      }
    });
  }

  test('checks only the token if both are sent', async () => {
    const wrong = { authorization: 'Bearer wrong' };
    for (const route of adminRoutes()) {
      const verdict = await judged(visits.administrator, route, wrong);
      expect([route, verdict]).toEqual([route, '401 invalid_api_key']);
    }
  });

  test('reads the session beside the password of a proxy, which browsers send too', async () => {
    const proxy = { authorization: 'Basic b3BlcmF0b3I6cHJveHk=' };
    for (const route of adminRoutes()) {
      const verdicts = [];
      for (const visit of [visits.administrator, visits.owner, new Visit(gateway)])
        verdicts.push(await judged(visit, route, proxy));
      const refused = ['403 not_allowed', '401 invalid_api_key'];
      expect([route, ...verdicts]).toEqual([route, 'let in', ...refused]);
    }
  });
});

test('refuses unsafe requests from pages of other sites, whatever the session', async () => {
  const routes = [...sessionRoutes().map(([route]) => route), ...adminRoutes()];
  for (const route of routes) {
    const isRead = route.startsWith('GET ');
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'http://gateway', 'sec-fetch-site': 'cross-site' },
    ]) {
      const verdict = await judged(visits.administrator, route, headers);
      expect([route, verdict]).toEqual([route, isRead ? 'let in' : '403 cross_origin']);
    }
    const own = { origin: 'http://gateway', 'sec-fetch-site': 'same-origin' };
    expect([route, await judged(visits.administrator, route, own)]).toEqual([route, 'let in']);
  }
});

test('no page of another site can read an answer to a session', async () => {
  for (const [route] of sessionRoutes()) {
    const { headers } = await ask(visits.administrator, route, { origin: 'https://evil.example' });
    expect([route, headers.get('access-control-allow-origin')]).toEqual([route, null]);
  }
});
