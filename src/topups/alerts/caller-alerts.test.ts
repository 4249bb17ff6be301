import { afterAll, describe, expect, test } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import type { Open } from '../../ledger/conformance/conformance-rule.fixture.ts';
import { furnish } from '../../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { DAY_MS, daysAt } from '../../money/calendar.ts';
import { MAX_ALERTS_A_DAY } from '../../people/mail/owner-mail.ts';
import { statement } from '../../store/sql.ts';
import { AlertLog } from './alert-log.ts';
import { AlertOutbox } from './alert-outbox.ts';
import { CallerAlerts } from './caller-alerts.ts';

afterAll(removeFiles);

describe('SQLite', () => callerAlertsConformance(() => openFile(newFile())));
describe('PostgreSQL', () => callerAlertsConformance(() => openPostgresForTest()));

const nanos = (units: number): bigint => BigInt(units) * 1_000_000_000n;

function roomOf({ sql }: Database) {
  const clock = manualClock();
  const outbox = new AlertOutbox(sql);
  const letters: string[] = [];
  const failures: unknown[] = [];
  const nodeOf = (): CallerAlerts =>
    new CallerAlerts({
      sql,
      clock,
      publicUrl: 'http://gateway',
      ownerMail: {
        send: async (accountId, kind, event, said, memberId) => {
          const { subject } = said('Alice Ltd')('Acme').en;
          const to = memberId === undefined ? '' : ` for ${memberId}`;
          letters.push(`${accountId} ${kind} ${event.slice(0, 4)}${to}: ${subject}`);
        },
      },
      raise: (alert) => outbox.add(alert),
      onFailure: (thrown) => failures.push(thrown),
    });
  const log = async (): Promise<readonly object[]> =>
    (await new AlertLog(sql).of('alice')).map(({ fields }) => fields);
  /** Sets the account's spending of today and its daily cap, in whole USD. */
  const spend = (spent: number, cap: number) =>
    sql.query(statement`UPDATE spend_meter SET cap_day = ${nanos(cap)}, in_day = ${nanos(spent)},
      day = ${daysAt(clock.nowMs()).day} WHERE owner_id = 'alice' RETURNING owner_id`);
  return { clock, letters, failures, nodeOf, log, spend };
}

/**
 * The timeout of a test. The first test that needs PostgreSQL also waits for the start of the
 * server.
 */
const SERVER_START_MS = 180_000;

