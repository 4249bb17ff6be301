/** Tests on every engine that a session left open or an old password does not win the account. */
import { describe, expect } from 'bun:test';
import { asGatewayError, GatewayError } from '../errors.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { statement } from '../store/sql.ts';
import {
  ADMIN,
  actionsOf,
  type Browser,
  PASSWORD,
  type PeopleRoom,
  pausedRoom,
  roomOf,
  tokenOf,
  totpOf,
} from './people.fixture.ts';
import { codeOf, type Law } from './people-conformance.fixture.ts';

const ADA = 'ada@example.com';
const NEXT = 'several quiet tractors';

export function takeoverConformance(open: Open): void {
  const law: Law = (name, statement) =>
    rule(open, name, (database) => statement(roomOf(database), database));
  describe('a session left open', () => leftOpen(law));
  describe('a sign-in that has begun', () => begun(law));
  describe('a change of the password', () => changed(law));
  describe('a change of how a person signs in', () => audited(law));
}

function leftOpen(law: Law): void {
  law('cannot create a reset link for itself, nor remove its authenticator', async (room) => {
    for (const [email, role, accountId] of [
      [ADA, 'owner', 'alice'],
      ['root@example.com', 'administrator', null],
    ] as const) {
      const me = await room.join(email, role);
      const own = { actor: me.id, role, accountId };
      for (const work of [
        () => room.members.resetLink(me.id, own),
        () => room.members.clearTotp(me.id, own),
      ]) {
        const refused = asGatewayError(await work().catch((thrown: unknown) => thrown));
        expect([refused.code, refused.message]).toEqual([
          'not_allowed',
          expect.stringContaining('profile page'),
        ]);
        expect(await codeOf(work())).toBe('not_allowed');
      }
      expect(await codeOf(room.members.clearTotp(me.id, ADMIN))).toBe('done');
      expect(await codeOf(room.members.resetLink(me.id, ADMIN))).toBe('done');
    }
  });

  law('leaves no reset link after a change of the password', async (room) => {
    const ada = await room.join(ADA, 'owner');
    const { visitor } = await room.browserOf(ADA);
    const { url } = await room.members.resetLink(ada.id, ADMIN);
    await room.credentials.changePassword(ada, { current: PASSWORD, next: NEXT }, visitor);
    expect(await codeOf(room.credentials.resetPassword(tokenOf(url), PASSWORD))).toBe(
      'link_not_valid',
    );
  });
}

const STORES_SIGN_IN = /INSERT INTO (?:session|verification)/;

function begun(law: Law): void {
  law('fails if the password is reset or changed before it ends', async (room, database) => {
    const ada = await room.join(ADA, 'owner');
    const early = pausedRoom(database, STORES_SIGN_IN);
    const entering = codeOf(early.room.browserOf(ADA));
    await early.reached;
    const { url } = await room.members.resetLink(ada.id, ADMIN);
    await room.credentials.resetPassword(tokenOf(url), NEXT);
    early.proceed();
    expect(await entering).toBe('sign_in_failed');
    expect(await room.sessions.list(ada.id)).toEqual([]);

    const own = await room.browserOf(ADA, NEXT);
    await setUpTotp(room, own, NEXT);
    const later = pausedRoom(database, STORES_SIGN_IN);
    const beginning = codeOf(later.room.browserOf(ADA, NEXT));
    await later.reached;
    const passwords = { current: NEXT, next: PASSWORD };
    own.keep((await room.credentials.changePassword(ada, passwords, own.visitor)).cookies);
    later.proceed();
    expect(await beginning).toBe('sign_in_failed');
    const waiting = { sql: 'SELECT id FROM verification', params: [] };
    expect(await database.sql.query(waiting)).toEqual([]);
    expect(await codeOf(room.browserOf(ADA))).toBe('done');
    expect(await database.sql.query(waiting)).toHaveLength(1);
  });

  law('with a code fails if the password is reset before it ends', async (room, database) => {
    const ada = await room.join(ADA, 'owner');
    const { uri } = await setUpTotp(room, await room.browserOf(ADA), PASSWORD);
    const browser = await room.browserOf(ADA);
    const late = pausedRoom(database, /INSERT INTO session/);
    const entering = codeOf(late.room.signIn.withCode(totpOf(uri, 1), browser.visitor));
    await late.reached;
    const { url } = await room.members.resetLink(ada.id, ADMIN);
    await room.credentials.resetPassword(tokenOf(url), NEXT);
    late.proceed();
    expect(await entering).toBe('sign_in_failed');
    expect(await room.sessions.list(ada.id)).toEqual([]);
  });

  law('fails if the person is removed before it ends', async (room, database) => {
    const ada = await room.join(ADA, 'owner');
    const { uri } = await setUpTotp(room, await room.browserOf(ADA), PASSWORD);
    const { visitor } = await room.browserOf(ADA);
    const late = pausedRoom(database, /INSERT INTO session/);
    const withCode = codeOf(late.room.signIn.withCode(totpOf(uri, 1), visitor));
    await late.reached;
    const asPerson = codeOf(late.room.signIn.asPerson(ada, visitor));
    await room.members.remove(ada.id, ADMIN);
    late.proceed();
    expect([await withCode, await asPerson]).toEqual(['sign_in_failed', 'sign_in_failed']);
  });

  law('with two right codes at once stores one session', async (room) => {
    const ada = await room.join(ADA, 'owner');
    const own = await room.browserOf(ADA);
    const { uri } = await setUpTotp(room, own, PASSWORD);
    const guarded = await room.people.get(ada.id);
    const [spare = ''] = await room.credentials.newRecoveryCodes(guarded, PASSWORD, own.visitor);
    const { visitor } = await room.browserOf(ADA);
    const codes = [totpOf(uri, 1), spare];
    const results = codes.map((code) => codeOf(room.signIn.withCode(code, visitor)));
    expect((await Promise.all(results)).toSorted()).toEqual(['done', 'sign_in_failed']);
    expect(await room.sessions.list(ada.id)).toHaveLength(2);
  });
}

