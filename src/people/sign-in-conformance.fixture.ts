/** Tests sign-in on every engine: sessions, two-factor authentication, limits of guesses. */
import { describe, expect } from 'bun:test';
import { asGatewayError } from '../errors.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import {
  ADMIN,
  actionsOf,
  Browser,
  HOUR_MS,
  PASSWORD,
  type PeopleRoom,
  roomOf,
  tokenOf,
  totpOf,
} from './people.fixture.ts';
import { codeOf, type Law } from './people-conformance.fixture.ts';
import { MAX_SESSIONS } from './sessions.ts';
import { FREE_GUESSES } from './sign-in-guard.ts';

const BOB = 'bob@example.com';

export function signInConformance(open: Open): void {
  const law: Law = (name, statement) =>
    rule(open, name, async (database) => {
      const room = roomOf(database);
      await room.join(BOB, 'owner');
      await statement(room, database);
    });
  describe('a session', () => {
    ending(law);
    owning(law);
  });
  describe('two-factor authentication', () => {
    stepping(law);
    codesOnce(law);
  });
  describe('a recovery code', () => recovering(law));
  describe('guessing', () => guessing(law));
}

const said = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'nothing',
    (thrown: unknown) => asGatewayError(thrown).message,
  );

const sessionIdOf = async ({ sessions }: PeopleRoom, { cookie }: Browser) =>
  (await sessions.of(cookie))?.id ?? null;

async function sessionOf({ sessions }: PeopleRoom, { cookie }: Browser) {
  const session = await sessions.of(cookie);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}

const idOfBob = async ({ people }: PeopleRoom): Promise<string> =>
  (await people.list({ accountId: null, email: BOB }, { limit: 1, after: null })).items[0]?.id ??
  '';

function ending(law: Law): void {
  law('ends after half a day without use, and is kept alive by use', async (room) => {
    const browser = await room.browserOf(BOB);
    for (const _ of [1, 2, 3]) {
      room.advance(11 * HOUR_MS);
      expect(await sessionIdOf(room, browser)).not.toBeNull();
    }
    room.advance(12 * HOUR_MS);
    expect(await sessionIdOf(room, browser)).toBeNull();
  });

  law('ends after a week, even in use', async (room) => {
    const browser = await room.browserOf(BOB);
    for (let hours = 0; hours < 160; hours += 10) {
      room.advance(10 * HOUR_MS);
      expect(await sessionIdOf(room, browser)).not.toBeNull();
    }
    room.advance(8 * HOUR_MS + 1);
    expect(await sessionIdOf(room, browser)).toBeNull();
    expect(await room.sessions.list(await idOfBob(room))).toEqual([]);
  });

  law('ends when its person signs out, even for a copied cookie', async (room) => {
    const browser = await room.browserOf(BOB);
    const kept = browser.cookie;
    browser.keep(await room.signIn.out(browser.visitor));
    expect(browser.cookie).not.toContain('session_token');
    expect(await room.sessions.of(kept)).toBeNull();
  });

  law('is new at every sign-in, and the earlier one ends', async (room) => {
    const browser = await room.browserOf(BOB);
    const planted = browser.cookie;
    const before = await sessionIdOf(room, browser);
    browser.keep((await room.signIn.withPassword(BOB, PASSWORD, browser.visitor)).cookies);
    expect(browser.cookie).not.toBe(planted);
    expect(await sessionIdOf(room, browser)).not.toBe(before);
    expect(await room.sessions.of(planted)).toBeNull();
  });

  law('records its address, when known', async (room) => {
    for (const address of ['2001:db8::7', null]) {
      await room.signIn.withPassword(BOB, PASSWORD, { cookie: null, address, userAgent: null });
    }
    const listed = await room.sessions.list(await idOfBob(room));
    expect(listed.map(({ address }) => address).toSorted()).toEqual(['', '2001:db8::7']);
  });

  law('has its token in no row of the store', async (room, { sql }) => {
    const { cookie } = await room.browserOf(BOB);
    const [, token = ''] = /session_token=([A-Za-z0-9]+)/.exec(cookie) ?? [];
    expect(token).toHaveLength(32);
    const rows = await sql.query({ sql: 'SELECT * FROM session', params: [] });
    expect(rows).toHaveLength(1);
    expect(Bun.inspect(rows)).not.toContain(token);
  });
}

