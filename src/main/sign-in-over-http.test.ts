/** Tests signing in to the console of a complete gateway, with the requests of a browser. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { Browser, PASSWORD, tokenOf, totpOf } from '../people/people.fixture.ts';
import { emailOf, joined, setUp, Visit } from './console.fixture.ts';
import {
  ADMIN_TOKEN,
  configFor,
  depsOn,
  newFolder,
  openGatewayOn,
  openTestGateway,
  removeFolders,
} from './gateway.fixture.ts';
import { type Gateway, openGateway } from './gateway.ts';

const ADMIN = { authorization: `Bearer ${ADMIN_TOKEN}` };
const WEEK_SECONDS = 7 * 86_400;

/** The timeout is long because the tests start complete gateways and hash real passwords. */
setDefaultTimeout(180_000);

let gateway: Gateway;
let admin: Visit;

beforeAll(async () => {
  gateway = await openTestGateway(newFolder());
  admin = await setUp(gateway);
});
afterAll(async () => {
  await gateway.close();
  removeFolders();
});

const stateOf = async (visit: Visit) => (await visit.send('GET /console/api/session')).body;

describe('the first start', () => {
  test('prints a one-time link, which a restart replaces', async () => {
    const folder = newFolder();
    const first = await openTestGateway(folder);
    const old = tokenOf(first.setupLink?.url ?? '');
    await first.close();
    const second = await openTestGateway(folder);
    const visit = new Visit(second);
    expect(await stateOf(visit)).toMatchObject({ person: null, setup_needed: true });
    const ask = (token: string) => visit.send('POST /console/api/link', { token });
    expect((await ask(old)).body.error.code).toBe('link_not_valid');
    expect((await ask(tokenOf(second.setupLink?.url ?? ''))).body).toMatchObject({
      kind: 'setup',
      role: 'administrator',
    });
    const setup = { token: old, email: 'a@example.com', name: 'A', password: PASSWORD };
    const refused = await visit.send('POST /console/api/setup', setup);
    expect([refused.status, refused.body.error.code]).toEqual([404, 'link_not_valid']);
    expect(refused.body.error.message).toContain('modelgate people setup-link');
    const { body } = await visit.send('POST /admin/v1/setup-link', null, ADMIN);
    expect((await ask(tokenOf(second.setupLink?.url ?? ''))).status).toBe(404);
    const done = { ...setup, token: tokenOf(body.url) };
    expect((await visit.send('POST /console/api/setup', done)).status).toBe(201);
    expect(await stateOf(visit)).toMatchObject({
      person: { email: 'a@example.com', role: 'administrator', account: { name: 'default' } },
      setup_needed: false,
    });
    await second.close();
    const third = await openTestGateway(folder);
    expect(third.setupLink).toBeNull();
    // The session survives a restart, because the key that signs cookies is stored.
    const again = new Visit(third, visit.browser);
    expect((await stateOf(again)).person.email).toBe('a@example.com');
    await third.close();
  });

  test('refuses setup from a page of another site', async () => {
    const fresh = await openTestGateway(newFolder());
    const visit = new Visit(fresh);
    const setup = {
      token: tokenOf(fresh.setupLink?.url ?? ''),
      email: 'e@example.com',
      name: 'E',
      password: PASSWORD,
    };
    const foreign = { origin: 'https://evil.example' };
    expect((await visit.send('POST /console/api/setup', setup, foreign)).status).toBe(403);
    expect((await stateOf(visit)).setup_needed).toBe(true);
    await fresh.close();
  });
});

