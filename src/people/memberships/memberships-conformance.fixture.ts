/**
 * Tests on every engine how a person joins and leaves further accounts, and how the person's role
 * in them changes.
 */
import { describe, expect } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { type Open, rule } from '../../ledger/conformance/conformance-rule.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import { Mailer } from '../../mail/mailer.ts';
import type { InvitationPlace } from '../invitations.ts';
import { OwnerMail } from '../mail/owner-mail.ts';
import type { Authority } from '../members.ts';
import {
  ADMIN,
  type Browser,
  PASSWORD,
  type PeopleRoom,
  pausedRoom,
  roomOf,
  tokenOf,
} from '../people.fixture.ts';
import { codeOf, type Law } from '../people-conformance.fixture.ts';
import type { PersonRecord, Role } from '../person.ts';

const BEA = 'bea@example.com';
const BOB: InvitationPlace = { accountId: 'bob', newAccount: null };
const FIRST = { limit: 50, after: null };
/**
 * The owner of the account `bob`, as the author of changes. `IN_BOB` is an administrator who acts
 * in that account.
 */
const BOSS: Authority = { actor: 'usr_boss', role: 'owner', accountId: 'bob' };
const IN_BOB: Authority = { ...ADMIN, accountId: 'bob' };

/** Bea, a member of the account `alice`, and a browser in which she is signed in. */
type Bea = { readonly bea: PersonRecord; readonly browser: Browser };
type Rule = (room: PeopleRoom, bea: Bea, database: Database) => Promise<void>;

export function membershipConformance(open: Open): void {
  const law = (name: string, statement: Rule) =>
    rule(open, name, async (database) => {
      const room = roomOf(database);
      const bea = await room.join(BEA, 'member');
      await statement(room, { bea, browser: await room.browserOf(BEA) }, database);
    });
  describe('a further account', () => {
    joining(law);
    refusing(law);
    leaving(law);
    keepingOwners(law);
  });
}

async function sessionOf({ sessions }: PeopleRoom, { cookie }: Browser) {
  const session = await sessions.of(cookie);
  if (session === null) throw new Error('nobody is signed in');
  return session;
}

const placeOf = async (room: PeopleRoom, browser: Browser) => {
  const { accountId, role } = (await sessionOf(room, browser)).person;
  return [accountId, role];
};

async function invited(
  room: PeopleRoom,
  role: Role = 'owner',
  place: InvitationPlace = BOB,
  email: string | null = null,
): Promise<string> {
  return tokenOf((await room.invitations.create({ role, email, place }, ADMIN)).link.url);
}

async function accept(room: PeopleRoom, browser: Browser, token: string) {
  return await room.memberships.accept(token, await sessionOf(room, browser));
}

async function chosen(room: PeopleRoom, browser: Browser, accountId: string) {
  return await room.memberships.choose(await sessionOf(room, browser), accountId);
}

type Laws = (name: string, statement: Rule) => ReturnType<Law>;

