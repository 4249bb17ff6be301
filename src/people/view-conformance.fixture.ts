/** Tests on every engine how an administrator views an account, and how the view ends. */
import { describe, expect } from 'bun:test';
import { type Open, rule } from '../ledger/conformance/conformance-rule.fixture.ts';
import { ADMIN, type Browser, type PeopleRoom, roomOf } from './people.fixture.ts';
import { codeOf, type Law } from './people-conformance.fixture.ts';
import { mustSetUpTotp } from './person.ts';
import { VIEW_MS } from './sessions.ts';

const ADA = 'ada@example.com';

export function viewConformance(open: Open): void {
  const law: Law = (name, statement) =>
    rule(open, name, async (database) => {
      const room = roomOf(database);
      await room.join(ADA, 'administrator');
      await statement(room, database);
    });
  describe('a view of an account', () => {
    viewing(law);
    ending(law);
  });
}

async function seenBy({ sessions }: PeopleRoom, { cookie }: Browser) {
  const session = await sessions.of(cookie);
  if (session === null) throw new Error('nobody is signed in');
  return session.person;
}

async function leave(room: PeopleRoom, { cookie }: Browser): Promise<boolean> {
  const session = await room.sessions.of(cookie);
  if (session === null) throw new Error('nobody is signed in');
  return await room.sessions.endView(session);
}

function viewing(law: Law): void {
  law(
    'applies to one session, on every node, with the rights of an owner',
    async (room, database) => {
      const [here, there] = [await room.browserOf(ADA), await room.browserOf(ADA)];
      const startMs = room.clock.nowMs();
      const viewed = await room.sessions.view(here.cookie, 'bob');
      expect(viewed).toMatchObject({ id: 'bob', name: 'bob' });
      expect(viewed.endsAtMs - startMs).toBeGreaterThanOrEqual(VIEW_MS);
      const person = await seenBy(roomOf(database), here);
      expect(person).toMatchObject({ email: ADA, role: 'owner', accountId: 'bob' });
      expect(person).toMatchObject({ accountName: 'bob', view: { endsAtMs: viewed.endsAtMs } });
      const elsewhere = await seenBy(room, there);
      expect(elsewhere).toMatchObject({ role: 'administrator', accountId: 'alice' });
      expect(elsewhere.view).toBeUndefined();
    },
  );

  law('begins for administrators only', async (room, { sql }) => {
    await room.join('olga@example.com', 'owner');
    const olga = await room.browserOf('olga@example.com');
    expect(await codeOf(room.sessions.view(olga.cookie, 'bob'))).toBe('conflict');
    expect(await seenBy(room, olga)).toMatchObject({ role: 'owner', accountId: 'alice' });
    const ada = await room.browserOf(ADA);
    expect(await codeOf(room.sessions.view(ada.cookie, 'nobody'))).toBe('not_found');
    const query = "SELECT action FROM audit WHERE action LIKE 'account.view%'";
    expect(await sql.query({ sql: query, params: [] })).toEqual([]);
  });

  law('does not replace two-factor authentication', async (room) => {
    const browser = await room.browserOf(ADA);
    await room.sessions.view(browser.cookie, 'bob');
    expect(mustSetUpTotp(await seenBy(room, browser), true)).toBe(true);
  });
}

function ending(law: Law): void {
  law('ends by itself, and before when the administrator says so', async (room) => {
    const browser = await room.browserOf(ADA);
    await room.sessions.view(browser.cookie, 'bob');
    room.advance(VIEW_MS - 1_000);
    expect(await seenBy(room, browser)).toMatchObject({ accountId: 'bob' });
    room.advance(1_000);
    expect(await seenBy(room, browser)).toMatchObject({ accountId: 'alice' });
    expect(await leave(room, browser)).toBe(false);
    await room.sessions.view(browser.cookie, 'bob');
    expect(await leave(room, browser)).toBe(true);
    const { role, view } = await seenBy(room, browser);
    expect([role, view]).toEqual(['administrator', undefined]);
  });

  law('ends at once when the administrator loses the role', async (room) => {
    await room.join('eve@example.com', 'administrator');
    const browser = await room.browserOf(ADA);
    await room.sessions.view(browser.cookie, 'bob');
    await room.members.change((await seenBy(room, browser)).id, { role: 'read_only' }, ADMIN);
    expect(await seenBy(room, browser)).toMatchObject({ role: 'read_only', accountId: 'alice' });
  });
}
