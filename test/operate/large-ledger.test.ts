/**
 * Tests ten million receipts on PostgreSQL. No report may read a whole table, each report must
 * answer within a time limit, and the ledger must be consistent. Takes about 15 minutes and 12 GB
 * of disk. Prints the measured numbers for docs/operate/database.md.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import postgres from 'postgres';
import { systemClock } from '../../src/clock.ts';
import { AT_MS, addAccount, credit, furnish } from '../../src/ledger/conformance/ledger.fixture.ts';
import type { Database } from '../../src/ledger/database.ts';
import {
  openTestUrl,
  startServer,
  type TestServer,
} from '../../src/ledger/postgres/postgres.fixture.ts';
import { DAY_MS } from '../../src/money/calendar.ts';
import { REPORTS, statementsOf } from '../../src/reports/report-statements.fixture.ts';
import type { SqlStatement } from '../../src/store/sql.ts';

const RECEIPTS = 10_000_000;
const SLICE = 500_000;
const ACCOUNTS = 1_000;
const DAYS = 365;
/** The charge of each request in nano-USD. Each request also has this number of output tokens. */
const CHARGE = 700;
const FUNDS = BigInt(CHARGE) * BigInt(RECEIPTS);
/**
 * The time limit of a report. Most reports take milliseconds; a report on all accounts over a year
 * takes seconds.
 */
const MAX_REPORT_MS = 10_000;
/**
 * The name of the report that sums all movements. It may take longer than other reports, because it
 * reads in small steps that block no request.
 */
const OF_ALL_MOVEMENTS = 'the books';
const MAX_OF_ALL_MS = 300_000;
const FILL_MS = 1_500_000;

let server: TestServer;
let database: Database;
let admin: postgres.Sql;
const figures: string[] = [];
beforeAll(async () => {
  server = await startServer(true);
  const root = postgres(server.urlOf('postgres'), { max: 1 });
  await root.unsafe('ALTER SYSTEM SET fsync = off');
  await root.unsafe("ALTER SYSTEM SET max_wal_size = '4GB'");
  await root.unsafe("ALTER SYSTEM SET maintenance_work_mem = '512MB'");
  await root.unsafe('SELECT pg_reload_conf()');
  await root.unsafe('CREATE DATABASE large TEMPLATE template0');
  await root.end();
  const url = server.urlOf('large');
  database = await openTestUrl(url);
  admin = postgres(url, { max: 1, onnotice: () => {} });
  await fill();
}, FILL_MS);
afterAll(async () => {
  await admin.end();
  await database.close();
  server.stop();
});

const nameOf = (account: number): string => (account === 0 ? 'alice' : `acc_${account}`);

/** Fills the ledger with consistent data: receipts, wallets, meters and daily sums agree. */
async function fill(): Promise<void> {
  await furnish(database);
  for (let account = 1; account < ACCOUNTS; account++)
    await addAccount(database.sql, nameOf(account));
  for (let account = 0; account < ACCOUNTS; account++)
    await database.ledger.apply([credit(`c_${account}`, FUNDS, { accountId: nameOf(account) })]);
  const indexes = await admin.unsafe<{ name: string; def: string }[]>(
    `SELECT indexname AS name, indexdef AS def FROM pg_indexes
     WHERE tablename = 'receipt' AND indexname <> 'receipt_pkey'`,
  );
  for (const { name } of indexes) await admin.unsafe(`DROP INDEX ${name}`);
  for (let from = 0; from < RECEIPTS; from += SLICE)
    await admin.unsafe(receipts(from, from + SLICE));
  for (const { def } of indexes) await admin.unsafe(def);
  await admin.unsafe(`SELECT setval('money_transaction_id_seq', ${ACCOUNTS + RECEIPTS})`);
  await admin.unsafe(SUMS);
  await admin.unsafe('VACUUM ANALYZE');
}

/**
 * Returns the statement that inserts a range of receipts. Receipt n belongs to account n %
 * ACCOUNTS, and is that account's request number n / ACCOUNTS.
 */