function owning(law: Law): void {
  law('is known to every node, and ends on all of them at once', async (room, database) => {
    const other = roomOf(database);
    const browser = await room.browserOf(BOB);
    expect((await other.sessions.of(browser.cookie))?.person.email).toBe(BOB);
    await other.signIn.out(browser.visitor);
    expect(await room.sessions.of(browser.cookie)).toBeNull();
  });

  law('is not kept alive by an unattended page', async (room, { sql }) => {
    const { cookie } = await room.browserOf(BOB);
    const hourAgoMs = room.clock.nowMs() - 3_600_000;
    const seen = () => sql.query({ sql: 'SELECT seen_at_ms FROM session', params: [] });
    await sql.query({ sql: 'UPDATE session SET seen_at_ms = $1', params: [hourAgoMs] });
    expect((await room.sessions.of(cookie, 'unattended'))?.person.email).toBe(BOB);
    expect(await seen()).toEqual([{ seen_at_ms: BigInt(hourAgoMs) }]);
    await room.sessions.of(cookie);
    expect(await seen()).not.toEqual([{ seen_at_ms: BigInt(hourAgoMs) }]);
  });

  law('is ended by its own person only', async (room) => {
    const eve = await room.join('eve@example.com', 'owner');
    const [here, there] = [await room.browserOf(BOB), await room.browserOf(BOB)];
    const bob = (await room.sessions.of(here.cookie))?.person.id ?? '';
    const listed = await room.sessions.list(bob);
    expect(listed.map(({ address, userAgent }) => [address, userAgent])).toEqual([
      ['192.0.2.1', 'a browser'],
      ['192.0.2.1', 'a browser'],
    ]);
    const theirs = (await sessionIdOf(room, there)) ?? '';
    expect(await codeOf(room.sessions.end(eve.id, theirs))).toBe('not_found');
    expect(await sessionIdOf(room, there)).toBe(theirs);
    await room.sessions.end(bob, theirs);
    expect(await sessionIdOf(room, there)).toBeNull();
    const another = await room.browserOf(BOB);
    expect(await room.sessions.endOthers(bob, (await sessionIdOf(room, here)) ?? '')).toBe(1);
    expect(await sessionIdOf(room, another)).toBeNull();
    expect(await sessionIdOf(room, here)).not.toBeNull();
  });

  law('ends with a password change, except where it was made', async (room, database) => {
    const [here, there] = [await room.browserOf(BOB), await room.browserOf(BOB)];
    const session = await sessionOf(room, here);
    const change = (current: string, next: string) =>
      room.credentials.changePassword(session.person, { current, next }, here.visitor);
    expect(await codeOf(change('wrong', 'seven green lanterns'))).toBe('wrong_password');
    expect(await codeOf(change(PASSWORD, 'short'))).toBe('weak_password');
    here.keep((await change(PASSWORD, 'seven green lanterns')).cookies);
    expect(await sessionIdOf(room, there)).toBeNull();
    expect(await sessionIdOf(room, here)).not.toBeNull();
    expect(await sessionIdOf(room, here)).not.toBe(session.id);
    expect((await actionsOf(database)).slice(-1)).toEqual(['person.password']);
  });

  law('ends when a person has too many', async (room, { sql }) => {
    const first = await room.browserOf(BOB);
    const bob = (await room.sessions.of(first.cookie))?.person.id ?? '';
    const nowMs = room.clock.nowMs() + 1_000;
    for (let each = 1; each < MAX_SESSIONS; each++) {
      await sql.query({
        sql: `INSERT INTO session (id, person_id, token_hash, created_at_ms, seen_at_ms, expires_at_ms)
          VALUES ($1, $2, $3, $4, $5, $6)`,
        params: [`ses_${each}`, bob, new Uint8Array(32).fill(each), nowMs, nowMs, nowMs + HOUR_MS],
      });
    }
    expect(await sessionIdOf(room, first)).not.toBeNull();
    room.advance(2_000);
    await room.browserOf(BOB);
    expect(await sessionIdOf(room, first)).toBeNull();
    expect(await room.sessions.list(bob)).toHaveLength(MAX_SESSIONS);
  });
}

