import { afterAll, describe, expect } from 'bun:test';
import { manualClock } from '../../clock.fixture.ts';
import { systemClock } from '../../clock.ts';
import { type Open, rule } from '../../ledger/conformance/conformance-rule.fixture.ts';
import { adjust, credit, USD_CNY } from '../../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../../ledger/database.ts';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../../money/amount.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { LowBalance, type Thresholds, thresholdsTag } from './low-balance.ts';

afterAll(removeFiles);
describe('SQLite', () => lowBalanceConformance(() => openFile(newFile())));
describe('PostgreSQL', () => lowBalanceConformance(() => openPostgresForTest()));

const usd = (units: number) => nano(BigInt(Math.round(units * 100)) * 10_000_000n);

/**
 * Returns a simulated node that uses the store, with the alerts that it sends and the number of its
 * queries.
 */
function nodeOf({ sql }: Pick<Database, 'sql'>, defaults: Thresholds = { USD: usd(5), CNY: null }) {
  const clock = { ...manualClock(), randomBytes: systemClock.randomBytes };
  const alerts: string[] = [];
  const failures: unknown[] = [];
  const node = { asked: 0, isAway: false };
  const counting: SqlExecutor = {
    query: (statement) => ask(() => sql.query(statement)),
    transaction: (...asked) => ask(() => sql.transaction(...asked)),
  };
  async function ask<Result>(run: () => Promise<Result>): Promise<Result> {
    node.asked += 1;
    if (node.isAway) throw new Error('the store is away');
    return await run();
  }
  const watch = new LowBalance({
    sql: counting,
    clock,
    defaults,
    onLow: ({ body }) => {
      const { available, currency } = JSON.parse(body);
      alerts.push(currency === 'USD' ? available : `${available} ${currency}`);
    },
    onFailure: (thrown) => failures.push(thrown),
  });
  /** Reports these balances of the USD wallet one after the other, as settlements do. */
  const see = async (...amounts: number[]) => {
    for (const amount of amounts) {
      watch.observe('alice', 'USD', usd(amount));
      await watch.settled();
    }
  };
  return { node, clock, watch, alerts, failures, see };
}