function changed(law: Law): void {
  law('is lost to a reset that happens meanwhile', async (room, database) => {
    const ada = await room.join(ADA, 'owner');
    const { visitor } = await room.browserOf(ADA);
    const late = pausedRoom(database, /INSERT INTO session/);
    const passwords = { current: PASSWORD, next: 'nine silent harvesters' };
    const changing = codeOf(late.room.credentials.changePassword(ada, passwords, visitor));
    await late.reached;
    const { url } = await room.members.resetLink(ada.id, ADMIN);
    await room.credentials.resetPassword(tokenOf(url), NEXT);
    const own = await room.browserOf(ADA, NEXT);
    late.proceed();
    expect(await changing).toBe('conflict');
    expect(await room.sessions.of(own.cookie)).not.toBeNull();
    expect(await room.sessions.list(ada.id)).toHaveLength(1);
    expect(await codeOf(room.browserOf(ADA, NEXT))).toBe('done');
  });

  law(
    'by a reset also ends what its old session is doing to the authenticator',
    async (room, database) => {
      const ada = await room.join(ADA, 'owner');
      const reset = async (password: string): Promise<void> => {
        const { url } = await room.members.resetLink(ada.id, ADMIN);
        await room.credentials.resetPassword(tokenOf(url), password);
      };
      const { visitor } = await room.browserOf(ADA);
      const { uri } = await room.credentials.beginTotp(ada, PASSWORD, visitor);
      const confirming = pausedRoom(database, /INSERT INTO session/);
      const on = codeOf(confirming.room.credentials.confirmTotp(ada, totpOf(uri), visitor));
      await confirming.reached;
      await reset(NEXT);
      confirming.proceed();
      expect(await on).toBe('conflict');
      expect((await room.people.get(ada.id)).totpEnabled).toBe(false);
      expect(await room.sessions.list(ada.id)).toEqual([]);

      const own = await room.browserOf(ADA, NEXT);
      const { recoveryCodes } = await setUpTotp(room, own, NEXT);
      const guarded = await room.people.get(ada.id);
      const ending = pausedRoom(database, /INSERT INTO session/);
      const off = codeOf(ending.room.credentials.endTotp(guarded, NEXT, own.visitor));
      const renewing = pausedRoom(database, /SET recovery_codes/);
      const renewed = codeOf(
        renewing.room.credentials.newRecoveryCodes(guarded, NEXT, own.visitor),
      );
      await Promise.all([ending.reached, renewing.reached]);
      await reset(PASSWORD);
      ending.proceed();
      renewing.proceed();
      expect([await off, await renewed]).toEqual(['conflict', 'conflict']);
      expect(await room.sessions.list(ada.id)).toEqual([]);
      const entering = await room.browserOf(ADA);
      const [code = ''] = recoveryCodes;
      expect(await codeOf(room.signIn.withCode(code, entering.visitor))).toBe('done');
      expect((await actionsOf(database)).filter((each) => /totp|codes/.test(each))).toEqual([
        'person.totp_on',
      ]);
    },
  );
}

function audited(law: Law): void {
  law('is not made without its entry in the audit log', async (room, { sql }) => {
    const ada = await room.join(ADA, 'owner');
    const browser = await room.browserOf(ADA);
    // This store fails at every entry of the audit log.
    const { credentials } = roomOf({
      sql: {
        query: (one) => sql.query(one),
        transaction: async (all, audit) => {
          if (audit !== undefined) throw new GatewayError('store_unavailable', 'no entry');
          return await sql.transaction(all);
        },
      },
    });
    const { visitor } = browser;
    const passwords = { current: PASSWORD, next: NEXT };
    expect(await codeOf(credentials.changePassword(ada, passwords, visitor))).toBe(
      'store_unavailable',
    );
    const { uri } = await credentials.beginTotp(ada, PASSWORD, visitor);
    expect(await codeOf(credentials.confirmTotp(ada, totpOf(uri), visitor))).toBe(
      'store_unavailable',
    );
    expect((await room.people.get(ada.id)).totpEnabled).toBe(false);

    const { recoveryCodes } = await room.credentials.beginTotp(ada, PASSWORD, visitor);
    await sql.query(statement`UPDATE totp SET verified = 1`);
    await sql.query(statement`UPDATE person SET totp_enabled = 1`);
    const guarded = await room.people.get(ada.id);
    for (const work of [
      () => credentials.newRecoveryCodes(guarded, PASSWORD, visitor),
      () => credentials.endTotp(guarded, PASSWORD, visitor),
    ]) {
      expect(await codeOf(work())).toBe('store_unavailable');
    }
    const entering = await room.browserOf(ADA);
    const [code = ''] = recoveryCodes;
    expect(await codeOf(room.signIn.withCode(code, entering.visitor))).toBe('done');
  });
}

/** Returns the URI and the recovery codes of the new authenticator. */
async function setUpTotp(room: PeopleRoom, browser: Browser, password: string) {
  const session = await room.sessions.of(browser.cookie);
  if (session === null) throw new Error('nobody is signed in');
  const { credentials } = room;
  const secrets = await credentials.beginTotp(session.person, password, browser.visitor);
  const code = totpOf(secrets.uri);
  browser.keep((await credentials.confirmTotp(session.person, code, browser.visitor)).cookies);
  return secrets;
}
