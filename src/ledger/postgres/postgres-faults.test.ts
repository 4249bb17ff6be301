/** Tests of several nodes on one database, and of servers or networks that fail during a commit. */
import { afterAll, describe, expect, test } from 'bun:test';
import { systemClock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { MIGRATIONS } from '../../store/migrations.ts';
import { PostgresLink } from '../../store/postgres/postgres-link.ts';
import { refuseOlder } from '../../store/postgres/postgres-migrate.ts';
import { numbered } from '../../store/postgres/postgres-sql.ts';
import {
  addAccount,
  credit,
  failureOf,
  furnish,
  hold,
  settle,
} from '../conformance/ledger.fixture.ts';
import type { Outcome } from '../ledger.ts';
import { faultProxy } from './fault-proxy.fixture.ts';
import {
  NOTHING_ASSIGNED,
  newEmptyDatabase,
  newTestDatabase,
  openTestUrl,
  startServer,
  testServer,
} from './postgres.fixture.ts';
import { MAX_COMMANDS } from './postgres-assignments.ts';
import { PostgresCommits } from './postgres-commits.ts';
import { COMMANDS } from './postgres-wire.ts';

/** The limits of production, shortened for these tests. */
const QUICK = { attemptMs: 1_500, deadlineMs: 4_000, probeMs: 1_000, pauseMs: 20, answerMs: 2_000 };
const MAX_TRIES = 10;

/** Repeats a call to the ledger until it succeeds, at most `tries` times. */
async function askedAgain<Answer>(ask: () => Promise<Answer>, tries = MAX_TRIES): Promise<Answer> {
  try {
    return await ask();
  } catch (thrown) {
    if (tries <= 1) throw thrown;
    return await askedAgain(ask, tries - 1);
  }
}

describe('several nodes', () => {
  test('two nodes on one account respect its floor and do not deadlock', async () => {
    const url = await newTestDatabase();
    const [one, two] = [await openTestUrl(url), await openTestUrl(url)];
    await furnish(one);
    for (const id of ['carol', 'dave', 'erin']) await addAccount(one.sql, id);
    const names = ['alice', 'bob', 'carol', 'dave', 'erin'];
    await one.ledger.apply(names.map((id) => credit(`c_${id}`, 100n, { accountId: id })));
    // The two nodes list the accounts in opposite orders. Locks in these orders would deadlock.
    const batch = (node: string, round: number, order: readonly string[]) =>
      order.map((id) => hold(`${node}_${round}_${id}`, 7n, { accountId: id, keyId: `key_${id}` }));
    const asked: Promise<readonly Outcome[]>[] = [];
    for (let round = 0; round < 40; round += 1) {
      asked.push(one.ledger.apply(batch('one', round, names)));
      asked.push(two.ledger.apply(batch('two', round, names.toReversed())));
    }
    const outcomes = (await Promise.all(asked)).flat();
    // A balance of 100 covers 14 holds of 7.
    expect(outcomes.filter(({ status }) => status === 'applied')).toHaveLength(14 * names.length);
    expect(outcomes.filter(({ status }) => status === 'balance_too_low')).toHaveLength(
      outcomes.length - 14 * names.length,
    );
    expect(await one.ledger.verify()).toEqual([]);
    await one.close();
    await two.close();
  });

  test('two nodes of one name: the second is refused until the first has left', async () => {
    const url = await newTestDatabase();
    const [one, two] = [await openTestUrl(url), await openTestUrl(url)];
    expect(await one.ledger.join({ epoch: 'e1', name: 'same' }, 60_000)).toBe('joined');
    expect(await two.ledger.join({ epoch: 'e2', name: 'same' }, 60_000)).toBe('name_in_use');
    expect(await two.ledger.join({ epoch: 'e2', name: 'other' }, 60_000)).toBe('joined');
    expect(await one.ledger.renew('e1', 60_000)).toEqual({ isLive: true, nodes: 2 });
    await one.ledger.leave('e1');
    expect(await two.ledger.join({ epoch: 'e3', name: 'same' }, 60_000)).toBe('joined');
    await one.close();
    await two.close();
  });

  test('nodes that start at the same time migrate once', async () => {
    const url = await newEmptyDatabase();
    const opened = await Promise.all([openTestUrl(url), openTestUrl(url), openTestUrl(url)]);
    const steps = await opened[0].sql.query({ sql: 'SELECT id FROM schema_migration', params: [] });
    expect(steps).toHaveLength(MIGRATIONS.length);
    for (const each of opened) await each.close();
  });

  test('refuses a newer schema and an older server', async () => {
    const url = await newTestDatabase();
    const database = await openTestUrl(url);
    const sql = "INSERT INTO schema_migration VALUES (9999, 'from the future', 1, 9999)";
    await database.sql.query({ sql, params: [] });
    await database.close();
    expect(String(await failureOf(openTestUrl(url)))).toContain('newer modelgate (schema 9999');
    expect(() => refuseOlder(140_011, '14.11')).toThrow('PostgreSQL 14.11; modelgate needs 15');
    expect(() => refuseOlder(150_000, '15.0')).not.toThrow();
  });
});

describe('faults', () => {
  test('a connection that is cut after the commit charges nothing twice', async () => {
    const server = await testServer();
    const proxy = await faultProxy(server.host, server.port);
    afterAll(proxy.close);
    const direct = new URL(await newTestDatabase());
    const through = Object.assign(new URL(direct), { host: `127.0.0.1:${proxy.port}` });
    const database = await openTestUrl(through.href);
    await furnish(database);
    const { ledger } = database;
    await ledger.apply([credit('c1', 1_000n)]);
    proxy.cutNextAnswer();
    const [held] = await ledger.apply([hold('h1', 100n)]);
    expect(held).toMatchObject({ status: 'already_applied', result: { amount: 100n } });
    proxy.cutNextAnswer();
    const [settled] = await ledger.apply([settle('h1', 40n)]);
    expect(settled).toMatchObject({ status: 'already_applied', result: { amount: 40n } });
    expect(proxy.cuts()).toBe(2);
    expect((await ledger.wallets('alice'))[0]).toMatchObject({ balance: 960n, held: 0n });
    expect(await ledger.verify()).toEqual([]);
    await database.close();
  });

  test('a network that drops everything is reported as doubt, and recovers', async () => {
    const server = await testServer();
    const proxy = await faultProxy(server.host, server.port);
    afterAll(proxy.close);
    const direct = new URL(await newTestDatabase());
    const through = Object.assign(new URL(direct), { host: `127.0.0.1:${proxy.port}` });
    const patient = await openTestUrl(direct.href);
    await furnish(patient);
    const database = await openTestUrl(through.href, QUICK);
    await askedAgain(() => database.ledger.apply([credit('c0', 100n)]));
    proxy.blackhole(true);
    const swallowed = await failureOf(database.ledger.apply([credit('c1', 100n)]));
    expect(swallowed).toMatchObject({ name: 'OutcomeInDoubt', code: 'store_unavailable' });
    expect(await failureOf(database.ledger.wallets('alice'))).toMatchObject({
      code: 'store_unavailable',
    });
    proxy.blackhole(false);
    // On a busy machine, the next attempts may fail too. Repeating the credit is safe, because its
    // id is the same.
    const found = await askedAgain(() => database.ledger.apply([credit('c1', 100n)]));
    expect(found[0]?.status).toBeOneOf(['applied', 'already_applied']);
    expect((await patient.ledger.wallets('alice'))[0]).toMatchObject({ balance: 200n });
    await database.close();
    await patient.close();
  });

  test('when part of a batch is applied, no caller hears that nothing was done', async () => {
    const url = await newTestDatabase();
    const database = await openTestUrl(url);
    await furnish(database);
    await database.ledger.apply([credit('c1', 100n)]);
    // Each statement may take long, because a repeated one would count as one more request.
    const limits = { ...QUICK, attemptMs: 4_000, deadlineMs: 5_000 };
    const { attemptMs } = limits;
    const options = { url: new Secret(url), clock: systemClock };
    const link = new VanishingLink({ ...options, statementMs: attemptMs, lockMs: attemptMs });
    const commits = new PostgresCommits(COMMANDS, link, systemClock, limits);
    // PostgreSQL cannot store the id of the second command, so the batch is halved. After the first
    // half, the server becomes unavailable.
    const batch = ['h1', 'a\u0000', 'h3', 'h4'].map((id) => ({
      ...{ command: hold(id, 10n), moved: null, isFirm: true },
    }));
    link.asksLeft = 4;
    expect(await failureOf(commits.write(batch))).toMatchObject({ name: 'OutcomeInDoubt' });
    expect((await database.ledger.wallets('alice'))[0]).toMatchObject({ held: 10n });
    expect(await failureOf(commits.write(batch))).not.toMatchObject({ name: 'OutcomeInDoubt' });
    await link.close();
    await database.close();
  }, 180_000);

  test('hundreds of commands share short statements, which end within a probe', async () => {
    const database = await openTestUrl(await newTestDatabase(), { share: NOTHING_ASSIGNED });
    await furnish(database);
    await database.ledger.apply([credit('c1', 1_000_000n)]);
    const holds = Array.from({ length: 512 }, (_, each) => hold(`h${each}`, 10n));
    const outcomes = await database.ledger.apply(holds);
    expect(outcomes.map(({ status }) => status)).toEqual(holds.map(() => 'applied'));
    const sizes = await database.sql.query({
      sql: 'SELECT COUNT(*) AS n FROM hold GROUP BY xmin ORDER BY n DESC',
      params: [],
    });
    expect(sizes[0]).toEqual({ n: BigInt(MAX_COMMANDS) });
    await database.close();
  }, 180_000);

  test('a server that freezes under load loses nothing, and recovers', async () => {
    const server = await startServer(true);
    afterAll(server.stop);
    const patient = await openTestUrl(server.urlOf('postgres'));
    await furnish(patient);
    const database = await openTestUrl(server.urlOf('postgres'), QUICK);
    const { ledger } = database;
    await askedAgain(() => ledger.apply([credit('c1', 1_000_000n)]));
    const holds = Array.from({ length: 200 }, (_, each) => hold(`h${each}`, 10n));
    await askedAgain(() => ledger.apply(holds));
    const pids = backendsOf(server.pid ?? 0);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    const during = Array.from({ length: 200 }, (_, each) =>
      ledger.apply([settle(`h${each}`, 3n)]).then(
        ([outcome]) => outcome?.status ?? 'none',
        (thrown: unknown) => (thrown instanceof Error && 'code' in thrown ? thrown.code : thrown),
      ),
    );
    expect(await Promise.race(during)).toBe('store_unavailable');
    for (const pid of pids) process.kill(pid, 'SIGCONT');
    await Promise.all(during);
    // Repeats the settlements whose outcome is in doubt until they are answered, as the spool does.
    for (let each = 0; each < 200; each += 1) {
      const [outcome] = await askedAgain(() => ledger.apply([settle(`h${each}`, 3n)]));
      expect(['applied', 'already_applied']).toContain(outcome?.status ?? 'none');
    }
    expect((await patient.ledger.wallets('alice'))[0]).toMatchObject({
      ...{ balance: 999_400n, held: 0n },
    });
    expect(await patient.ledger.verify()).toEqual([]);
    await database.close();
    await patient.close();
  }, 180_000);
});

test('numbers placeholders of either kind, but not within quotes', () => {
  expect(numbered('SELECT ? + $2')).toBe('SELECT $1 + $2');
  expect(numbered(`SELECT '?''?', "?", ? , ?`)).toBe(`SELECT '?''?', "?", $1 , $2`);
});

/** A link whose server refuses connections after `asksLeft` requests. */
class VanishingLink extends PostgresLink {
  asksLeft = 0;
  override async ask<Answer>(...asked: Parameters<typeof PostgresLink.prototype.ask<Answer>>) {
    this.asksLeft -= 1;
    if (this.asksLeft < 0) throw Object.assign(new Error('refused'), { code: 'ECONNREFUSED' });
    return await super.ask<Answer>(...asked);
  }
}

/**
 * Returns the process ids of the server and its children. A test must stop all of them, because the
 * children continue if only the server is stopped.
 */
function backendsOf(pid: number): number[] {
  const listed = Bun.spawnSync(['ps', '-o', 'pid=', '--ppid', String(pid), '-p', String(pid)]);
  return listed.stdout.toString().trim().split(/\s+/).map(Number);
}
