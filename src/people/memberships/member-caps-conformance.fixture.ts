/** Tests the spending limits of members on every engine, and which keys count toward a limit. */
import { expect } from 'bun:test';
import { Accounts } from '../../accounts/accounts.ts';
import { capsBody } from '../../accounts/limits/limits.ts';
import { capsOf } from '../../accounts/limits/spend-windows.ts';
import { manualClock } from '../../clock.fixture.ts';
import { systemClock } from '../../clock.ts';
import { type Open, rule } from '../../ledger/conformance/conformance-rule.fixture.ts';
import { AT_MS, credit, hold, receipt, settle } from '../../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import type { HeldInMemory } from '../../ledger/held-in-memory.ts';
import { nano } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import { ADMIN, type PeopleRoom, roomOf } from '../people.fixture.ts';
import { codeOf } from '../people-conformance.fixture.ts';
import { budgetTag, MemberCaps, type MemberPlace } from './member-caps.ts';

const OWNER = 'usr_owner';
const usd = (units: number) => nano(BigInt(units) * 1_000_000_000n);

type Scene = {
  readonly database: Database;
  readonly room: PeopleRoom;
  readonly caps: MemberCaps;
  readonly advance: (byMs: number) => void;
  /** Creates an API key of this person. Returns the key's id. */
  readonly keyOf: (personId: string, accountId?: string) => Promise<string>;
  readonly accounts: Accounts;
  /** Bea as a member of the account `alice`. */
  readonly bea: MemberPlace;
};

export function memberCapConformance(open: Open): void {
  const law = (name: string, statement: (scene: Scene) => Promise<void>) =>
    rule(open, name, async (database) => await statement(await sceneOf(database)));
  spending(law);
  setting(law);
  leaving(law);
}

/** Adds Bea to the account `alice`. The clock starts at the time of the ledger's commands. */
async function sceneOf(database: Database): Promise<Scene> {
  const clock = { ...manualClock(AT_MS), randomBytes: systemClock.randomBytes };
  const { sql, ledger } = database;
  const room = roomOf(database);
  const accounts = new Accounts({ sql, clock, inMemory: ledger.inMemory, onLastUsedFailure: fail });
  const { id } = await room.join('bea@example.com', 'member');
  return {
    ...{ database, room, accounts },
    caps: new MemberCaps({ sql, clock, inMemory: ledger.inMemory }),
    advance: clock.advance,
    keyOf: async (personId, accountId = 'alice') =>
      (await accounts.createKey(accountId, { name: 'of a test' }, personId)).record.id,
    bea: { personId: id, accountId: 'alice' },
  };
}

function fail(thrown: unknown): never {
  throw thrown;
}

async function charge({ database }: Scene, id: string, keyId: string, amount: number) {
  const accountId = 'alice';
  await database.ledger.apply([
    hold(id, usd(amount), { keyId }),
    { ...settle(id, usd(amount)), receipt: receipt(id, usd(amount), { accountId, keyId }) },
  ]);
}

type Law = (name: string, statement: (scene: Scene) => Promise<void>) => void;

function spending(law: Law): void {
  law('a member has spent what the keys that they created spent, revoked ones too', async (it) => {
    const { bea, caps, database } = it;
    await database.ledger.apply([credit('c1', usd(100))]);
    const [first, second] = [await it.keyOf(bea.personId), await it.keyOf(bea.personId)];
    const other = await it.keyOf('usr_other');
    await charge(it, 'h1', first, 3);
    await charge(it, 'h2', second, 4);
    await charge(it, 'h3', other, 16);
    await charge(it, 'h4', 'key_alice', 32);
    await it.accounts.keysOf('alice').revoke(second, 'admin');
    const elsewhere = { ...bea, accountId: 'bob' };
    const budgetOf = await caps.ofEach([bea, elsewhere, { ...bea, personId: 'usr_other' }]);
    expect(budgetOf(bea).spend.month.spent).toBe(usd(7));
    expect(budgetOf(elsewhere).spend.month.spent).toBe(usd(0));
    expect(budgetOf({ ...bea, personId: 'usr_other' }).spend.day.spent).toBe(usd(16));
    expect(await caps.capped(bea)).toBeNull();

    await caps.change(bea, { day: usd(10), month: usd(20) }, OWNER);
    await database.ledger.apply([hold('h5', usd(2), { keyId: first })]);
    const { day, week, month } = (await caps.capped(bea))?.spend ?? {};
    expect([day?.remaining, week?.remaining, month?.remaining]).toEqual([usd(1), null, usd(11)]);
    it.advance(DAY_MS);
    const later = (await caps.capped(bea))?.spend;
    expect([later?.day.spent, later?.day.remaining]).toEqual([usd(0), usd(8)]);
    expect([later?.month.spent, later?.month.remaining]).toEqual([usd(7), usd(11)]);
  });

  law('what is held in memory counts, per key', async ({ database, bea, keyOf }) => {
    const [first, second] = [await keyOf(bea.personId), await keyOf(bea.personId)];
    const other = await keyOf('usr_other');
    const held = new Map([[first, usd(1)] as const, [second, usd(2)], [other, usd(4)]]);
    const inMemory: HeldInMemory = {
      ...{ request: () => false, wallet: () => 0n },
      meter: (_account, key) => held.get(key ?? '') ?? 0n,
    };
    const clock = { ...systemClock, nowMs: () => AT_MS };
    const caps = new MemberCaps({ sql: database.sql, clock, inMemory });
    const { spend } = await caps.change(bea, { week: usd(10) }, OWNER);
    expect(spend.week).toMatchObject({ spent: usd(0), remaining: usd(7) });
  });
}