function joining(law: Laws): void {
  law('is joined with the sign-in that the person has', async (room, { bea, browser }, { sql }) => {
    const elsewhere = await room.browserOf(BEA);
    const joined = await accept(room, browser, await invited(room));
    expect(joined).toEqual({ id: 'bob', name: 'bob', role: 'owner' });
    expect(await placeOf(room, browser)).toEqual(['bob', 'owner']);
    expect(await placeOf(room, elsewhere)).toEqual(['alice', 'member']);
    expect(await room.memberships.list(bea.id)).toEqual([
      { id: 'alice', name: 'alice', role: 'member' },
      { id: 'bob', name: 'bob', role: 'owner' },
    ]);
    const rows = await sql.query({
      sql: "SELECT actor, detail FROM audit WHERE action = 'person.join' ORDER BY id DESC LIMIT 1",
      params: [],
    });
    expect(rows[0]?.['actor']).toBe(bea.id);
    expect(String(rows[0]?.['detail'])).toContain('"account_id":"bob"');
  });

  law('is chosen for one session, and only if it is theirs', async (room, { browser }) => {
    await accept(room, browser, await invited(room, 'read_only'));
    expect(await chosen(room, browser, 'alice')).toMatchObject({ role: 'member' });
    expect(await placeOf(room, browser)).toEqual(['alice', 'member']);
    await chosen(room, browser, 'bob');
    expect(await placeOf(room, browser)).toEqual(['bob', 'read_only']);
    expect(await codeOf(chosen(room, browser, 'carol'))).toBe('not_found');
    expect(await placeOf(room, browser)).toEqual(['bob', 'read_only']);
  });

  law('is opened by the next sign-in if it was used last', async (room, { browser }) => {
    const signedIn = async () => await placeOf(room, await room.browserOf(BEA));
    expect(await signedIn()).toEqual(['alice', 'member']);
    await accept(room, browser, await invited(room, 'read_only'));
    expect(await signedIn()).toEqual(['bob', 'read_only']);
    await chosen(room, browser, 'alice');
    expect(await signedIn()).toEqual(['alice', 'member']);
    await chosen(room, browser, 'bob');
    expect(await signedIn()).toEqual(['bob', 'read_only']);
    const place = { accountId: null, newAccount: 'Acme' } as const;
    const { id } = await accept(room, browser, await invited(room, 'owner', place));
    expect(await signedIn()).toEqual([id, 'owner']);
    await room.members.leave((await sessionOf(room, browser)).person.id, id);
    expect(await signedIn()).toEqual(['alice', 'member']);
  });

  law('is new where the invitation says so', async (room, { browser }) => {
    const place = { accountId: null, newAccount: 'Acme' } as const;
    const { id, name, role } = await accept(room, browser, await invited(room, 'owner', place));
    expect([name, role]).toEqual(['Acme', 'owner']);
    expect(await placeOf(room, browser)).toEqual([id, 'owner']);
  });

  law('shows the person among its people, and once among all', async (room, { bea, browser }) => {
    await accept(room, browser, await invited(room, 'read_only'));
    const list = async (accountId: string | null) =>
      (await room.people.list({ accountId, email: BEA }, FIRST)).items.map((each) => [
        ...[each.accountId, each.accountName, each.role, each.isFurther],
      ]);
    expect(await list('alice')).toEqual([['alice', 'alice', 'member', false]]);
    expect(await list('bob')).toEqual([['bob', 'bob', 'read_only', true]]);
    expect(await list(null)).toEqual([['alice', 'alice', 'member', false]]);
    expect(await room.people.get(bea.id, 'bob')).toMatchObject({ role: 'read_only' });
    expect(await room.people.get(bea.id)).toMatchObject({ role: 'member' });
  });

  law(
    'sends its letters to all of its owners, and to the member concerned',
    async (room, { browser }, { sql }) => {
      await room.join('dan@example.com', 'owner', 'bob');
      const recipients: string[] = [];
      const mailer = new Mailer({
        outbox: {
          draw: () => {
            throw new Error('no statement is asked for');
          },
          add: async ({ to }) => {
            recipients.push(to);
            return to;
          },
          countOf: async () => recipients.length,
        },
        isOn: () => true,
        brand: () => ({ name: 'Modelgate', support_url: null }),
        wake: () => undefined,
      });
      const words = { subject: 'Low balance', paragraphs: [] };
      const said = () => () => ({ en: words, zh: words });
      const ownerMail = new OwnerMail({ sql, mailer, clock: manualClock() });
      await ownerMail.send('bob', 'alert', 'one', said);
      await accept(room, browser, await invited(room));
      await ownerMail.send('bob', 'alert', 'two', said);
      expect(recipients).toEqual(['dan@example.com', BEA, 'dan@example.com']);
      const { id } = await room.join('may@example.com', 'member', 'bob');
      const stranger = await room.join('cy@example.com', 'member');
      recipients.splice(0);
      await ownerMail.send('bob', 'alert', 'three', said, id);
      expect(recipients).toEqual(['may@example.com', BEA, 'dan@example.com']);
      recipients.splice(0);
      await room.preferences.set(id, { language: 'en', alerts: false });
      for (const each of [id, stranger.id]) {
        await ownerMail.send('bob', 'alert', `four ${each}`, said, each);
      }
      expect(recipients).toEqual([BEA, 'dan@example.com', BEA, 'dan@example.com']);
    },
  );
}