/** Creates a person with an authenticator. Returns its secrets and the browser that set it up. */
async function withTotp(room: PeopleRoom) {
  const browser = await room.browserOf(BOB);
  const person = async () => (await sessionOf(room, browser)).person;
  const secrets = await room.credentials.beginTotp(await person(), PASSWORD, browser.visitor);
  const confirm = async (code: string) =>
    browser.keep(
      (await room.credentials.confirmTotp(await person(), code, browser.visitor)).cookies,
    );
  return { browser, person, secrets, confirm };
}

function stepping(law: Law): void {
  law('is required once a code was confirmed, and not before', async (room, database) => {
    const { person, secrets, confirm } = await withTotp(room);
    expect(secrets.uri).toMatch(/^otpauth:\/\/totp\/Modelgate:bob/);
    expect((await room.browserOf(BOB)).cookie).toContain('session_token');
    expect(await codeOf(confirm(totpOf(secrets.uri, 20)))).toBe('wrong_code');
    await confirm(totpOf(secrets.uri).replace(/^.../, '$& '));
    expect((await person()).totpEnabled).toBe(true);
    const browser = await room.browserOf(BOB);
    expect(browser.cookie).not.toContain('session_token');
    expect(await room.sessions.of(browser.cookie)).toBeNull();
    const step = async (code: string) => {
      const entered = await room.signIn.withCode(code, browser.visitor);
      browser.keep(entered.cookies);
      return entered.personId;
    };
    expect(await codeOf(step('000000x'))).toBe('wrong_code');
    expect(await step(totpOf(secrets.uri, 1))).toBe((await person()).id);
    expect(await sessionIdOf(room, browser)).not.toBeNull();
    expect(await codeOf(step(totpOf(secrets.uri, 1)))).toBe('sign_in_failed');
    expect((await actionsOf(database)).slice(-1)).toEqual(['person.totp_on']);
  });

  law('belongs to the sign-in, even if another person is signed in there', async (room) => {
    const { secrets, confirm, person } = await withTotp(room);
    await confirm(totpOf(secrets.uri));
    await room.join('eve@example.com', 'owner');
    const browser = await room.browserOf('eve@example.com');
    const eves = browser.cookie;
    browser.keep((await room.signIn.withPassword(BOB, PASSWORD, new Browser().visitor)).cookies);
    // The browser also sends the cookie of Eve's old session, although Bob is signing in.
    const visitor = { ...browser.visitor, cookie: `${eves}; ${browser.cookie}` };
    const entered = await room.signIn.withCode(totpOf(secrets.uri, 1), visitor);
    expect(entered.personId).toBe((await person()).id);
  });

  law('limits the codes of a sign-in, and the failures of a person', async (room) => {
    const { secrets, confirm } = await withTotp(room);
    await confirm(totpOf(secrets.uri));
    const codes: string[] = [];
    for (const _ of [1, 2, 3]) {
      const { visitor } = await room.browserOf(BOB);
      for (let tries = 0; tries < 5; tries++) {
        codes.push(await codeOf(room.signIn.withCode(totpOf(secrets.uri, 20), visitor)));
      }
      codes.push(await codeOf(room.signIn.withCode(totpOf(secrets.uri), visitor)));
    }
    const wrong = Array.from({ length: 5 }, () => 'wrong_code');
    const locked = Array.from({ length: 6 }, () => 'rate_limit_exceeded');
    expect(codes).toEqual([...wrong, 'sign_in_failed', ...wrong, 'rate_limit_exceeded', ...locked]);
  });

  law('cannot complete a sign-in begun before the password was changed or reset', async (room) => {
    const { browser, person, secrets, confirm } = await withTotp(room);
    await confirm(totpOf(secrets.uri));
    const passwords = { current: PASSWORD, next: 'seven green lanterns' };
    const enter = ({ visitor }: Browser) =>
      codeOf(room.signIn.withCode(totpOf(secrets.uri, 1), visitor));
    const beforeChange = await room.browserOf(BOB);
    await room.credentials.changePassword(await person(), passwords, browser.visitor);
    expect(await enter(beforeChange)).toBe('sign_in_failed');
    const beforeReset = await room.browserOf(BOB, passwords.next);
    const { url } = await room.members.resetLink(await idOfBob(room), ADMIN);
    await room.credentials.resetPassword(tokenOf(url), PASSWORD);
    expect(await enter(beforeReset)).toBe('sign_in_failed');
    expect(await enter(await room.browserOf(BOB))).toBe('done');
  });

  law('counts concurrent codes of one sign-in', async (room) => {
    const { secrets, confirm } = await withTotp(room);
    await confirm(totpOf(secrets.uri));
    const { visitor } = await room.browserOf(BOB);
    const tries = Array.from({ length: 8 }, () => codeOf(room.signIn.withCode('abc', visitor)));
    const codes = (await Promise.all(tries)).toSorted();
    expect(codes.filter((code) => code === 'wrong_code')).toHaveLength(5);
    expect(codes.filter((code) => code === 'sign_in_failed')).toHaveLength(3);
  });

  law('is removed by its person with the password, or by an administrator', async (room) => {
    const { browser, person, secrets, confirm } = await withTotp(room);
    await confirm(totpOf(secrets.uri));
    const begun = room.credentials.beginTotp(await person(), PASSWORD, browser.visitor);
    expect(await codeOf(begun)).toBe('conflict');
    const ended = room.credentials.endTotp(await person(), 'wrong', browser.visitor);
    expect(await codeOf(ended)).toBe('wrong_password');
    browser.keep(
      (await room.credentials.endTotp(await person(), PASSWORD, browser.visitor)).cookies,
    );
    expect((await person()).totpEnabled).toBe(false);
    expect((await room.browserOf(BOB)).cookie).toContain('session_token');
    const again = await room.credentials.beginTotp(await person(), PASSWORD, browser.visitor);
    await confirm(totpOf(again.uri));
    expect((await room.browserOf(BOB)).cookie).not.toContain('session_token');
    await room.members.clearTotp((await person()).id, ADMIN);
    expect((await room.browserOf(BOB)).cookie).toContain('session_token');
  });
}