function callerAlertsConformance(open: Open): void {
  const on = (name: string, run: (database: Database) => Promise<void>): void =>
    test(
      name,
      async () => {
        const database = await open();
        await furnish(database);
        await run(database).finally(() => database.close());
      },
      SERVER_START_MS,
    );
  on('reports the highest crossed part of a cap once a period, on all nodes', async (db) => {
    const { clock, letters, failures, nodeOf, log, spend } = roomOf(db);
    const [one, two] = [nodeOf(), nodeOf()];
    await spend(4, 10);
    await one.look();
    expect(letters).toEqual([]);
    await spend(6, 10);
    await one.look();
    await one.look();
    await two.look();
    await nodeOf().look();
    const half = 'alice alert alt_: Acme: 50% of a spending limit is used (Alice Ltd)';
    expect(new Set(letters)).toEqual(new Set([half]));
    expect(await log()).toMatchObject([
      { type: 'budget.reached', key_name: null, window: 'day', percent: '50', cap: '10.000000000' },
    ]);
    await spend(10, 10);
    await two.look();
    await one.look();
    expect((await log()).map((alert) => Object(alert).percent).toSorted()).toEqual(['100', '50']);
    clock.advance(DAY_MS);
    await one.look();
    expect(await log()).toHaveLength(2);
    await spend(6, 10);
    await one.look();
    expect(await log()).toHaveLength(3);
    expect(failures).toEqual([]);
    for (const node of [one, two]) await node.stop();
  });

  on('raises no more alerts of an account that changes its limits all day', async (db) => {
    const { clock, letters, nodeOf, spend } = roomOf(db);
    await db.sql.query(statement`WITH RECURSIVE counted (n) AS (
        SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${MAX_ALERTS_A_DAY - 1})
      INSERT INTO alert (id, body, next_at_ms, created_at_ms, for_account)
      SELECT 'alt_' || n, '{}', 0, ${clock.nowMs()}, 'alice' FROM counted`);
    const node = nodeOf();
    for (const cap of [10, 9, 8]) {
      await spend(8, cap);
      await node.look();
    }
    expect(letters).toHaveLength(1);
    clock.advance(DAY_MS);
    // The clock has started a check, which must end before the next one.
    await node.look();
    await spend(8, 8);
    await node.look();
    expect(letters).toHaveLength(2);
    await node.stop();
  });

  on('does not repeat an alert of a total cap after the retention of alerts', async (db) => {
    const { clock, letters, nodeOf, log } = roomOf(db);
    await db.sql.query(statement`UPDATE spend_meter SET cap_total = ${nanos(10)},
      total = ${nanos(6)} WHERE owner_id = 'alice' RETURNING owner_id`);
    const first = nodeOf();
    await first.look();
    await first.stop();
    clock.advance(31 * DAY_MS);
    await new AlertOutbox(db.sql).forget(clock.nowMs() - 30 * DAY_MS);
    const restarted = nodeOf();
    await restarted.look();
    await restarted.stop();
    expect(letters).toHaveLength(1);
    expect(await log()).toMatchObject([{ window: 'total', percent: '50' }]);
  });

  on(
    'reports what the keys of a member used of their cap together, to the member too',
    async (db) => {
      const { clock, letters, failures, nodeOf, log } = roomOf(db);
      const { day, month } = daysAt(clock.nowMs());
      const { sql } = db;
      await sql.query(statement`INSERT INTO member_cap (account_id, person_id, cap_day, cap_month)
      VALUES ('alice', 'usr_bea', ${nanos(100)}, ${nanos(10)}) RETURNING person_id`);
      const key = async (id: string, fill: number, creator: string, spent: number) => {
        await sql.query(statement`INSERT INTO api_key (id, account_id, name, hash, prefix, last4,
          created_at_ms, created_by)
        VALUES (${id}, 'alice', ${id}, ${new Uint8Array(32).fill(fill)}, 'sk', '0000', 0, ${creator})
        RETURNING id`);
        await sql.query(statement`UPDATE spend_meter SET in_day = ${nanos(spent)}, day = ${day},
        in_month = ${nanos(spent)}, month = ${month} WHERE owner_id = ${id} RETURNING owner_id`);
      };
      const [one, two] = [nodeOf(), nodeOf()];
      await key('key_1', 1, 'usr_bea', 4);
      await key('key_2', 2, 'usr_cy', 9);
      await one.look();
      expect(await log()).toEqual([]);
      await key('key_3', 3, 'usr_bea', 4);
      await one.look();
      await two.look();
      expect(await log()).toMatchObject([
        {
          ...{ type: 'budget.reached', account_id: 'alice', key_id: null, key_name: null },
          ...{ member_id: 'usr_bea', member_name: null, window: 'month', percent: '80' },
          ...{ spent: '8.000000000', cap: '10.000000000' },
        },
      ]);
      const letter =
        'alice alert alt_ for usr_bea: Acme: 80% of a spending limit is used (a former member)';
      expect(new Set(letters)).toEqual(new Set([letter]));
      clock.advance(32 * DAY_MS);
      await two.look();
      expect(await log()).toHaveLength(1);
      expect(failures).toEqual([]);
      for (const node of [one, two]) await node.stop();
    },
  );

  on('looks at few keys per statement, and at each of them', async (db) => {
    const { clock, failures, log } = roomOf(db);
    const outbox = new AlertOutbox(db.sql);
    const asked: string[] = [];
    const keys = Array.from({ length: 7 }, (_, at) => `key_${at}`);
    for (const [at, id] of keys.entries()) {
      await db.sql.query(statement`INSERT INTO api_key (id, account_id, name, hash, prefix, last4,
          created_at_ms, expires_at_ms)
        VALUES (${id}, 'alice', ${id}, ${new Uint8Array(32).fill(at + 1)}, 'sk', '0000', 0,
          ${clock.nowMs() + DAY_MS}) RETURNING id`);
      await db.sql.query(statement`UPDATE spend_meter SET cap_total = 10, total = 6
        WHERE owner_id = ${id} RETURNING owner_id`);
    }
    const node = new CallerAlerts({
      sql: {
        query: (of) => {
          asked.push(of.sql);
          return db.sql.query(of);
        },
        transaction: db.sql.transaction,
      },
      ...{ clock, publicUrl: 'http://gateway', stepRows: 2 },
      ownerMail: { send: async () => undefined },
      raise: (alert) => outbox.add(alert),
      onFailure: (thrown) => failures.push(thrown),
    });
    await node.look();
    await node.stop();
    const alerts = (await log()).map((alert) => `${Object(alert).type} ${Object(alert).key_name}`);
    const wanted = keys.flatMap((id) => [`budget.reached ${id}`, `key.expiring ${id}`]);
    expect(alerts.toSorted()).toEqual(wanted.toSorted());
    for (const table of ['FROM spend_meter LEFT JOIN', 'FROM api_key\n'])
      expect(asked.filter((sql) => sql.includes(table)).length).toBeGreaterThanOrEqual(4);
    expect(failures).toEqual([]);
  });

  on('reports a key a week and a day before its end, but no short-lived key', async (db) => {
    const { clock, nodeOf, log } = roomOf(db);
    const key = (id: string, fill: number, lifeMs: number) =>
      db.sql.query(statement`INSERT INTO api_key (id, account_id, name, hash, prefix, last4,
          created_at_ms, expires_at_ms)
        VALUES (${id}, 'alice', ${id}, ${new Uint8Array(32).fill(fill)}, 'sk', '0000',
          ${clock.nowMs()}, ${clock.nowMs() + lifeMs}) RETURNING id`);
    await key('key_long', 1, 30 * DAY_MS);
    await key('key_short', 2, 2 * DAY_MS);
    const node = nodeOf();
    await node.look();
    expect(await log()).toEqual([]);
    clock.advance(DAY_MS + 1);
    await node.look();
    await node.look();
    expect(await log()).toMatchObject([{ type: 'key.expiring', key_name: 'key_short' }]);
    clock.advance(22 * DAY_MS);
    await node.look();
    await node.look();
    clock.advance(6 * DAY_MS);
    await node.look();
    await node.look();
    const names = (await log()).map((alert) => Object(alert).key_name);
    expect(names.toSorted()).toEqual(['key_long', 'key_long', 'key_short']);
    await node.stop();
  });
}