function lowBalanceConformance(open: Open): void {
  rule(
    open,
    'alerts once per crossing, and again after the wallet was clearly filled',
    async (db) => {
      const { see, alerts, node } = nodeOf(db);
      await see(9, 5, 4.99, 3, 1);
      expect(alerts).toEqual(['4.990000000']);
      // No second alert is sent, because the balance stays less than a tenth above the threshold.
      await see(5.1, 4, 5.49, 4);
      expect(alerts.length).toBe(1);
      await see(5.5, 4.5, 4);
      expect(alerts).toEqual(['4.990000000', '4.500000000']);
      const asked = node.asked;
      await see(4, 3, 2, 1);
      expect(node.asked).toBe(asked);
      const [row] = await db.sql.query({ sql: 'SELECT COUNT(*) AS alerts FROM alert', params: [] });
      expect(Number(row?.['alerts'])).toBe(2);
    },
  );

  rule(open, 'alerts only when a balance drops', async (db) => {
    const { see, alerts, watch } = nodeOf(db);
    const rise = async (amount: number) => {
      watch.observeRise('alice', 'USD', usd(amount));
      await watch.settled();
    };
    // The wallet starts below the threshold, and the first credits leave it below, so no alert is
    // sent.
    await rise(3);
    await see(2);
    await rise(4);
    expect(alerts).toEqual([]);
    await rise(20);
    await see(4);
    expect(alerts).toEqual(['4.000000000']);
    await rise(4.5);
    await rise(20);
    // The drop causes an alert, although a credit arrives before the drop is checked.
    watch.observe('alice', 'USD', usd(9));
    watch.observe('alice', 'USD', usd(3));
    watch.observeRise('alice', 'USD', usd(3.5));
    await watch.settled();
    expect(alerts.length).toBe(2);
  });

  rule(open, 'alerts once over many nodes and restarts', async (db) => {
    const nodes = Array.from({ length: 5 }, () => nodeOf(db));
    // All nodes see the refill before any node sees the low balance, so one more alert is due.
    await Promise.all(nodes.map(({ see }) => see(9)));
    await Promise.all(nodes.map(({ see }) => see(4)));
    const late = nodeOf(db);
    await late.see(3);
    expect([...nodes, late].flatMap(({ alerts }) => alerts)).toEqual(['4.000000000']);
    // The first node sees the refill. The second node sees the next drop, although its cache still
    // says that the wallet is low.
    const [first, second] = nodes;
    await first?.see(20);
    second?.clock.advance(5_001);
    await second?.see(2);
    expect(second?.alerts.at(-1)).toBe('2.000000000');
  });

  rule(open, 'does not alert of a wallet that was filled on another node meanwhile', async (db) => {
    const { see, alerts, clock } = nodeOf(db);
    await db.ledger.apply([credit('c20', usd(20))]);
    // A node that holds money of the wallet learns of a credit up to a heartbeat later.
    await see(4);
    expect(alerts).toEqual([]);
    await db.ledger.apply([adjust('a17', nano(-usd(17)))]);
    clock.advance(5_001);
    await see(3);
    expect(alerts).toEqual(['3.000000000']);
  });

  rule(open, 'alerts of the USD wallet that pays for the CNY wallet', async (db) => {
    for (const CNY of [null, usd(35)]) {
      const { watch, alerts, node } = nodeOf(db, { USD: usd(5), CNY });
      await db.ledger.apply([credit(`c20${CNY}`, usd(20))]);
      const see = async (amount: number) => {
        watch.observe('alice', 'CNY', usd(amount), USD_CNY);
        await watch.settled();
      };
      // Running requests hold most of the money.
      await see(10);
      expect(alerts).toEqual([]);
      await db.ledger.apply([adjust(`a16${CNY}`, nano(-usd(16)))]);
      await see(28);
      expect(alerts).toEqual(['4.000000000']);
      const asked = node.asked;
      await see(27);
      expect([alerts.length, node.asked]).toEqual([1, asked]);
      await db.ledger.apply([adjust(`a4${CNY}`, nano(-usd(4)))]);
      await see(0);
      expect(alerts.length).toBe(1);
      watch.observeRise('alice', 'USD', usd(50));
      watch.observeRise('alice', 'CNY', usd(50));
      await watch.settled();
    }
  });

  rule(open, 'alerts of the CNY wallet while it pays itself', async (db) => {
    const { watch, alerts, node } = nodeOf(db, { USD: usd(5), CNY: usd(35) });
    await db.ledger.apply([credit('cny', usd(20), { currency: 'CNY' })]);
    const see = async (amount: number) => {
      watch.observe('alice', 'CNY', usd(amount), USD_CNY);
      await watch.settled();
    };
    await see(20);
    const asked = node.asked;
    await see(19);
    expect([alerts, node.asked]).toEqual([['20.000000000 CNY'], asked]);
    await db.ledger.apply([adjust('end', nano(-usd(20)), { currency: 'CNY' })]);
    await see(0);
    expect(alerts.length).toBe(1);
  });

  rule(open, 'sets thresholds only from those that were read', async (db) => {
    const { watch } = nodeOf(db);
    const was = await watch.setThresholds('alice', { USD: usd(10) }, 'admin');
    const set = (change: Partial<Thresholds>) =>
      watch.setThresholds('alice', change, 'admin', (tag) => tag === thresholdsTag(was));
    const both = await Promise.allSettled([set({ USD: usd(1) }), set({ CNY: usd(2), USD: null })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const one = both.find((it) => it.status === 'fulfilled');
    expect(await watch.thresholds('alice')).toEqual(one?.value ?? was);
    const third = await Promise.allSettled([set({ CNY: usd(3) })]);
    expect(third).toMatchObject([{ reason: { code: 'revision_changed' } }]);
  });

  rule(open, "prefers an account's own threshold, per currency", async (db) => {
    const { see, alerts, watch } = nodeOf(db);
    await see(8);
    const set = await watch.setThresholds('alice', { USD: usd(10), CNY: usd(30) }, 'admin');
    expect(set).toEqual({ USD: usd(10), CNY: usd(30) });
    await see(9.99);
    watch.observe('alice', 'CNY', usd(29));
    await watch.settled();
    expect(alerts).toEqual(['9.990000000', '29.000000000 CNY']);
    // A threshold of zero disables the alert, and null restores the configured threshold. The
    // threshold of the CNY wallet does not change.
    await watch.setThresholds('alice', { USD: usd(0) }, 'admin');
    await see(0);
    expect(alerts.length).toBe(2);
    expect(await watch.setThresholds('alice', { USD: null }, 'admin')).toEqual({
      USD: null,
      CNY: usd(30),
    });
    await see(4.5);
    expect(alerts.at(-1)).toBe('4.500000000');
    const trail = await db.sql.query({
      sql: `SELECT detail FROM audit WHERE action = 'account.alert' ORDER BY id`,
      params: [],
    });
    expect(trail.map(({ detail }) => JSON.parse(String(detail)))).toEqual([
      {
        before: '{"USD":null,"CNY":null}',
        after: '{"USD":"10.000000000","CNY":"30.000000000"}',
      },
      { before: '{"USD":"10.000000000"}', after: '{"USD":"0.000000000"}' },
      { before: '{"USD":"0.000000000"}', after: '{"USD":null}' },
    ]);
  });

  rule(open, 'reports a failed check, and repeats it at the next settlement', async (db) => {
    const { see, alerts, failures, node } = nodeOf(db);
    await see(9);
    node.isAway = true;
    await see(4);
    expect([alerts.length, failures.length]).toEqual([0, 1]);
    node.isAway = false;
    await see(4);
    expect(alerts).toEqual(['4.000000000']);
  });

  rule(open, 'queries an unwatched wallet once a minute', async (db) => {
    const { watch, node } = nodeOf(db);
    for (let each = 0; each < 1000; each++) {
      watch.observe('alice', 'CNY', usd(0));
      if (each % 100 === 0) await watch.settled();
    }
    await watch.settled();
    expect(node.asked).toBe(1);
  });
}
