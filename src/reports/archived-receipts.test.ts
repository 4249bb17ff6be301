/** Tests that archiving receipts changes no report, on both engines. */
import {
  afterAll,
  afterEach,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ManualClock, manualClock } from '../clock.fixture.ts';
import { readArchive } from '../ledger/archive/archive-file.ts';
import { keptBetween } from '../ledger/archive/archive-statements.ts';
import { type MonthArchive, ReceiptArchive } from '../ledger/archive/receipt-archive.ts';
import {
  AT_MS,
  checkpoint,
  credit,
  exchange,
  extend,
  hold,
  refund,
  settle,
} from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { SettlementSpool } from '../ledger/settlement-spool.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../money/amount.ts';
import { DAY_MS, dateOf, firstOfMonth } from '../money/calendar.ts';
import { perBucket } from '../money/usage.ts';
import type { SqlStatement } from '../store/sql.ts';
import { COSTS, costsOf } from './books-months-conformance.fixture.ts';
import { BooksReport } from './books-report.ts';
import { type CostedGroup, MonthCosts } from './month-costs.ts';
import { StatementsByMonth } from './monthly-statements.ts';
import type { OperatorPrices } from './operator-cost.ts';
import { DAYS, OWNERS, tradeAtRandom } from './reports.fixture.ts';
import { Statements } from './statements.ts';

setDefaultTimeout(180_000);
const SEED = 11;
const REQUESTS = 450;
const LATER_MS = AT_MS + 480 * DAY_MS;

let database: Database;
let folder: string;
let clock: ManualClock;
afterAll(removeFiles);

const archiveOver = (sql: Database['sql'] = database.sql): ReceiptArchive =>
  new ReceiptArchive({ database: { sql, engine: database.engine }, dataDir: folder, clock });
const rows = (sql: string, params: SqlStatement['params'] = []) =>
  database.sql.query({ sql, params });
const receipts = async (): Promise<bigint> =>
  BigInt(String((await rows('SELECT COUNT(*) AS n FROM receipt'))[0]?.['n']));

/** Returns the contents of all reports, except lists of single requests. */
async function said(): Promise<unknown> {
  const { sql } = database;
  const months = await Promise.all(OWNERS.map((owner) => new StatementsByMonth(sql).of(owner)));
  const wallets = await Promise.all(OWNERS.map((owner) => database.ledger.wallets(owner)));
  return {
    months,
    wallets,
    books: await new BooksReport(sql).balances(),
    days: await rows(`SELECT account_id, day, key_id, model, channel, currency,
        CAST(SUM(requests) AS BIGINT) AS requests, CAST(SUM(output) AS BIGINT) AS output,
        CAST(SUM(charge) AS BIGINT) AS charge, CAST(SUM(metered) AS BIGINT) AS metered
      FROM usage_by_day GROUP BY account_id, day, key_id, model, channel, currency
      ORDER BY account_id, day, key_id, model, channel, currency`),
  };
}

/** Makes random requests, and adds rare cases: refunds, exchanges and late corrections. */
async function trade(): Promise<void> {
  await tradeAtRandom(database, REQUESTS, SEED);
  const { ledger } = database;
  await ledger.publish(
    [
      {
        ...{ id: 'card_usd', currency: 'USD', perImage: null, terms: null, list: null },
        ...{ model: 'gen-opus-4-8', channel: 'direct', effectiveFromMs: AT_MS },
        rates: perBucket(() => 1_000n),
      },
    ] as Parameters<typeof ledger.publish>[0],
    [],
  );
  await ledger.apply([hold('h1', 60n), settle('h1', 24n), refund('r1', 'h1', 4n)]);
  await ledger.apply([exchange('e1', 700n), credit('c9', 5_000n)]);
  await ledger.apply([
    hold('h4', 30n, { expiresAtMs: 1 }),
    extend('x1', 'h4', 10n, checkpoint('h4', 20n)),
  ]);
  await ledger.reap();
  await ledger.apply([settle('h4', 29n)]);
  await ledger.apply([
    hold('h5', 70n),
    settle('h5', 5n),
    credit('c10', 1n),
    hold('h6', 9n),
    settle('h6', 9n),
  ]);
}

const engines = {
  SQLite: () => openFile(newFile()),
  PostgreSQL: () => openPostgresForTest(),
};
for (const [engine, open] of Object.entries(engines)) {
  describe(engine, () => {
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'modelgate-archive-'));
      clock = manualClock(LATER_MS);
      database = await open();
      await trade();
    });
    afterEach(async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    });
    archiving();
  });
}