const receipts = (from: number, to: number): string => `
  INSERT INTO receipt (request_id, account_id, key_id, endpoint, model, channel_requested, channel,
    upstream, upstream_model, card_id, currency, input, cache_read, cache_write_5m, cache_write_1h,
    output, cost_pico, estimated, streamed, outcome, started_at_ms, first_byte_ms, duration_ms,
    attempts, charge, loss, available_after, settled_at_ms, seq, held, bought, sold, balance_after)
  SELECT 'req_' || lpad(n::text, 26, '0'), account, 'key_' || account, 'chat',
    'gen-opus-4-8', 'direct', 'direct', 'north', 'model', 'card_usd', 'USD', 0, 0, 0, 0, ${CHARGE},
    ${CHARGE}000, 0, 1, CASE WHEN n % 50 = 7 THEN 'upstream_error' ELSE 'completed' END, at, 250, 900,
    '[{"upstream":"north","model":"model","outcome":"completed","ms":900}]', ${CHARGE}, 0,
    after, at + 900, ${ACCOUNTS} + 1 + n, ${CHARGE}, 0, 0, after
  FROM (
    SELECT n, CASE n % ${ACCOUNTS} WHEN 0 THEN 'alice' ELSE 'acc_' || n % ${ACCOUNTS} END AS account,
      ${AT_MS} + n * ${DAYS * DAY_MS} / ${RECEIPTS} AS at,
      ${FUNDS} - (n / ${ACCOUNTS} + 1) * ${CHARGE} AS after
    FROM generate_series(${from}::bigint, ${to - 1}) AS n
  ) AS made`;

/** The statements that update wallets and daily sums to match the receipts. */
const SUMS = `
  UPDATE wallet SET balance = balance - ${(CHARGE * RECEIPTS) / ACCOUNTS}
    WHERE currency = 'USD' AND account_id <> 'bob';
  INSERT INTO usage_day (account_id, day, key_id, model, channel, currency, requests, incomplete,
    input, cache_read, cache_write_5m, cache_write_1h, output, images, charge, loss, metered)
  SELECT account_id, settled_at_ms / 86400000, key_id, model, channel, currency, count(*),
    count(*) FILTER (WHERE outcome <> 'completed'), 0, 0, 0, 0, sum(output), 0, sum(charge), 0,
    sum(charge) FROM receipt GROUP BY 1, 2, 3, 4, 5, 6;
  UPDATE spend_meter SET total = ${(CHARGE * RECEIPTS) / ACCOUNTS}
    WHERE owner_id NOT IN ('bob', 'key_bob');`;

async function timed<T>(what: string, work: () => Promise<T>): Promise<[T, number]> {
  const startMs = systemClock.monotonicMs();
  const done = await work();
  const tookMs = systemClock.monotonicMs() - startMs;
  figures.push(`${what}: ${Math.round(tookMs)} ms`);
  return [done, tookMs];
}

const planOf = async ({ sql, params }: SqlStatement): Promise<string> =>
  (await database.sql.query({ sql: `EXPLAIN ${sql}`, params }))
    .map((row) => String(Object.values(row)[0]))
    .join('\n');

test('no report reads a whole table, and each answers in time', async () => {
  for (const [report, [, ask]] of Object.entries(REPORTS)) {
    for (const statement of await statementsOf(database.sql, ask)) {
      const scans = (await planOf(statement)).match(/Seq Scan on receipt\b.*/g) ?? [];
      expect([report, statement.sql, scans]).toEqual([report, statement.sql, []]);
    }
    const [, tookMs] = await timed(report, () => ask(database.sql));
    const limitMs = report === OF_ALL_MOVEMENTS ? MAX_OF_ALL_MS : MAX_REPORT_MS;
    expect([report, tookMs < limitMs]).toEqual([report, true]);
  }
});

test('the ledger is sound, and its size is what the page says', async () => {
  const { ledger } = database;
  const [breaches] = await timed('ledger verify', () => ledger.verify());
  expect(breaches).toEqual([]);
  const [size] = await admin.unsafe<{ heap: string; indexes: string }[]>(
    `SELECT pg_size_pretty(pg_table_size('receipt')) AS heap,
      pg_size_pretty(pg_indexes_size('receipt')) AS indexes`,
  );
  figures.push(`receipt: ${size?.heap}, its indexes ${size?.indexes}`);
  await Bun.write(Bun.stdout, `${figures.join('\n')}\n`);
});
