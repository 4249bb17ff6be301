/**
 * The conformance suite of people, run on every engine: sign-up, roles and what they allow,
 * removal.
 */
import { describe, expect } from 'bun:test';
import { asGatewayError } from '../errors.ts';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { personTag } from './members.ts';
import {
  ADMIN,
  actionsOf,
  HOUR_MS,
  newcomer,
  PASSWORD,
  type PeopleRoom,
  roomOf,
  tokenOf,
} from './people.fixture.ts';
import type { Role } from './person.ts';

export type Law = (
  name: string,
  statement: (room: PeopleRoom, database: Database) => Promise<void>,
) => void;

/** Resolves with the code of the error, or `done` if nothing is thrown. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (thrown: unknown) => asGatewayError(thrown).code,
  );

export function peopleConformance(open: Open): void {
  const law: Law = (name, statement) =>
    rule(open, name, (database) => statement(roomOf(database), database));
  describe('the first administrator', () => settingUp(law));
  describe('an invitation', () => {
    inviting(law);
    notJoining(law);
  });
  describe('a new password', () => resetting(law));
  describe('a role', () => ranking(law));
  describe('open sign-up', () => {
    rule(
      open,
      'creates an account and its owner, and nothing when the address is in use',
      (database) => signingUp(roomOf(database, { sign_up: 'open' }), database),
    );
  });
}

function settingUp(law: Law): void {
  law('is created by the latest setup link, once', async (room, database) => {
    const { signUp } = room;
    const old = await signUp.newSetupLink('system');
    const link = await signUp.newSetupLink('system');
    expect(link.url).toMatch(/^http:\/\/gateway\/console\/setup#token=[\w-]{43}$/);
    const ada = newcomer('Ada@Example.com');
    expect(await codeOf(signUp.setUp(tokenOf(old.url), ada))).toBe('link_not_valid');
    expect(await codeOf(signUp.setUp(`${tokenOf(link.url)}x`, ada))).toBe('link_not_valid');
    expect(await signUp.setUp(tokenOf(link.url), ada, 'Northwind')).toBe('ada@example.com');
    expect(await codeOf(signUp.setUp(tokenOf(link.url), newcomer('b@example.com')))).toBe(
      'conflict',
    );
    expect(await codeOf(signUp.newSetupLink('system'))).toBe('conflict');
    const all = { accountId: null, email: null };
    const { items } = await room.people.list(all, { limit: 9, after: null });
    expect(items).toMatchObject([
      {
        ...{ email: 'ada@example.com', role: 'administrator' },
        ...{ accountId: 'alice', accountName: 'Northwind' },
      },
    ]);
    const done = ['setup_link.create', 'setup_link.create', 'person.setup'];
    expect(await actionsOf(database)).toEqual(done);
  });

  law('is one of several concurrent setups', async ({ signUp, people }) => {
    const { url } = await signUp.newSetupLink('system');
    const each = ['a', 'b', 'c', 'd'].map((name) =>
      codeOf(signUp.setUp(tokenOf(url), newcomer(`${name}@example.com`))),
    );
    const codes = (await Promise.all(each)).toSorted();
    expect(codes).toEqual(['conflict', 'conflict', 'conflict', 'done']);
    const all = { accountId: null, email: null };
    expect((await people.list(all, { limit: 9, after: null })).items).toHaveLength(1);
  });

  law('is not created by an expired link', async ({ signUp, advance }) => {
    const { url } = await signUp.newSetupLink('system');
    advance(7 * 24 * HOUR_MS + 1);
    expect(await codeOf(signUp.setUp(tokenOf(url), newcomer('a@example.com')))).toBe(
      'link_not_valid',
    );
  });

  law('is created by a setup link only, which creates nobody else', async (room) => {
    const { invitations, signUp, credentials, members } = room;
    const bob = await room.join('bob@example.com', 'member');
    const setup = tokenOf((await signUp.newSetupLink('system')).url);
    const wanted = { role: 'member', email: null, place: PLACE } as const;
    const invitation = tokenOf((await invitations.create(wanted, ADMIN)).link.url);
    const reset = tokenOf((await members.resetLink(bob.id, ADMIN)).url);
    const eve = newcomer('eve@example.com');
    for (const work of [
      () => signUp.setUp(invitation, eve),
      () => signUp.setUp(reset, eve),
      () => signUp.acceptInvitation(setup, eve),
      () => signUp.acceptInvitation(reset, eve),
      () => credentials.resetPassword(setup, PASSWORD),
      () => credentials.resetPassword(invitation, PASSWORD),
    ]) {
      expect(await codeOf(work())).toBe('link_not_valid');
    }
    expect(await signUp.setUp(setup, eve)).toBe('eve@example.com');
  });

  law('must have a strong password', async ({ signUp }) => {
    const { url } = await signUp.newSetupLink('system');
    const weak = newcomer('ada@example.com', { password: 'Password123' });
    expect(await codeOf(signUp.setUp(tokenOf(url), weak))).toBe('weak_password');
    expect(await signUp.setupNeeded()).toBe(true);
  });
}

const PLACE = { accountId: 'alice', newAccount: null };

function inviting(law: Law): void {
  law('creates one person with its account and role', async (room, database) => {
    const { invitations, signUp } = room;
    const wanted = { role: 'member', email: null, place: PLACE } as const;
    const { record, link } = await invitations.create(wanted, ADMIN);
    expect(record).toMatchObject({ accountId: 'alice', accountName: 'alice', usedAtMs: null });
    const token = tokenOf(link.url);
    const both = ['bob@example.com', 'eve@example.com'].map((email) =>
      codeOf(signUp.acceptInvitation(token, newcomer(email))),
    );
    expect((await Promise.all(both)).toSorted()).toEqual(['done', 'link_not_valid']);
    const { items } = await room.people.list(
      { accountId: 'alice', email: null },
      { limit: 9, after: null },
    );
    expect(items.map(({ role, accountId }) => [role, accountId])).toEqual([['member', 'alice']]);
    const [listed] = (await invitations.list('alice', { limit: 9, after: null })).items;
    expect([listed?.id, listed?.usedAtMs === null]).toEqual([record.id, false]);
    expect((await invitations.list('bob', { limit: 9, after: null })).items).toEqual([]);
    expect(await actionsOf(database)).toEqual(['invitation.create', 'person.join']);
  });

  law('is accepted with the invited address only, case-insensitively', async (room) => {
    const wanted = { role: 'member', email: 'Bob@Example.com', place: PLACE } as const;
    const { link } = await room.invitations.create(wanted, ADMIN);
    const token = tokenOf(link.url);
    expect(await codeOf(room.signUp.acceptInvitation(token, newcomer('eve@example.com')))).toBe(
      'invalid_value',
    );
    expect(await room.signUp.acceptInvitation(token, newcomer('BOB@example.com'))).toBe(
      'bob@example.com',
    );
  });

  law('creates a new account on acceptance, with its own wallets', async (room) => {
    const place = { accountId: null, newAccount: 'Acme' };
    const wanted = { role: 'owner', email: null, place } as const;
    const { link } = await room.invitations.create(wanted, ADMIN);
    await room.signUp.acceptInvitation(tokenOf(link.url), newcomer('ceo@example.com'));
    const filter = { accountId: null, email: 'ceo@example.com' };
    const [owner] = (await room.people.list(filter, { limit: 1, after: null })).items;
    expect(owner).toMatchObject({ role: 'owner', accountName: 'Acme' });
    const found = async (search: string) => {
      const anywhere = { accountId: null, email: null, search };
      const { items } = await room.people.list(anywhere, { limit: 9, after: null });
      return items.map(({ email }) => email);
    };
    expect(await found('CEO@')).toEqual(['ceo@example.com']);
    expect(await found('o@example')).toContain('ceo@example.com');
    expect(await found((owner?.name ?? '').toUpperCase())).toContain('ceo@example.com');
    expect(await found(owner?.id ?? '')).toEqual(['ceo@example.com']);
    expect(await found('ceo_example')).toEqual([]);
    expect(await found('%')).toEqual([]);
    expect(['alice', 'bob']).not.toContain(owner?.accountId);
  });
}

function notJoining(law: Law): void {
  law('creates nobody when revoked or expired', async (room) => {
    const wanted = { role: 'member', email: null, place: PLACE } as const;
    const taken = await room.invitations.create(wanted, ADMIN);
    const bobs = { actor: 'usr_x', role: 'owner', accountId: 'bob' } as const;
    expect(await codeOf(room.invitations.revoke(taken.record.id, bobs))).toBe('not_found');
    await room.invitations.revoke(taken.record.id, { ...bobs, accountId: 'alice' });
    expect(await codeOf(room.invitations.revoke(taken.record.id, ADMIN))).toBe('not_found');
    const late = await room.invitations.create(wanted, ADMIN);
    room.advance(7 * 24 * HOUR_MS + 1);
    for (const { link } of [taken, late]) {
      const accepted = room.signUp.acceptInvitation(tokenOf(link.url), newcomer('eve@example.com'));
      expect(await codeOf(accepted)).toBe('link_not_valid');
    }
  });

  law("cannot grant a higher role than the author's, nor an unknown account", async (room) => {
    const owner = { actor: 'usr_x', role: 'owner', accountId: 'alice' } as const;
    const above = { role: 'administrator', email: null, place: PLACE } as const;
    expect(await codeOf(room.invitations.create(above, owner))).toBe('not_allowed');
    const nowhere = { accountId: 'nobody', newAccount: null };
    const lost = { role: 'member', email: null, place: nowhere } as const;
    expect(await codeOf(room.invitations.create(lost, ADMIN))).toBe('not_found');
  });

  law('is not accepted with an address in use, even concurrently', async (room) => {
    const tokens = await Promise.all(
      [1, 2, 3].map(async () => {
        const wanted = { role: 'member', email: null, place: PLACE } as const;
        return tokenOf((await room.invitations.create(wanted, ADMIN)).link.url);
      }),
    );
    const each = tokens.map((token) =>
      codeOf(room.signUp.acceptInvitation(token, newcomer('Bob@example.com'))),
    );
    const codes = (await Promise.all(each)).toSorted();
    expect(codes).toEqual(['done', 'email_taken', 'email_taken']);
  });
}

async function signingUp(room: PeopleRoom, database: Database): Promise<void> {
  const both = ['Own Shop', 'Other Shop'].map((name) =>
    codeOf(room.signUp.register(newcomer('shop@example.com'), name)),
  );
  expect((await Promise.all(both)).toSorted()).toEqual(['done', 'email_taken']);
  const accounts = await database.sql.query({
    sql: "SELECT id FROM account WHERE name LIKE '% Shop'",
    params: [],
  });
  expect(accounts).toHaveLength(1);
  const filter = { accountId: null, email: 'shop@example.com' };
  const { items } = await room.people.list(filter, { limit: 2, after: null });
  expect(items).toMatchObject([{ role: 'owner', accountId: accounts[0]?.['id'] }]);
  expect((await room.browserOf('shop@example.com')).cookie).toContain('session_token');
}

function resetting(law: Law): void {
  law('is set by a link once, and ends all sessions', async (room, database) => {
    const bob = await room.join('bob@example.com', 'member');
    const browser = await room.browserOf('bob@example.com');
    const old = await room.members.resetLink(bob.id, ADMIN);
    const link = await room.members.resetLink(bob.id, ADMIN);
    expect(await room.links.open(tokenOf(link.url))).toMatchObject({ email: 'bob@example.com' });
    const next = 'seven green lanterns';
    expect(await codeOf(room.credentials.resetPassword(tokenOf(old.url), next))).toBe(
      'link_not_valid',
    );
    expect(
      await codeOf(room.signUp.acceptInvitation(tokenOf(link.url), newcomer('x@example.com'))),
    ).toBe('link_not_valid');
    expect(await room.credentials.resetPassword(tokenOf(link.url), next)).toBe('bob@example.com');
    expect(await codeOf(room.credentials.resetPassword(tokenOf(link.url), PASSWORD))).toBe(
      'link_not_valid',
    );
    expect(await room.sessions.of(browser.cookie)).toBeNull();
    expect(await codeOf(room.browserOf('bob@example.com'))).toBe('sign_in_failed');
    expect(await codeOf(room.browserOf('bob@example.com', next))).toBe('done');
    expect((await actionsOf(database)).slice(-1)).toEqual(['person.reset_password']);
  });

  law("is not set by a link older than the person's promotion or move", resetsOfTheChanged);

  law("is not set by a link requested during the person's promotion", async (room) => {
    const owner = await room.join('owner@example.com', 'owner');
    const bob = await room.join('bob@example.com', 'member');
    const asked = room.members.resetLink(bob.id, by(owner.id, 'owner'));
    const [link] = await Promise.allSettled([
      asked,
      room.members.change(bob.id, { role: 'administrator' }, ADMIN),
    ]);
    const found = link.status === 'fulfilled' ? tokenOf(link.value.url) : '';
    expect(await room.links.open(found)).toBeNull();
  });

  law('is not set by a link older than a day', async (room) => {
    const bob = await room.join('bob@example.com', 'member');
    const { url } = await room.members.resetLink(bob.id, ADMIN);
    room.advance(24 * HOUR_MS + 1);
    expect(await codeOf(room.credentials.resetPassword(tokenOf(url), 'seven green lanterns'))).toBe(
      'link_not_valid',
    );
  });
}

/**
 * Tests that a password reset link becomes invalid when the role or account of its person changes.
 */
