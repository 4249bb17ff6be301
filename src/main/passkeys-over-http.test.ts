/**
 * Tests passkeys over HTTP. Passwords are off, and administrators need two-factor authentication.
 */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { TestAuthenticator } from '../people/passkeys/authenticator.fixture.ts';
import { PASSWORD } from '../people/people.fixture.ts';
import { type Answer, joined, setUp, Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import {
  ADMIN_TOKEN,
  configFor,
  newFolder,
  openGatewayOn,
  removeFolders,
} from './gateway.fixture.ts';
import type { Gateway } from './gateway.ts';

setDefaultTimeout(180_000);

let gateway: Gateway;
let contract: Contract;
let administrator: Visit;

beforeAll(async () => {
  const config = configFor(newFolder(), { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN });
  const settings = { ...config.console, require_totp: true, password_sign_in: false };
  gateway = await openGatewayOn({ ...config, console: settings });
  contract = await contractOf(gateway);
  administrator = await setUp(gateway);
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

const OWN = '/console/api/profile/passkeys';
const ENTER = 'POST /console/api/sign-in/passkey';

async function send(visit: Visit, route: string, body: object | null = null): Promise<Answer> {
  const answer = await visit.send(route, body);
  expect(contract.disagreement(route.replace(/psk_\w+/, '{id}'), answer)).toBeNull();
  return answer;
}
async function add(visit: Visit, authenticator: TestAuthenticator): Promise<Answer> {
  const { body } = await send(visit, `POST ${OWN}`, { password: PASSWORD });
  // Sends additional fields, as browsers do. The gateway must ignore them.
  const credential = { ...authenticator.create(body.options), authenticatorAttachment: 'platform' };
  return await send(visit, `POST ${OWN}/confirm`, { name: 'phone', credential });
}
async function enter(visit: Visit, authenticator: TestAuthenticator): Promise<Answer> {
  const { body } = await send(visit, ENTER);
  return await send(visit, `${ENTER}/finish`, { credential: authenticator.get(body.options) });
}

test('an administrator without an authenticator signs in with a passkey instead', async () => {
  const authenticator = new TestAuthenticator();
  expect((await administrator.send('GET /admin/v1/accounts')).status).toBe(403);
  const added = await add(administrator, authenticator);
  expect(added.body.data).toMatchObject([{ name: 'phone', last_used_at: null }]);
  expect((await administrator.send('GET /admin/v1/accounts')).status).toBe(403);

  const visit = new Visit(gateway);
  const { status, body, headers } = await enter(visit, authenticator);
  expect([status, body.person.totp_required, body.totp_needed]).toEqual([200, false, false]);
  expect(headers.getSetCookie().join()).toMatch(/session_token=\w.*passkey=; Max-Age=0/);
  expect((await visit.send('GET /admin/v1/accounts')).status).toBe(200);
  const state = await send(visit, 'GET /console/api/session');
  expect(state.body.person.totp_required).toBe(false);

  const { body: own } = await send(visit, `GET ${OWN}`);
  expect(own.data[0].last_used_at).toMatch(/^\d{4}-/);
  const renamed = await send(visit, `PATCH ${OWN}/${own.data[0].id}`, { name: 'old phone' });
  expect(renamed.body.data).toMatchObject([{ name: 'old phone' }]);
  const left = await send(visit, `DELETE ${OWN}/${own.data[0].id}`, { password: PASSWORD });
  expect(left.body.data).toEqual([]);
  const refused = await enter(new Visit(gateway), authenticator);
  expect([refused.status, refused.body.error.code, refused.body.error.reason]).toEqual([
    400,
    'passkey_failed',
    'unknown',
  ]);
});

test('other sites cannot begin or finish a sign-in, and odd answers name their field', async () => {
  for (const route of [ENTER, `${ENTER}/finish`]) {
    const foreign = { origin: 'https://evil.example' };
    expect((await new Visit(gateway).send(route, {}, foreign)).status).toBe(403);
  }
  const member = await joined(gateway, 'member');
  const credential = { id: 'a', response: { clientDataJSON: '?', attestationObject: 'a' } };
  const odd = await send(member, `POST ${OWN}/confirm`, { name: 'a', credential });
  expect([odd.status, odd.body.error.param]).toEqual([400, 'credential.response.clientDataJSON']);
  const { body, headers } = await send(member, `POST ${OWN}`, { password: PASSWORD });
  expect(headers.getSetCookie()).toEqual([
    expect.stringMatching(/^modelgate\.passkey=[\w.%]+; Max-Age=300; .*HttpOnly; SameSite=Strict$/),
  ]);
  expect(body.options).toMatchObject({
    rp: { id: 'gateway' },
    attestation: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
});
