/** Tests nodes that must stop deciding in memory, for example after a change or a node's death. */
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import postgres from 'postgres';
import { systemClock } from '../../clock.ts';
import { Secret } from '../../config/secret.ts';
import { nano } from '../../money/amount.ts';
import { RECALL_MS } from '../assigned/stored-commands.ts';
import type { UnansweredRecall } from '../assigned/unanswered-recall.ts';
import {
  addAccount,
  applied,
  credit,
  failureOf,
  furnish,
  tooLow,
} from '../conformance/ledger.fixture.ts';
import type { Database } from '../database.ts';
import type { Outcome } from '../ledger.ts';
import { faultProxy } from './fault-proxy.fixture.ts';
import {
  assignedTo,
  CHANGES,
  closeAll,
  eventually,
  holdAt,
  isGranted,
  LEASE_MS,
  nodeAt,
  nodesWith,
  opened,
  settleFor,
  warmUp,
} from './float-nodes.fixture.ts';
import { openPostgres } from './open-postgres.ts';
import { newTestDatabase, openTestUrl, testServer } from './postgres.fixture.ts';

setDefaultTimeout(180_000);
afterAll(closeAll);

/** Ends the lease of an epoch at once, as if its time had passed. */
const endLease = ({ sql }: Database, epoch: string) =>
  sql.query({ sql: 'UPDATE node SET lease_until_ms = 0 WHERE epoch = $1', params: [epoch] });