describe('a session cookie', () => {
  test('is SameSite and HttpOnly, for a week', async () => {
    const { headers, status, body } = await new Visit(gateway).signIn(emailOf('administrator'));
    expect([status, body.totp_needed, body.person.email]).toEqual([
      200,
      false,
      emailOf('administrator'),
    ]);
    const [cookie = '', device = '', ...more] = headers.getSetCookie();
    expect(more).toEqual([]);
    expect(device).toMatch(/^modelgate\.device=[\w.%]+; .*HttpOnly; SameSite=Strict$/);
    expect(cookie).toMatch(/^modelgate\.session_token=[\w.%]+; /);
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/', `Max-Age=${WEEK_SECONDS}`]) {
      expect(cookie).toContain(part);
    }
    expect(cookie).not.toMatch(/Domain=|Secure/);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('is Secure if the public URL is https', async () => {
    const tls = await openGatewayOn(
      configFor(newFolder(), { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN }),
      'https://gateway',
    );
    const visit = new Visit(tls);
    const { headers } = await visit.send('POST /console/api/setup', {
      ...{ token: tokenOf(tls.setupLink?.url ?? ''), email: 'a@example.com', name: 'A' },
      password: PASSWORD,
    });
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(/^__Secure-modelgate\.session_token=.*; Secure/);
    expect((await stateOf(visit)).person.email).toBe('a@example.com');
    expect((await visit.send('GET /admin/v1/people')).status).toBe(200);
    await tls.close();
  });

  test('that is forged, altered or signed elsewhere is invalid', async () => {
    const { browser } = await joined(gateway, 'member', 'altered@example.com');
    const [first = ''] = browser.cookie.split('; ');
    const [name = '', value = ''] = first.split('=');
    const at = value.indexOf('.');
    for (const forged of [
      '',
      'x',
      value.slice(0, at),
      `${value.slice(0, at)}.`,
      `${value.slice(0, at - 1)}${value[at - 1] === 'x' ? 'y' : 'x'}${value.slice(at)}`,
      `${value.slice(0, at)}.${'A'.repeat(43)}%3D`,
      '%E0%A4%A',
      'a'.repeat(5_000),
    ]) {
      const { body } = await new Visit(gateway).send('GET /console/api/session', null, {
        cookie: `${name}=${forged}`,
      });
      expect([forged.slice(0, 50), body.person]).toEqual([forged.slice(0, 50), null]);
    }
  });
});

describe('signing in', () => {
  test('gives the same refusal for a wrong password and an unknown address', async () => {
    const refusalOf = async (email: string, password: string) => {
      const { status, body, headers } = await new Visit(gateway, new Browser('192.0.2.77')).signIn(
        email,
        password,
      );
      return { status, error: body.error, cookies: headers.getSetCookie() };
    };
    const wrong = await refusalOf(emailOf('administrator'), 'not the password');
    expect(wrong.status).toBe(401);
    expect(await refusalOf('nobody@example.com', 'not the password')).toEqual(wrong);
    expect(await refusalOf('no address', 'not the password')).toEqual(wrong);
    expect(await refusalOf(' ADMINISTRATOR@Example.com ', PASSWORD)).toMatchObject({ status: 200 });
  });

  test('refuses unknown fields and redirects nowhere', async () => {
    const visit = new Visit(gateway);
    const right = { email: emailOf('administrator'), password: PASSWORD };
    for (const extra of [{ callbackURL: 'https://evil.example' }, { redirect: '//evil.example' }]) {
      const { status, body } = await visit.send('POST /console/api/sign-in', {
        ...right,
        ...extra,
      });
      expect([status, body.error.code]).toEqual([400, 'unsupported_parameter']);
    }
    const { headers } = await visit.send(
      'POST /console/api/sign-in?callbackURL=https://evil.example',
      right,
    );
    expect(headers.get('location')).toBeNull();
    for (const body of [
      {},
      { email: 'a@example.com' },
      { email: 1, password: PASSWORD },
      { email: 'a@example.com', password: 'x'.repeat(1_001) },
      { email: 'a@example.com', password: null },
    ]) {
      const { status } = await visit.send('POST /console/api/sign-in', body);
      expect([JSON.stringify(body).slice(0, 60), status]).toEqual([
        JSON.stringify(body).slice(0, 60),
        400,
      ]);
    }
  });

  test('and out is refused from pages of other sites', async () => {
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    const mallory = { email: emailOf('administrator'), password: PASSWORD };
    const { status, headers } = await new Visit(gateway).send(
      'POST /console/api/sign-in',
      mallory,
      foreign,
    );
    expect([status, headers.getSetCookie()]).toEqual([403, []]);
    expect((await admin.send('POST /console/api/sign-out', null, foreign)).status).toBe(403);
    expect((await stateOf(admin)).person.email).toBe(emailOf('administrator'));
  });

  test('is paused after wrong guesses, with retry-after', async () => {
    const email = 'guessed@example.com';
    await joined(gateway, 'member', email);
    const from = new Visit(gateway, new Browser('192.0.2.99'));
    for (let tries = 0; tries < 5; tries++)
      expect((await from.signIn(email, 'wrong')).status).toBe(401);
    const { status, headers, body } = await from.signIn(email);
    expect(status).toBe(429);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
    expect(body.error.retry_after_seconds).toBeGreaterThan(0);
    const audit = await admin.send('GET /admin/v1/audit?action=sign_in.pause');
    expect(audit.body.data[0]).toMatchObject({ action: 'sign_in.pause', actor: 'system' });
  });
});

describe('sign-up', () => {
  const newcomer = { email: 'new@example.com', name: 'New', password: PASSWORD };

  test('is closed unless the settings open it', async () => {
    const { status, body } = await new Visit(gateway).send('POST /console/api/sign-up', newcomer);
    expect([status, body.error.code]).toEqual([403, 'not_allowed']);
  });

  test('creates an account and its owner where it is open, at a limited rate', async () => {
    const config = configFor(newFolder(), { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN });
    const settings = { ...config.console, sign_up: 'open' } as const;
    const open = await openGatewayOn({ ...config, console: settings });
    const up = async (email: string, from = '192.0.2.50') => {
      const visit = new Visit(open, new Browser(from));
      return await visit.send('POST /console/api/sign-up', { ...newcomer, email });
    };
    const { status, body } = await up('New@example.com');
    expect([status, body.person.role, body.person.account.name]).toEqual([201, 'owner', 'New']);
    expect((await up('new@example.com', '192.0.2.51')).body.error.code).toBe('email_taken');
    const hidden = { ...newcomer, name: 'a\u202eb' };
    const refused = await new Visit(open).send('POST /console/api/sign-up', hidden);
    expect([refused.status, refused.body.error.param]).toEqual([400, 'name']);
    const codes: number[] = [];
    // Sign-up attempts could reveal which accounts exist, so they are limited as strictly as
    // attempts to guess a password.
    for (let each = 0; each < 5; each++) codes.push((await up('new@example.com')).status);
    expect(codes).toEqual([409, 409, 409, 429, 429]);
    for (let each = 0; each < 16; each++) await up(`no address ${each}`);
    expect((await up('another@example.com')).status).toBe(429);
    expect((await up('elsewhere@example.com', '192.0.2.52')).status).toBe(201);
    await open.close();
  });

  test('by an invitation for any address is limited where the address is taken', async () => {
    const invited = async () => {
      const { body } = await admin.send('POST /console/api/invitations', { role: 'member' });
      return tokenOf(body.url);
    };
    const up = async (token: string) => {
      const visit = new Visit(gateway, new Browser('192.0.2.60'));
      const join = { ...newcomer, token, email: 'guest@example.com' };
      return (await visit.send('POST /console/api/sign-up', join)).status;
    };
    expect(await up(await invited())).toBe(201);
    const token = await invited();
    const codes: number[] = [];
    for (let each = 0; each < 7; each++) codes.push(await up(token));
    // The accepted invitation does not count, so all five free guesses are left.
    expect(codes).toEqual([409, 409, 409, 409, 409, 429, 429]);
  });

  test('by invitation works once, even if the invitation was requested twice', async () => {
    const wanted = { role: 'member', email: 'invited@example.com' };
    const key = { 'idempotency-key': 'invite-once' };
    const first = await admin.send('POST /console/api/invitations', wanted, key);
    const again = await admin.send('POST /console/api/invitations', wanted, key);
    expect([first.status, again.body]).toEqual([201, first.body]);
    const { body: list } = await admin.send('GET /console/api/invitations');
    const mine = list.data.filter(({ email }: { email: string }) => email === wanted.email);
    expect(mine).toMatchObject([{ id: first.body.id, state: 'open', account_name: 'default' }]);
    expect(JSON.stringify(list)).not.toContain('token');
    const visit = new Visit(gateway);
    const token = tokenOf(first.body.url);
    const { body: link } = await visit.send('POST /console/api/link', { token });
    expect(link).toMatchObject({
      kind: 'invitation',
      email: wanted.email,
      account_name: 'default',
    });
    const join = { token, email: 'Invited@example.com', name: 'In', password: PASSWORD };
    expect((await visit.send('POST /console/api/sign-up', join)).status).toBe(201);
    expect((await stateOf(visit)).person.role).toBe('member');
    const late = await new Visit(gateway).send('POST /console/api/sign-up', join);
    expect([late.status, late.body.error.code]).toEqual([404, 'link_not_valid']);
  });
});

describe('what an owner can reach of another account', () => {
  test('is nothing: people, invitations and sessions get a 404', async () => {
    const alice = await joined(gateway, 'owner', 'alice@example.com', { account_name: 'Alice' });
    const bob = await joined(gateway, 'owner', 'bob@example.com', { account_name: 'Bob' });
    const { body: theirs } = await bob.send('GET /console/api/members');
    expect(theirs.data.map(({ email }: { email: string }) => email)).toEqual(['bob@example.com']);
    const [{ id: bobId }] = theirs.data;
    const { body: invitation } = await bob.send('POST /console/api/invitations', {
      role: 'member',
    });
    const { body: sessions } = await bob.send('GET /console/api/profile/sessions');
    const odd = await alice.send('DELETE /console/api/members/usr_never');
    for (const [route, body] of [
      [`GET /console/api/members/${bobId}`, null],
      [`PATCH /console/api/members/${bobId}`, { role: 'member' }],
      [`DELETE /console/api/members/${bobId}`, null],
      [`POST /console/api/members/${bobId}/reset-link`, null],
      [`DELETE /console/api/invitations/${invitation.id}`, null],
      [`DELETE /console/api/profile/sessions/${sessions.data[0].id}`, null],
    ] as const) {
      const answer = await alice.send(route, body);
      expect([route, answer.status, answer.body.error.code]).toEqual([route, 404, 'not_found']);
      if (route.includes('/members/')) expect(answer.body).toEqual(odd.body);
    }
    expect((await alice.send('GET /console/api/invitations')).body.data).toEqual([]);
    expect((await stateOf(bob)).person.role).toBe('owner');
  });
});

describe('two-factor authentication', () => {
  test('is set up, required, and replaceable by a recovery code', async () => {
    const email = 'careful@example.com';
    const visit = await joined(gateway, 'member', email);
    const begun = await visit.send('POST /console/api/profile/totp', { password: PASSWORD });
    const { otpauth_uri: uri, secret, recovery_codes: codes } = begun.body;
    expect(uri).toContain(`secret=${secret}`);
    expect(codes).toHaveLength(10);
    const confirm = (code: string) =>
      visit.send('POST /console/api/profile/totp/confirm', { code });
    expect((await confirm('123')).body.error).toMatchObject({ code: 'wrong_code', param: 'code' });
    expect((await confirm(totpOf(uri))).body).toMatchObject({
      totp_enabled: true,
      recovery_codes_left: 10,
    });
    const other = new Visit(gateway);
    const first = await other.signIn(email);
    expect([first.status, first.body]).toEqual([200, { person: null, totp_needed: true }]);
    expect((await other.send('GET /console/api/profile')).status).toBe(401);
    const step = (code: string) => other.send('POST /console/api/sign-in/totp', { code });
    expect((await step('no code')).body.error.code).toBe('wrong_code');
    const done = await step(codes[0]);
    expect([done.status, done.body.person.email]).toEqual([200, email]);
    expect((await other.send('GET /console/api/profile')).body.recovery_codes_left).toBe(9);
    const off = await other.send('DELETE /console/api/profile/totp', { password: PASSWORD });
    expect(off.body).toMatchObject({ totp_enabled: false, recovery_codes_left: 0 });
    expect((await new Visit(gateway).signIn(email)).body.totp_needed).toBe(false);
  });

  test('is required of administrators if the settings say so', async () => {
    const folder = newFolder();
    const config = configFor(folder, { MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN });
    const strict = await openGatewayOn({
      ...config,
      console: { ...config.console, require_totp: true },
    });
    const visit = await setUp(strict);
    expect((await stateOf(visit)).person).toMatchObject({ totp_required: true });
    for (const route of [
      'GET /console/api/overview',
      'GET /admin/v1/accounts',
      'GET /console/api/members',
    ]) {
      const { status, body } = await visit.send(route);
      expect([route, status, body.error.code]).toEqual([route, 403, 'totp_required']);
    }
    const { body: begun } = await visit.send('POST /console/api/profile/totp', {
      password: PASSWORD,
    });
    await visit.send('POST /console/api/profile/totp/confirm', { code: totpOf(begun.otpauth_uri) });
    expect((await visit.send('GET /admin/v1/accounts')).status).toBe(200);
    const owner = await joined(strict, 'owner');
    expect((await owner.send('GET /console/api/members')).status).toBe(200);
    await strict.close();
  });
});

test('a page that nobody uses does not keep its session alive', async () => {
  const env = { MODELGATE_DATA_DIR: newFolder(), MODELGATE_ADMIN_TOKEN: ADMIN_TOKEN };
  let aheadMs = 0;
  const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + aheadMs };
  const own = await openGateway({ ...depsOn({ path: null, env }), clock });
  const visit = await setUp(own);
  aheadMs = 3_600_000;
  const unattended = { 'x-unattended': '1' };
  for (const path of ['session', 'profile', 'profile/passkeys']) {
    await visit.send(`GET /console/api/${path}`, null, unattended);
  }
  const { body } = await visit.send('GET /console/api/profile/sessions', null, unattended);
  expect(Date.parse(body.data[0].last_seen_at)).toBeLessThan(clock.nowMs() - 3_000_000);
  await own.close();
});