function archiving(): void {
  test('receipts are in the file and not in the store, and all sums are as before', async () => {
    const [before, count] = [await said(), await receipts()];
    expect(await database.ledger.verify()).toEqual([]);
    const archive = archiveOver();
    const months = (await archive.months()).map(({ month }) => month);
    expect(months.slice(0, 2)).toEqual(['2026-09', '2026-10']);
    const made: MonthArchive[] = [];
    for (const month of months) {
      made.push(await archive.archive(month, 'admin'));
      expect(await database.ledger.verify()).toEqual([]);
    }
    expect(await said()).toEqual(before);
    const archived = made.reduce((sum, of) => sum + of.receipts, 0n);
    expect(await receipts()).toBe(count - archived);
    const kept = (await rows('SELECT request_id FROM receipt')).map((row) => row['request_id']);
    // Three receipts are not archived: a refunded receipt, a receipt that was corrected in a later
    // month, and the newest one.
    expect(kept.toSorted()).toEqual(['h1', 'h4', 'h6']);
    const ids: unknown[] = [];
    for (const { file } of made.filter((of) => of.file !== null))
      for await (const { receipt } of readArchive(file ?? '')) ids.push(receipt['request_id']);
    expect(new Set([...ids, ...kept]).size).toBe(Number(count));
    const again = await archive.archive('2026-09', 'admin');
    expect(again).toEqual({ file: null, bytes: 0, sha256: null, receipts: 0n });
    expect((await archive.months()).map((of) => of.archived)).toEqual(
      made.map((of) => of.receipts),
    );
  });

  test('a statement says that receipts are archived, with the balance after them', async () => {
    await archiveOver().archive('2026-09', 'admin');
    const { ledger } = database;
    const filter = { accountId: 'alice', currency: null, kind: null, fromMs: 0, toMs: LATER_MS };
    const { rows: shown } = await new Statements(database.sql).page(filter, 1_000, null);
    const texts = shown.map(({ reason }) => reason ?? '');
    expect(texts.some((text) => /^\d+ archived receipts$/.test(text))).toBe(true);
    const newest = shown.find(({ currency }) => currency === 'USD');
    const [wallet] = await ledger.wallets('alice');
    expect(newest?.balanceAfter).toBe(
      wallet?.balance as NonNullable<typeof newest>['balanceAfter'],
    );
  });

  test('the cost of requests is unknown if it takes their receipts, and else as before', async () => {
    const flat = COSTS['gen-v4-pro'] as Extract<OperatorPrices, { unit: 'token' }>;
    const when = { promptOver: 400_000 };
    const [row] = flat.terms.rows;
    const rows = [row, { when, rates: flat.rates, unlisted: [] }] as const;
    const conditioned = { ...flat, terms: { ...flat.terms, rows } };
    const costOf = (model: string) =>
      model === 'gen-v4-flash' ? conditioned : (COSTS[model] ?? null);
    const deps = { ...costsOf(database.sql), costOf };
    const first = firstOfMonth(AT_MS);
    const read = async () => await new MonthCosts(deps).of(first, firstOfMonth(AT_MS, 1) - 1);
    const before = await read();
    expect(before.length).toBeGreaterThan(0);
    expect(before.filter(({ cost }) => cost === null)).toEqual([]);
    await archiveOver().archive(dateOf(first).slice(0, 7), 'admin');
    const isOfSums = ({ model, images }: CostedGroup) =>
      model === 'gen-v4-pro' || (model === 'gen-opus-4-8' && images === 0n);
    expect(await read()).toEqual(
      before.map((group) => (isOfSums(group) ? group : { ...group, cost: null })),
    );
  });

  test('after a failure in the middle, the ledger is sound and a second run finishes', async () => {
    const before = await said();
    let left = 2;
    const failing: Database['sql'] = {
      query: (of) => database.sql.query(of),
      transaction: async (statements, audit) => {
        if (left-- === 0) throw new Error('killed');
        return await database.sql.transaction(statements, audit);
      },
    };
    const count = await receipts();
    const thrown = await archiveOver(failing).archive('2026-09', 'admin').catch(String);
    expect(thrown).toContain('killed');
    expect(await receipts()).toBeLessThan(count);
    expect(await database.ledger.verify()).toEqual([]);
    expect(await said()).toEqual(before);
    await archiveOver().archive('2026-09', 'admin');
    expect(await database.ledger.verify()).toEqual([]);
    expect(await said()).toEqual(before);
    expect(readdirSync(join(folder, 'archives'))).toHaveLength(2);
  });

  test('a settlement that waited on a disk longer than its receipt was kept charges nothing', async () => {
    await archiveOver().archive('2026-09', 'admin');
    const before = await said();
    const spool = new SettlementSpool(join(folder, 'waiting.db'));
    try {
      await spool.keep({ ...settle('h5', 5n), held: nano(70n) });
      await spool.keep({ ...settle('h5', 9n), held: nano(70n) });
      const { applied, refused } = await spool.replay(database.ledger);
      expect(applied).toBe(0);
      expect(refused.map(({ id }) => id)).toEqual(['h5', 'h5']);
      for (const { reason } of refused)
        expect(reason).toBe(
          'conflict: The request h5 was settled before, and its receipt is archived.',
        );
    } finally {
      spool.close();
    }
    expect(await said()).toEqual(before);
    expect(await database.ledger.verify()).toEqual([]);
  });

  test('a receipt that is refunded after the file was written stays', async () => {
    let isFirst = true;
    const refunding: Database['sql'] = {
      query: (of) => database.sql.query(of),
      transaction: async (statements, audit) => {
        const made = await database.sql.transaction(statements, audit);
        if (isFirst) await database.ledger.apply([refund('r5', 'h5', 2n)]);
        isFirst = false;
        return made;
      },
    };
    await archiveOver(refunding).archive('2026-09', 'admin');
    const kept = await rows("SELECT request_id FROM receipt WHERE request_id = 'h5'");
    expect(kept).toHaveLength(1);
    expect(await database.ledger.verify()).toEqual([]);
    const again = await archiveOver().archive('2026-09', 'admin');
    expect(again.file).toBeNull();
  });

  test('a refund in the moment of the deletion undoes it', async () => {
    let left = 2;
    const late: Database['sql'] = {
      query: (of) => database.sql.query(of),
      transaction: async (statements, audit) => {
        const isOfH5 = statements.some(({ params }) => params.includes('h5'));
        if (isOfH5 && left-- > 0) await database.ledger.apply([refund('r5', 'h5', 2n)]);
        return await database.sql.transaction(statements, audit);
      },
    };
    const count = await receipts();
    const thrown = await archiveOver(late).archive('2026-09', 'admin').catch(String);
    expect(thrown).toContain('The store could not carry out the request');
    expect(await database.ledger.verify()).toEqual([]);
    await archiveOver().archive('2026-09', 'admin');
    expect(await receipts()).toBeLessThan(count);
    expect(await rows("SELECT request_id FROM receipt WHERE request_id = 'h5'")).toHaveLength(1);
    expect(await database.ledger.verify()).toEqual([]);
  });

  test('two nodes that archive one month delete each receipt once', async () => {
    const [before, count] = [await said(), await receipts()];
    const both = await Promise.allSettled([
      archiveOver().archive('2026-09', 'admin'),
      archiveOver().archive('2026-09', 'admin'),
    ]);
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
    await archiveOver().archive('2026-09', 'admin');
    const [archived] = await rows('SELECT COUNT(*) AS n FROM archived_request');
    expect(BigInt(String(archived?.['n']))).toBe(count - (await receipts()));
    expect(await database.ledger.verify()).toEqual([]);
    expect(await said()).toEqual(before);
  });

  test('each slice finds other movements, and a statement its own, by an index', async () => {
    await archiveOver().archive('2026-09', 'admin');
    const isSqlite = database.engine === 'sqlite';
    const explain = isSqlite ? 'EXPLAIN QUERY PLAN' : 'EXPLAIN';
    const off = isSqlite ? [] : [{ sql: 'SET LOCAL enable_seqscan = off', params: [] }];
    const moved = 'SELECT seq FROM moved WHERE account_id = $1 AND seq > $2 AND seq < $3';
    for (const { sql, params } of [
      keptBetween('alice', [1n, 9n, 20n]),
      { sql: moved, params: ['alice', 1n, 20n] },
    ]) {
      const explained = { sql: `${explain} ${sql}`, params };
      const plan = (await database.sql.transaction([...off, explained])).at(-1) ?? [];
      const text = plan.map((row) => String(row['detail'] ?? row['QUERY PLAN'])).join('\n');
      expect(text).toContain(isSqlite ? 'archived_movement' : 'on archived_movement');
      expect(text).not.toMatch(/SCAN (?:receipt|late_receipt|entry|archived_movement)|Seq Scan/);
    }
  });

  test('the last thirteen months and this one stay', async () => {
    clock = manualClock(AT_MS + DAYS * DAY_MS);
    const archive = archiveOver();
    expect(await archive.months()).toEqual([]);
    const refused = await archive.archive('2026-09', 'admin').catch(String);
    expect(refused).toContain('cannot be archived');
  });
}