function refusing(law: Laws): void {
  law('is joined once by a link, and not twice by a person', async (room, { bea, browser }) => {
    await room.join('cy@example.com', 'member');
    const cy = await room.browserOf('cy@example.com');
    const token = await invited(room);
    const codes = [accept(room, browser, token), accept(room, cy, token)].map(codeOf);
    expect((await Promise.all(codes)).toSorted()).toEqual(['done', 'link_not_valid']);
    for (const each of [browser, cy]) await codeOf(accept(room, each, await invited(room)));
    expect(await codeOf(accept(room, browser, await invited(room)))).toBe('conflict');
    const own = { accountId: 'alice', newAccount: null } as const;
    const open = await invited(room, 'owner', own);
    expect(await codeOf(accept(room, browser, open))).toBe('conflict');
    expect(await room.links.open(open)).not.toBeNull();
    expect(await room.memberships.list(bea.id)).toHaveLength(2);
  });

  law(
    'is not joined with the address of another, nor as administrator',
    async (room, { browser }) => {
      const other = await invited(room, 'member', BOB, 'other@example.com');
      expect(await codeOf(accept(room, browser, other))).toBe('invalid_value');
      const wanted = await invited(room, 'administrator');
      expect(await codeOf(accept(room, browser, wanted))).toBe('not_allowed');
      expect(await codeOf(accept(room, browser, 'x'.repeat(43)))).toBe('link_not_valid');
      expect(await placeOf(room, browser)).toEqual(['alice', 'member']);
      await accept(room, browser, await invited(room, 'member', BOB, BEA));
      expect(await placeOf(room, browser)).toEqual(['bob', 'member']);
    },
  );

  law('is not open to the owners of another by a reset link', async (room, { bea, browser }) => {
    const owner: Authority = { actor: 'usr_alice', role: 'owner', accountId: 'alice' };
    const before = await room.members.resetLink(bea.id, owner);
    await accept(room, browser, await invited(room));
    expect(await room.links.open(tokenOf(before.url))).toBeNull();
    for (const by of [owner, BOSS]) {
      expect(await codeOf(room.members.resetLink(bea.id, by))).toBe('not_allowed');
    }
    for (const by of [ADMIN, IN_BOB]) {
      const { url } = await room.members.resetLink(bea.id, by);
      expect(await room.credentials.resetPassword(tokenOf(url), PASSWORD)).toBe(BEA);
    }
  });
}

function leaving(law: Laws): void {
  law('is left at once by a person whom its owner removes', async (room, { bea, browser }) => {
    await accept(room, browser, await invited(room, 'member'));
    const role = (await room.members.change(bea.id, { role: 'read_only' }, BOSS)).role;
    expect(role).toBe('read_only');
    expect(await placeOf(room, browser)).toEqual(['bob', 'read_only']);
    await room.members.remove(bea.id, BOSS);
    expect(await placeOf(room, browser)).toEqual(['alice', 'member']);
    expect(await codeOf(room.people.get(bea.id, 'bob'))).toBe('not_found');
    expect(await codeOf(room.members.remove(bea.id, BOSS))).toBe('not_found');
    expect(await codeOf(chosen(room, browser, 'bob'))).toBe('not_found');
  });

  law('keeps a person who joins it while an owner removes them', async (room, her, database) => {
    const { bea, browser } = her;
    const owner: Authority = { actor: 'usr_alice', role: 'owner', accountId: 'alice' };
    const paused = pausedRoom(database, /DELETE FROM person /);
    const removal = codeOf(paused.room.members.remove(bea.id, owner));
    await paused.reached;
    await accept(room, browser, await invited(room));
    paused.proceed();
    expect(await removal).toBe('conflict');
    expect(await placeOf(room, browser)).toEqual(['bob', 'owner']);
    await room.members.remove(bea.id, owner);
    expect(await room.people.get(bea.id)).toMatchObject({ accountId: 'bob' });
  });

  law('becomes the main one when the main one is left', async (room, { bea, browser }) => {
    const owner: Authority = { actor: 'usr_alice', role: 'owner', accountId: 'alice' };
    const there = await room.browserOf(BEA);
    await accept(room, browser, await invited(room));
    await room.members.remove(bea.id, owner);
    for (const each of [browser, there]) {
      expect(await placeOf(room, each)).toEqual(['bob', 'owner']);
    }
    expect(await room.people.get(bea.id)).toMatchObject({ accountId: 'bob', isFurther: false });
    expect(await room.memberships.list(bea.id)).toHaveLength(1);
    await room.join('dan@example.com', 'owner', 'bob');
    await room.members.remove(bea.id, BOSS);
    expect(await room.sessions.of(browser.cookie)).toBeNull();
  });

  law('is left by the person, with an entry', async (room, { bea, browser }, { sql }) => {
    const leave = (account: string) => codeOf(room.members.leave(bea.id, account));
    expect(await leave('alice')).toBe('conflict');
    await accept(room, browser, await invited(room));
    expect(await leave('carol')).toBe('not_found');
    const dan = await room.join('dan@example.com', 'member', 'bob');
    expect(await leave('bob')).toBe('last_of_role');
    await room.members.change(dan.id, { role: 'owner' }, IN_BOB);
    expect(await leave('bob')).toBe('done');
    expect(await placeOf(room, browser)).toEqual(['alice', 'member']);
    const params = [bea.id];
    const rows = await sql.query({
      ...{ sql: "SELECT actor, detail FROM audit WHERE action = 'person.leave' AND subject = $1" },
      params,
    });
    expect(rows).toHaveLength(1);
    expect(rows[0]?.['actor']).toBe(bea.id);
    expect(String(rows[0]?.['detail'])).toContain('"account_id":"bob"');
  });

  law(
    'stays when the main one is left, and is the last to be left',
    async (room, { bea, browser }) => {
      await accept(room, browser, await invited(room));
      await room.members.leave(bea.id, 'alice');
      expect(await placeOf(room, browser)).toEqual(['bob', 'owner']);
      expect(await room.people.get(bea.id)).toMatchObject({ accountId: 'bob', isFurther: false });
      expect(await codeOf(room.members.leave(bea.id, 'bob'))).toBe('conflict');
    },
  );

  law('is no way out of their main account for administrators', async (room, { bea, browser }) => {
    await accept(room, browser, await invited(room));
    await room.members.change(bea.id, { role: 'administrator' }, ADMIN);
    expect(await codeOf(room.members.leave(bea.id, 'alice'))).toBe('not_allowed');
    expect(await codeOf(room.members.leave(bea.id, 'bob'))).toBe('done');
  });

  law('is left when an administrator deletes the person', async (room, { bea, browser }) => {
    await accept(room, browser, await invited(room));
    await room.members.remove(bea.id, ADMIN);
    expect(await room.sessions.of(browser.cookie)).toBeNull();
    expect((await room.people.list({ accountId: 'bob', email: null }, FIRST)).items).toEqual([]);
  });

  law('revokes the links that the person made', async (room, { bea, browser }) => {
    await accept(room, browser, await invited(room));
    const by: Authority = { actor: bea.id, role: 'owner', accountId: 'bob' };
    const wanted = { role: 'owner', email: null, place: BOB } as const;
    const { link } = await room.invitations.create(wanted, by);
    await room.join('dan@example.com', 'owner', 'bob');
    await room.members.change(bea.id, { role: 'member' }, BOSS);
    expect(await room.links.open(tokenOf(link.url))).toBeNull();
  });

  law('leaves the invitations to other accounts', async (room, { bea, browser }) => {
    await accept(room, browser, await invited(room));
    await room.join('dan@example.com', 'owner', 'bob');
    await room.join('eve@example.com', 'owner');
    await room.members.change(bea.id, { role: 'owner' }, { ...ADMIN, accountId: 'alice' });
    const make = async (accountId: string) => {
      const wanted = {
        role: 'owner',
        email: null,
        place: { accountId, newAccount: null },
      } as const;
      const { link } = await room.invitations.create(wanted, {
        ...{ actor: bea.id, role: 'owner', accountId },
      });
      return tokenOf(link.url);
    };
    const [own, other] = [await make('bob'), await make('alice')];
    await room.members.leave(bea.id, 'bob');
    expect(await room.links.open(own)).toBeNull();
    expect(await room.links.open(other)).not.toBeNull();
    await room.members.remove(bea.id, ADMIN);
    expect(await room.links.open(other)).toBeNull();
  });
}