function codesOnce(law: Law): void {
  law('accepts a code once, and no earlier one, even concurrently', async (room, { sql }) => {
    const { browser, secrets, confirm } = await withTotp(room);
    const seen = totpOf(secrets.uri);
    await confirm(seen);
    const next = totpOf(secrets.uri, 1);
    const visits = [await room.browserOf(BOB), await room.browserOf(BOB)];
    const step = (code: string, { visitor }: Browser) =>
      codeOf(room.signIn.withCode(code, visitor));
    const codes = await Promise.all(visits.map((visit) => step(next, visit)));
    expect(codes.toSorted()).toEqual(['done', 'wrong_code']);
    expect(await step(seen, await room.browserOf(BOB))).toBe('wrong_code');
    // Refused codes started no session. The two sessions are from the setup and the accepted code.
    const sessions = await sql.query({ sql: 'SELECT id FROM session', params: [] });
    expect(sessions).toHaveLength(2);
    expect(await sessionIdOf(room, browser)).not.toBeNull();
  });

  law('reports that it was set up under another key', async (room, database) => {
    const { person, secrets, confirm } = await withTotp(room);
    await confirm(totpOf(secrets.uri));
    const bob = await person();
    const other = roomOf(database, {}, 'another secret of these tests, as long');
    const { visitor } = await other.browserOf(BOB);
    for (const work of [
      () => other.signIn.withCode(totpOf(secrets.uri, 1), visitor),
      () => other.signIn.withCode(secrets.recoveryCodes[0] ?? '', visitor),
      () => other.credentials.recoveryCodesLeft(bob),
    ]) {
      expect(await said(work())).toContain('console.key');
    }
  });
}