function setting(law: Law): void {
  law(
    'a change keeps the other windows, and is in the audit log',
    async ({ caps, bea, database }) => {
      const { sql } = database;
      await caps.change(bea, { day: usd(5), month: usd(50) }, OWNER);
      const { spend } = await caps.change(bea, { week: usd(20), day: null }, OWNER);
      expect(capsBody(capsOf(spend))).toMatchObject({
        ...{ day: null, week: '20.000000000', month: '50.000000000' },
      });
      const entries = await sql.query({
        sql: "SELECT actor, subject, detail FROM audit WHERE action = 'person.limits' ORDER BY id",
        params: [],
      });
      expect(entries).toHaveLength(2);
      expect(entries[1]).toMatchObject({ actor: OWNER, subject: bea.personId });
      expect(JSON.parse(String(entries[1]?.['detail']))).toEqual({
        account_id: 'alice',
        before: '{"day":"5.000000000","week":null}',
        after: '{"day":null,"week":"20.000000000"}',
      });

      await caps.change(bea, { week: usd(20) }, OWNER);
      await caps.change(bea, { week: null, month: null }, OWNER);
      const rows = await sql.query({ sql: 'SELECT person_id FROM member_cap', params: [] });
      expect(rows).toEqual([]);
      const logged = await sql.query({
        sql: "SELECT id FROM audit WHERE action = 'person.limits'",
        params: [],
      });
      expect(logged).toHaveLength(3);
    },
  );

  law('a change of outdated limits is refused, and concurrent ones are all made', async (it) => {
    const { caps, bea } = it;
    const seen = budgetTag(await caps.get(bea));
    const isSeen = (etag: string) => etag === seen;
    await caps.change(bea, { day: usd(5) }, OWNER, isSeen);
    expect(await codeOf(caps.change(bea, { day: usd(6) }, OWNER, isSeen))).toBe('revision_changed');
    await Promise.all([
      caps.change(bea, { day: usd(7) }, OWNER),
      caps.change(bea, { week: usd(8) }, OWNER),
      caps.change(bea, { month: usd(9) }, OWNER),
    ]);
    const { day, week, month } = (await caps.get(bea)).spend;
    expect([day.cap, week.cap, month.cap]).toEqual([usd(7), usd(8), usd(9)]);
  });
}

function leaving(law: Law): void {
  law(
    'the limits of a removed person stay, and can be changed',
    async ({ room, caps, bea, keyOf }) => {
      const stranger = { personId: 'usr_stranger', accountId: 'alice' };
      expect(await codeOf(caps.get(stranger))).toBe('not_found');
      expect(await codeOf(caps.change(stranger, { day: usd(1) }, OWNER))).toBe('not_found');
      expect(await codeOf(caps.get({ ...bea, accountId: 'bob' }))).toBe('not_found');
      expect((await caps.get(bea)).name).toBe('bea');

      await caps.change(bea, { month: usd(50) }, OWNER);
      await room.members.remove(bea.personId, ADMIN);
      const left = await caps.get(bea);
      expect([left.name, left.spend.month.cap]).toEqual([null, usd(50)]);
      await caps.change(bea, { month: null }, OWNER);
      expect(await codeOf(caps.get(bea))).toBe('not_found');
      await keyOf(bea.personId);
      expect((await caps.change(bea, { day: usd(2) }, OWNER)).spend.day.cap).toBe(usd(2));
    },
  );
}