test('a lease whose renewal is being committed has not ended', async () => {
  const [one, two] = await nodesWith(1_000_000n, 'one', 'two');
  if (one === undefined || two === undefined) return;
  await one.ledger.hold(holdAt(one, 'row', 2n));
  await warmUp(one, 'w');
  const assigned = await assignedTo(one);
  await endLease(two, 'one');
  const client = postgres((await testServer()).urlOf(await databaseOf(two)), { max: 1 });
  const { promise: reaped, resolve } = Promise.withResolvers<unknown>();
  let isReaped = false;
  await client.begin(async (begun) => {
    await begun`UPDATE node SET lease_until_ms = books_now_ms() + 60000 WHERE epoch = 'one'`;
    void two.ledger.reap().then((counts) => {
      isReaped = true;
      resolve(counts);
    });
    const waiting = `SELECT 1 FROM pg_stat_activity
      WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    while (!isReaped && (await begun.unsafe(waiting)).length === 0);
  });
  expect(await reaped).toEqual({ settled: 0, voided: 0 });
  expect(await assignedTo(one)).toBe(assigned);
  expect(await one.ledger.settle(settleFor('row', 1n, 2n), true)).toMatchObject({
    status: 'applied',
  });
  await client.end();
});

async function databaseOf({ sql }: Database): Promise<string> {
  const [row] = await sql.query({ sql: 'SELECT current_database() AS name', params: [] });
  return String(row?.['name']);
}

describe('an administrator who changes what may be spent', () => {
  for (const [name, sql, status] of CHANGES) {
    test(`${name}: no node holds for it once the change is answered`, async () => {
      const nodes = await nodesWith(1_000_000n, 'a', 'b');
      for (const node of nodes) await warmUp(node, `${node.epoch}_w`);
      let isAnswered = false;
      let late = 0;
      let stop = false;
      const selling = nodes.map(async (node) => {
        for (let each = 0; !stop; each += 1) {
          const wasAnswered = isAnswered;
          const outcome = await node.ledger.hold(holdAt(node, `s_${node.epoch}_${each}`, 1n));
          if (wasAnswered && isGranted(outcome)) late += 1;
          await systemClock.sleep(1);
        }
      });
      await nodes[0]?.sql.query({ sql, params: [] });
      isAnswered = true;
      for (const node of nodes) {
        const outcome = await node.ledger.hold(holdAt(node, `after_${node.epoch}`, 1n));
        expect(outcome.status).toBe(status);
      }
      await systemClock.sleep(20);
      stop = true;
      await Promise.all(selling);
      expect(late).toBe(0);
      expect(await nodes[0]?.ledger.verify()).toEqual([]);
    });
  }

  test('a cap counts all holds in the memory of all nodes', async () => {
    const nodes = await nodesWith(1_000_000n, 'a', 'b');
    const [one] = nodes;
    if (one === undefined) return;
    let holds = 0n;
    for (const node of nodes) holds += BigInt(await warmUp(node, `${node.epoch}_w`));
    const cap = holds + 5n;
    await one.sql.query({
      sql: `UPDATE spend_meter SET cap_total = ${cap} WHERE owner_id = 'alice'`,
      params: [],
    });
    const asked = nodes.flatMap((node) =>
      Array.from({ length: 10 }, (_, each) =>
        node.ledger.hold(holdAt(node, `n_${node.epoch}_${each}`, 1n)),
      ),
    );
    const outcomes = await Promise.all(asked);
    expect(outcomes.filter(isGranted)).toHaveLength(5);
    expect(await one.ledger.verify()).toEqual([]);
  });
});

describe('a surrender', () => {
  test('with a hold that the store refuses keeps the other holds, and reports it', async () => {
    const url = await newTestDatabase();
    const first = await nodeAt(url, 'first');
    await furnish(first);
    await first.ledger.apply([credit('c1', 1_000_000n)]);
    const faults: string[] = [];
    const onFault = (accountId: string, thrown: unknown): void => {
      faults.push(`${accountId}: ${String(thrown)}`);
    };
    const database = await openPostgres({ url: new Secret(url), clock: systemClock, onFault });
    opened.push(database);
    const node = { ...database, epoch: 'node' };
    await node.ledger.join({ epoch: 'node', name: 'node' }, LEASE_MS);
    const holds = BigInt(await warmUp(node, 'w'));
    for (const id of ['good1', 'bad', 'good2']) {
      expect(node.ledger.hold(holdAt(node, id, 2n))).toMatchObject({ status: 'applied' });
    }
    const query = (sql: string) => first.sql.query({ sql, params: [] });
    const isBad = "id = 'bad' AND state = 'pending'";
    await query(`ALTER TABLE hold ADD CONSTRAINT no_bad CHECK (NOT (${isBad}))`);
    await query("UPDATE spend_meter SET cap_day = 1000000 WHERE owner_id = 'alice'");
    expect(await assignedTo(node)).toBe(0n);
    expect(faults).toEqual([expect.stringMatching(/^alice: Error: hold bad: .*no_bad/)]);
    const [row] = await query("SELECT SUM(own)::BIGINT AS own FROM hold WHERE state = 'pending'");
    expect(row?.['own']).toBe(holds + 4n);
    // The settlement states the amount of its hold, and the wallet pays it.
    for (const id of ['good1', 'bad', 'good2']) {
      expect(await node.ledger.settle(settleFor(id, 1n, 2n))).toMatchObject({
        ...{ status: 'applied', result: { amount: 1n, loss: 0n } },
      });
    }
    expect(await first.ledger.verify()).toEqual([]);
  });
});

test('a node that leaves with thousands of holds makes rows of all of them', async () => {
  const [node] = await nodesWith(1_000_000_000n, 'one');
  if (node === undefined) return;
  for (const id of ['big1', 'big2', 'big3']) await node.ledger.hold(holdAt(node, id, 10_000n));
  await eventually('the node decides in memory', async () => (await assignedTo(node)) > 5_000n);
  for (let each = 0; each < 5_000; each += 1) {
    expect(node.ledger.hold(holdAt(node, `h${each}`, 1n))).toMatchObject({ status: 'applied' });
  }
  await node.ledger.leave('one');
  expect(await assignedTo(node)).toBe(0n);
  const [rows] = await node.sql.query({
    sql: "SELECT COUNT(*) AS n, SUM(own)::BIGINT AS own FROM hold WHERE state = 'pending'",
    params: [],
  });
  expect(rows).toEqual({ n: 5_003n, own: 35_000n });
  expect((await node.ledger.settle(settleFor('h4999', 1n, 1n))).status).toBe('applied');
  expect(await node.ledger.verify()).toEqual([]);
});

describe('locks', () => {
  const RECALLABLE = `INSERT INTO assignment (account_id, currency, epoch, amount, version)
    VALUES ('alice', 'USD', $1, 0, -1), ('bob', 'USD', $1, 0, -2)`;
  /** Returns a statement that waits, up to its time limit, until `condition` is true. */
  const until = (condition: string): string =>
    `DO $$ BEGIN WHILE NOT (${condition}) LOOP PERFORM pg_sleep(0.005); END LOOP; END $$`;
  const statements = (...texts: string[]) => texts.map((sql) => ({ sql, params: [] }));

  test('of the reaper are taken at once, so that it blocks nobody for whom it waits', async () => {
    const [node] = await nodesWith(1_000n, 'one');
    if (node === undefined) return;
    // A dead node has a hold of alice and an assignment of zed.
    await addAccount(node.sql, 'zed');
    await node.ledger.apply([{ ...holdAt(node, 'h1', 1n), epoch: 'one' }]);
    await node.sql.transaction([
      { sql: RECALLABLE.replaceAll("'bob'", "'zed'"), params: ['dead'] },
      { sql: "DELETE FROM assignment WHERE account_id = 'alice'", params: [] },
      { sql: 'UPDATE hold SET expires_at_ms = 0', params: [] },
    ]);
    const lock = (id: string): string =>
      `SELECT 1 FROM wallet WHERE account_id = '${id}' AND currency = 'USD' FOR UPDATE`;
    const locking = node.sql.transaction(
      statements(
        lock('alice'),
        until(`EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted
          AND pg_backend_pid() = ANY (pg_blocking_pids(pid)))`),
        `${lock('zed')} NOWAIT`,
      ),
    );
    const locked = Promise.allSettled([locking]);
    await eventually('alice is locked', async () => {
      const [free] = await node.sql.query({ sql: `${lock('alice')} SKIP LOCKED`, params: [] });
      return free === undefined;
    });
    const reaped = node.ledger.reap();
    expect(await locked).toMatchObject([{ status: 'fulfilled' }]);
    expect(await reaped).toEqual({ settled: 0, voided: 1 });
    expect(await assignedTo({ ...node, epoch: 'dead' })).toBe(0n);
  });

  test('of a recall do not block a check, which records the amounts that it can', async () => {
    const [node] = await nodesWith(1_000n, 'one');
    if (node === undefined) return;
    await node.sql.query({ sql: RECALLABLE, params: ['held'] });
    const noted = "EXISTS (SELECT 1 FROM assignment WHERE account_id = 'bob' AND used = 7)";
    const recalling = node.sql.transaction(
      statements("UPDATE assignment SET is_recalled = 1 WHERE account_id = 'alice'", until(noted)),
    );
    const recalled = Promise.allSettled([recalling]);
    const rows = "SELECT 1 FROM assignment WHERE account_id = 'alice' FOR UPDATE SKIP LOCKED";
    await eventually('the row of alice is locked', async () => {
      return (await node.sql.query({ sql: rows, params: [] })).length === 0;
    });
    const used = ['alice', 'bob'].map((id) => [id, 'USD', '7']);
    const check = {
      sql: 'SELECT books_assignments($1::text::jsonb) AS answers',
      params: [JSON.stringify([['check', null, 'held', used]])],
    };
    await node.sql.query(check);
    expect(await recalled).toMatchObject([{ status: 'fulfilled' }]);
    await node.sql.query(check);
    const [late] = await node.sql.query({
      sql: "SELECT used FROM assignment WHERE account_id = 'alice' AND epoch = 'held'",
      params: [],
    });
    expect(late?.['used']).toBe(7n);
  });
});

describe('a node that dies', () => {
  test('returns its money when its lease ends; until then, refusals state that they are partial', async () => {
    const url = await newTestDatabase();
    const unanswered: UnansweredRecall[] = [];
    const onUnanswered = (recall: UnansweredRecall) => void unanswered.push(recall);
    const clock = systemClock;
    const database = await openPostgres({ url: new Secret(url), clock, onUnanswered });
    opened.push(database);
    const other = { ...database, epoch: 'other' };
    await furnish(other);
    await other.ledger.join({ epoch: 'other', name: 'other' }, LEASE_MS);
    await other.ledger.apply([credit('c1', 10_000n)]);
    const dead = await nodeAt(url, 'dead', LEASE_MS);
    await warmUp(dead, 'd');
    const lost = await assignedTo(dead);
    expect(lost).toBeGreaterThan(0n);
    // The node dies: it no longer answers recalls or renews its lease.
    await dead.close();
    const all = await other.ledger.hold(holdAt(other, 'h1', 10_000n));
    const rows = await other.sql.query({
      sql: "SELECT SUM(own)::BIGINT AS own FROM hold WHERE state = 'pending'",
      params: [],
    });
    const available = 10_000n - lost - BigInt(String(rows[0]?.['own'] ?? 0));
    expect(all).toEqual(Object.assign(tooLow(available), { isPartial: true }));
    const debit = { ...credit('a1', -available - 1n), kind: 'adjust' } as const;
    const [debited] = await other.ledger.apply([debit]);
    expect(debited).toMatchObject({ status: 'balance_too_low', isPartial: true });
    expect(unanswered).toEqual(
      [['h1', 'hold'] as const, ['a1', 'adjust'] as const].map(([id, of]) => {
        return { accountIds: ['alice'], of, id, loss: nano(0n) };
      }),
    );
    await endLease(other, 'dead');
    // The first command that needs the money gets it, even before a reap.
    const rest = 10_000n - BigInt(String(rows[0]?.['own'] ?? 0));
    expect(await other.ledger.hold(holdAt(other, 'h2', rest))).toMatchObject({ status: 'applied' });
    await other.ledger.reap();
    expect(await assignedTo({ ...other, epoch: 'dead' })).toBe(0n);
    expect(await other.ledger.verify()).toEqual([]);
  });

  test('loses nothing of a settlement that needs its money, which waits for it', async () => {
    const url = await newTestDatabase();
    const other = await nodeAt(url, 'other');
    await furnish(other);
    await other.ledger.join({ epoch: 'other', name: 'other' }, LEASE_MS);
    await other.ledger.apply([credit('c1', 10_000n)]);
    const dead = await nodeAt(url, 'dead', LEASE_MS);
    const spent = BigInt(await warmUp(dead, 'd'));
    await dead.close();
    // Sends a settlement of the dead node that waited in its spool.
    const settling = other.ledger.settle(settleFor('h1', 10_000n - spent, 10_000n - spent));
    await eventually('the money is recalled', async () => {
      const [row] = await other.sql.query({
        sql: 'SELECT COUNT(*) AS recalled FROM assignment WHERE is_recalled = 1',
        params: [],
      });
      return row?.['recalled'] === 1n;
    });
    await systemClock.sleep(RECALL_MS);
    await endLease(other, 'dead');
    expect(await settling).toMatchObject({ result: { amount: 10_000n - spent, loss: 0n } });
    expect(await other.ledger.verify()).toEqual([]);
  });

  test('for a while sells nothing, and what it settles late is a correction', async () => {
    const url = await newTestDatabase();
    const other = await nodeAt(url, 'other');
    await furnish(other);
    await other.ledger.join({ epoch: 'other', name: 'other' }, LEASE_MS);
    await other.ledger.apply([credit('c1', 1_000n)]);
    const paused = await nodeAt(url, 'paused');
    await warmUp(paused, 'd');
    expect(paused.ledger.hold(holdAt(paused, 'h1', 2n))).toMatchObject({ status: 'applied' });
    // The node's lease ends while it is paused, and another node spends the money.
    await endLease(other, 'paused');
    await other.ledger.reap();
    const free = BigInt(
      String(
        (
          await other.sql.query({
            sql: "SELECT balance - held AS free FROM wallet WHERE account_id = 'alice' AND currency = 'USD'",
            params: [],
          })
        )[0]?.['free'],
      ),
    );
    expect(await other.ledger.hold(holdAt(other, 'h2', free))).toMatchObject({ status: 'applied' });
    // The wallet pays nothing, because another request holds all of its money.
    expect(await paused.ledger.settle(settleFor('h1', 2n, 2n))).toEqual(applied(0n, 0n, 2n));
    expect(await paused.ledger.renew('paused', LEASE_MS)).toMatchObject({ isLive: false });
    expect(await paused.ledger.hold(holdAt(paused, 'h3', 1n))).toEqual({ status: 'epoch_over' });
    expect(await paused.ledger.join({ epoch: 'again', name: 'again' }, LEASE_MS)).toBe('joined');
    expect(paused.ledger.inMemory.request('d0')).toBe(false);
    expect(await other.ledger.verify()).toEqual([]);
  });
});

describe('a store that cannot be reached', () => {
  test.each([
    ['', false],
    [', also of an account that is recalled meanwhile', true],
  ])('stops the node from selling; a settlement sent again is charged once%s', async (_, is) => {
    const server = await testServer();
    const proxy = await faultProxy(server.host, server.port);
    opened.push(proxy);
    const direct = await newTestDatabase();
    const first = await nodeAt(direct, 'first');
    await furnish(first);
    await first.ledger.apply([credit('c1', 1_000_000n)]);
    const through = Object.assign(new URL(direct), { host: `127.0.0.1:${proxy.port}` }).href;
    const limits = { attemptMs: 400, deadlineMs: 900, probeMs: 400, pauseMs: 20 };
    const database = await openTestUrl(through, limits);
    opened.push(database);
    await database.ledger.join({ epoch: 'cut', name: 'cut' }, LEASE_MS);
    const node = { ...database, epoch: 'cut' };
    await warmUp(node, 'w');
    expect(node.ledger.hold(holdAt(node, 'h1', 2n))).toMatchObject({ status: 'applied' });
    proxy.blackhole(true);
    expect(await failureOf(node.ledger.settle(settleFor('h1', 1n, 2n)))).toMatchObject({
      code: 'store_unavailable',
    });
    expect(
      await failureOf(Promise.resolve(node.ledger.hold(holdAt(node, 'h2', 1n)))),
    ).toMatchObject({ code: 'store_unavailable' });
    proxy.blackhole(false);
    if (is) {
      const cap = "UPDATE spend_meter SET cap_day = 1000 WHERE owner_id = 'alice'";
      const capped = first.sql.query({ sql: cap, params: [] });
      await eventually('the node has surrendered the account', async () => {
        await node.ledger.renew('cut', LEASE_MS).catch(() => null);
        return (await assignedTo({ ...first, epoch: 'cut' })) === 0n;
      });
      await capped;
    }
    let outcome: Outcome | null = null;
    await eventually('the settlement is written', async () => {
      outcome = await node.ledger.settle(settleFor('h1', 1n, 2n)).catch(() => null);
      return outcome !== null;
    });
    expect(outcome).toMatchObject({ result: { amount: 1n, loss: 0n } });
    expect(await node.ledger.settle(settleFor('h1', 1n, 2n))).toMatchObject({
      status: 'already_applied',
    });
    expect(await first.ledger.verify()).toEqual([]);
  });
});
