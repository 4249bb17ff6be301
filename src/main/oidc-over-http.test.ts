/** Tests sign-in through an identity provider over HTTP, as the console does it. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SMALL_FILE } from '../config/file.fixture.ts';
import { ADA, TestProvider } from '../people/oidc/test-provider.fixture.ts';
import { type Answer, joined, setUp, Visit } from './console.fixture.ts';
import { type Contract, contractOf } from './contract.fixture.ts';
import { ADMIN_TOKEN, depsOn, newFolder, removeFolders } from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

setDefaultTimeout(180_000);

let provider: TestProvider;
let gateway: Gateway;
let contract: Contract;
/** The browser that has signed in through the identity provider. */
let signedIn: Visit;
let revision = 1;

beforeAll(async () => {
  provider = await TestProvider.open();
  const folder = newFolder();
  const path = join(folder, 'modelgate.yaml');
  writeFileSync(path, `config: database\n${provider.yaml}${SMALL_FILE}`);
  const env = { MODELGATE_DATA_DIR: folder, MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  gateway = await openGateway(depsOn({ path, env }));
  contract = await contractOf(gateway);
  await setUp(gateway);
  signedIn = new Visit(gateway);
});
afterAll(async () => {
  await gateway.close();
  await provider.close();
  removeFolders();
});

async function send(visit: Visit, route: string, body: object | null = null): Promise<Answer> {
  const answer = await visit.send(route, body);
  expect(contract.disagreement(route, answer)).toBeNull();
  return answer;
}
async function enter(visit: Visit): Promise<Answer> {
  const { body } = await send(visit, 'POST /console/api/sign-in/oidc');
  const query = await provider.answerTo(body.url);
  return await send(visit, 'POST /console/api/sign-in/oidc/finish', { query });
}
const change = async (settings: object): Promise<void> => {
  const { status, body } = await new Visit(gateway).send(
    'PATCH /admin/v1/config',
    { document: { console: settings } },
    { authorization: `Bearer ${ADMIN_TOKEN}`, 'if-match': `"${revision}"` },
  );
  expect([status, body.needs_restart]).toEqual([200, []]);
  revision = body.revision;
};

test('a person signs in, and the profile shows the identity', async () => {
  await joined(gateway, 'member', 'ada@example.com');
  const visit = signedIn;
  const state = await send(visit, 'GET /console/api/session');
  expect(state.body).toMatchObject({ provider: 'Example SSO', password_sign_in: true });
  const start = await send(visit, 'POST /console/api/sign-in/oidc');
  expect(start.headers.getSetCookie()).toEqual([
    expect.stringMatching(
      /^modelgate\.provider=[\w.%]+; Max-Age=600; .*HttpOnly; SameSite=Strict$/,
    ),
  ]);
  const url = new URL(start.body.url);
  expect(url.searchParams.get('redirect_uri')).toBe('http://gateway/console/sign-in/callback');
  expect(url.searchParams.get('code_challenge_method')).toBe('S256');
  const { status, body, headers } = await enter(visit);
  expect([status, body.person.email, body.totp_needed]).toEqual([200, 'ada@example.com', false]);
  expect(headers.getSetCookie().join()).toMatch(
    /modelgate\.session_token=\w.*provider=; Max-Age=0/,
  );
  expect((await send(visit, 'GET /console/api/profile')).body).toMatchObject({
    has_password: false,
    identities: [{ name: 'Example SSO', issuer: provider.issuer }],
  });
});

test('a failure has a reason, and other sites cannot begin or finish a sign-in', async () => {
  provider.user = { ...ADA, sub: 'eve', email: 'eve@evil.example' };
  const { status, body } = await enter(new Visit(gateway));
  expect([status, body.error.code, body.error.reason]).toEqual([401, 'oidc_failed', 'domain']);
  provider.user = ADA;
  for (const route of ['POST /console/api/sign-in/oidc', 'POST /console/api/sign-in/oidc/finish']) {
    const foreign = { origin: 'https://evil.example' };
    expect((await new Visit(gateway).send(route, { query: '' }, foreign)).status).toBe(403);
  }
});

test('passwords can be turned off without a restart, but not one-time links', async () => {
  await change({ password_sign_in: false, sign_up: 'open' });
  const visit = new Visit(gateway);
  const { body: state } = await send(visit, 'GET /console/api/session');
  expect(state).toMatchObject({ password_sign_in: false, sign_up: 'closed' });
  const refused = await visit.signIn('ada@example.com');
  expect([refused.status, refused.body.error.code]).toEqual([403, 'not_allowed']);
  expect((await enter(visit)).status).toBe(200);
  await joined(gateway, 'member', 'invited@example.com');
});

test('without a provider nobody can begin, and links to people stay', async () => {
  await change({ password_sign_in: true, oidc: null });
  const visit = new Visit(gateway);
  expect((await send(visit, 'GET /console/api/session')).body.provider).toBeNull();
  const { body } = await send(visit, 'POST /console/api/sign-in/oidc');
  expect(body.error.reason).toBe('not_configured');
  expect((await send(signedIn, 'GET /console/api/profile')).body.identities).toMatchObject([
    { name: null, issuer: provider.issuer },
  ]);
});