function keepingOwners(law: Laws): void {
  law('keeps its last owner while others are in it', async (room, { bea, browser }) => {
    await accept(room, browser, await invited(room));
    const dan = await room.join('dan@example.com', 'member', 'bob');
    for (const work of [
      () => room.members.change(bea.id, { role: 'member' }, BOSS),
      () => room.members.remove(bea.id, BOSS),
      () => room.members.remove(bea.id, ADMIN),
    ]) {
      expect(await codeOf(work())).toBe('last_of_role');
    }
    await room.members.change(dan.id, { role: 'owner' }, IN_BOB);
    // An owner by membership counts as an owner, like a person whose main account this is.
    await room.members.change(dan.id, { role: 'member' }, IN_BOB);
    await room.members.change(dan.id, { role: 'owner' }, IN_BOB);
    expect(await codeOf(room.members.remove(bea.id, ADMIN))).toBe('done');
    expect(await codeOf(room.members.change(dan.id, { role: 'member' }, IN_BOB))).toBe(
      'last_of_role',
    );
  });

  law('is not moved, nor raised to administrator', async (room, { bea, browser }) => {
    await accept(room, browser, await invited(room));
    const change = (to: object, by: Authority) => codeOf(room.members.change(bea.id, to, by));
    expect(await change({ role: 'administrator' }, IN_BOB)).toBe('not_allowed');
    expect(await change({ accountId: 'alice' }, IN_BOB)).toBe('conflict');
    expect(await change({ accountId: 'bob' }, ADMIN)).toBe('conflict');
    expect(await change({ role: 'owner' }, ADMIN)).toBe('done');
    expect(await placeOf(room, browser)).toEqual(['bob', 'owner']);
  });
}