async function resetsOfTheChanged(room: PeopleRoom): Promise<void> {
  const owner = await room.join('owner@example.com', 'owner');
  for (const [email, change] of [
    ['raised@example.com', { role: 'administrator' }],
    ['moved@example.com', { accountId: 'bob' }],
  ] as const) {
    const person = await room.join(email, 'member');
    const { url } = await room.members.resetLink(person.id, by(owner.id, 'owner'));
    await room.members.change(person.id, change, ADMIN);
    expect(await codeOf(room.credentials.resetPassword(tokenOf(url), 'seven green lanterns'))).toBe(
      'link_not_valid',
    );
    expect(await codeOf(room.browserOf(email))).toBe('done');
  }
}

const by = (actor: string, role: Role, accountId = 'alice') => ({ actor, role, accountId });

function ranking(law: Law): void {
  law('has a name whose change is in the audit log', async (room, { sql }) => {
    const bob = await room.join('bob@example.com', 'member');
    await room.members.rename(bob.id, ' Ada ');
    await room.members.rename(bob.id, 'Ada');
    const find = "SELECT actor, detail FROM audit WHERE action = 'person.rename'";
    expect(await sql.query({ sql: find, params: [] })).toEqual([
      { actor: bob.id, detail: '{"before":"bob","after":"Ada"}' },
    ]);
  });

  law('takes effect with the next request', async (room) => {
    const bob = await room.join('bob@example.com', 'member');
    const { cookie } = await room.browserOf('bob@example.com');
    await room.members.change(bob.id, { role: 'read_only' }, ADMIN);
    expect((await room.sessions.of(cookie))?.person.role).toBe('read_only');
    await room.members.remove(bob.id, ADMIN);
    expect(await room.sessions.of(cookie)).toBeNull();
    expect(await codeOf(room.browserOf('bob@example.com'))).toBe('sign_in_failed');
  });

  law('is changed only from the role and account that were read', async (room) => {
    const bob = await room.join('bob@example.com', 'member');
    const change = (role: Role) =>
      codeOf(room.members.change(bob.id, { role }, ADMIN, (tag) => tag === personTag(bob)));
    const done = await Promise.all([change('read_only'), change('owner'), change('administrator')]);
    expect(done.toSorted()).toEqual(['done', 'revision_changed', 'revision_changed']);
    expect(await change('owner')).toBe('revision_changed');
  });

  law('is changed by owners of the account, up to their own role', async (room) => {
    const boss = await room.join('boss@example.com', 'administrator');
    const owner = await room.join('owner@example.com', 'owner');
    const member = await room.join('member@example.com', 'member');
    const orders = by(owner.id, 'owner');
    const change = (id: string, role: Role) => codeOf(room.members.change(id, { role }, orders));
    expect(await change(member.id, 'administrator')).toBe('not_allowed');
    expect(await change(boss.id, 'member')).toBe('not_allowed');
    expect(await codeOf(room.members.remove(boss.id, orders))).toBe('not_allowed');
    expect(await codeOf(room.members.resetLink(boss.id, orders))).toBe('not_allowed');
    expect(await change(member.id, 'owner')).toBe('done');
    const elsewhere = by('usr_other', 'owner', 'bob');
    for (const work of [
      () => room.members.change(member.id, { role: 'member' }, elsewhere),
      () => room.members.remove(member.id, elsewhere),
      () => room.members.resetLink(member.id, elsewhere),
    ]) {
      expect(await codeOf(work())).toBe('not_found');
    }
  });

  law('of the last owner or administrator cannot be changed', async (room) => {
    const owner = await room.join('owner@example.com', 'owner', 'bob');
    await room.join('member@example.com', 'member', 'bob');
    for (const work of [
      () => room.members.change(owner.id, { role: 'member' }, ADMIN),
      () => room.members.change(owner.id, { accountId: 'alice' }, ADMIN),
      () => room.members.remove(owner.id, ADMIN),
    ]) {
      expect(await codeOf(work())).toBe('last_of_role');
    }
    const boss = await room.join('boss@example.com', 'administrator');
    expect(await codeOf(room.members.remove(boss.id, ADMIN))).toBe('last_of_role');
    expect(await codeOf(room.members.change(boss.id, { role: 'owner' }, ADMIN))).toBe(
      'last_of_role',
    );
    expect(await room.people.get(boss.id)).toMatchObject({ role: 'administrator' });
  });

  law('cannot be removed by two owners from each other at once', async (room) => {
    const [one, two] = await Promise.all([
      room.join('one@example.com', 'owner', 'bob'),
      room.join('two@example.com', 'owner', 'bob'),
    ]);
    const down = (id: string, actor: string) =>
      codeOf(room.members.change(id, { role: 'member' }, by(actor, 'owner', 'bob')));
    const codes = await Promise.all([down(one.id, two.id), down(two.id, one.id)]);
    expect(codes.toSorted()).toEqual(['done', 'last_of_role']);
  });

  law("revokes the person's links when it shrinks", async (room) => {
    const owner = await room.join('owner@example.com', 'owner');
    await room.join('second@example.com', 'owner');
    const wanted = { role: 'owner', email: null, place: PLACE } as const;
    const { link } = await room.invitations.create(wanted, by(owner.id, 'owner'));
    await room.members.change(owner.id, { role: 'member' }, ADMIN);
    expect(await room.links.open(tokenOf(link.url))).toBeNull();
  });
}