function recovering(law: Law): void {
  law('replaces a code once, even concurrently', async (room) => {
    const { browser, person, secrets, confirm } = await withTotp(room);
    await confirm(totpOf(secrets.uri));
    const [code = ''] = secrets.recoveryCodes;
    expect(await room.credentials.recoveryCodesLeft(await person())).toBe(10);
    const visits = [await room.browserOf(BOB), await room.browserOf(BOB)];
    const codes = await Promise.all(
      [...visits, ...visits, ...visits].map((each) =>
        codeOf(room.signIn.withCode(code, each.visitor)),
      ),
    );
    expect(codes.filter((each) => each === 'done')).toHaveLength(1);
    expect(codes.join(' ')).toMatch(/^(?:(?:done|wrong_code|sign_in_failed) ?){6}$/);
    expect(await room.credentials.recoveryCodesLeft(await person())).toBe(9);
    const fresh = await room.credentials.newRecoveryCodes(
      await person(),
      PASSWORD,
      browser.visitor,
    );
    const { visitor } = await room.browserOf(BOB);
    const [, old = ''] = secrets.recoveryCodes;
    expect(await codeOf(room.signIn.withCode(old, visitor))).toBe('wrong_code');
    expect(await codeOf(room.signIn.withCode(fresh[0] ?? '', visitor))).toBe('done');
  });
}

function guessing(law: Law): void {
  law(
    'pauses an email address, is audited once, and is reset by a correct password',
    async (room, database) => {
      const guess = (email: string) => codeOf(room.browserOf(email, 'wrong'));
      for (let tries = 0; tries < FREE_GUESSES.email; tries++) {
        expect(await guess(tries % 2 === 0 ? BOB : 'Bob@Example.COM')).toBe('sign_in_failed');
      }
      expect(await guess(BOB)).toBe('rate_limit_exceeded');
      expect(await codeOf(room.browserOf(BOB))).toBe('rate_limit_exceeded');
      room.advance(60_000);
      expect(await guess(BOB)).toBe('sign_in_failed');
      const paused = (await actionsOf(database)).filter((action) => action === 'sign_in.pause');
      expect(paused).toHaveLength(1);
      room.advance(60_000);
      expect(await codeOf(room.browserOf(BOB))).toBe('done');
      expect(await guess(BOB)).toBe('sign_in_failed');
    },
  );

  law('treats an unknown email address alike, and does not audit it', async (room, database) => {
    const nobody = 'nobody@example.com';
    for (let tries = 0; tries < FREE_GUESSES.email; tries++) {
      expect(await codeOf(room.browserOf(nobody))).toBe('sign_in_failed');
    }
    expect(await codeOf(room.browserOf(nobody))).toBe('rate_limit_exceeded');
    expect(await actionsOf(database)).not.toContain('sign_in.pause');
  });

  law('also pauses the password in an open session', async (room) => {
    const browser = await room.browserOf(BOB);
    const { person } = await sessionOf(room, browser);
    const codes: string[] = [];
    for (let tries = 0; tries <= FREE_GUESSES.email; tries++) {
      codes.push(await codeOf(room.credentials.beginTotp(person, 'wrong', browser.visitor)));
    }
    expect(codes.slice(-2)).toEqual(['wrong_password', 'rate_limit_exceeded']);
  });
}
