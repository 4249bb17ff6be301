/**
 * How long do reports take on a ledger of a million requests, and how long does one statement
 * occupy the store? Sketch: a page reads about 100 rows through an index, 1 ms. A year of use is
 * 87,600 daily roll-ups: at 0.4 µs each, 35 ms for a range of 366 days; about 10 ms when eleven
 * monthly roll-ups replace most of them. No statement reads more than 12,000 rows, 5 ms.
 * Run: `bin/bun bench/reports.ts [sqlite|postgres] [analyze]`. Prints one JSON line per question;
 * `analyze` first creates statistics in SQLite, which has none by default.
 */

import { AT_MS, furnish } from '../src/ledger/conformance/ledger.fixture.ts';
import type { Database } from '../src/ledger/database.ts';
import { openPostgresForTest } from '../src/ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../src/ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../src/money/amount.ts';
import { DAY_MS } from '../src/money/calendar.ts';
import { BooksReport } from '../src/reports/books-report.ts';
import { recentUse } from '../src/reports/recent-use.ts';
import { RequestHistogram } from '../src/reports/request-histogram.ts';
import { RequestLog } from '../src/reports/request-log.ts';
import { Statements } from '../src/reports/statements.ts';
import { UsageReport } from '../src/reports/usage-report.ts';
import type { SqlExecutor } from '../src/store/sql.ts';

const REQUESTS = 1_000_000;
const CHUNK = 20_000;
const ROLL_UPS_A_DAY = 240;
const ROUNDS = 7;
const YEAR = 365;
const FIRST_DAY = Math.floor(AT_MS / DAY_MS);
const SPAN = { fromMs: AT_MS - DAY_MS, toMs: AT_MS + YEAR * DAY_MS };

const numbers = (from: number, to: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT CAST(${from} AS BIGINT) UNION ALL SELECT i + 1 FROM n WHERE i < ${to})`;

async function fill({ sql }: Database): Promise<void> {
  const run = (text: string) => sql.query({ sql: text, params: [] });
  for (let from = 1; from <= REQUESTS; from += CHUNK) {
    const n = numbers(from, from + CHUNK - 1);
    const at = `${AT_MS} + (i * ${YEAR * DAY_MS}) / ${REQUESTS}`;
    await run(`${n} INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, own,
      reserve, epoch, state, granted, available_after, created_at_ms, expires_at_ms)
      SELECT 'req_' || (10000000 + i), 'alice', 'key_alice', 'USD', 1, 1, 1, 1, 0, 'e', 'settled', 1, 1, 1, 1 FROM n`);
    await run(`${n} INSERT INTO receipt SELECT 'req_' || (10000000 + i), 'alice', 'key_alice', 'chat',
      'model-' || (i % 6), NULL, 'direct', 'u', 'u', 'card_usd', NULL, 'USD', 100, 0, 0, 0, 100, NULL, NULL,
      200000, 0, 1, 'completed', NULL, 'stop', ${at}, 1, 2, '[]', 200, 0, 1, ${at} FROM n`);
    await run(`${n} INSERT INTO money_transaction (id, kind, command_id, reason, available_after, at_ms)
      SELECT i, 'settle', 'req_' || (10000000 + i), NULL, 1, ${at} FROM n`);
    await run(`${n} INSERT INTO entry SELECT i, 5, 'alice', 'USD', -200, 1000000000 - i FROM n`);
    await run(`${n} INSERT INTO entry SELECT i, 6, 'revenue', 'USD', 200, NULL FROM n`);
  }
  for (let from = 0; from < YEAR * ROLL_UPS_A_DAY; from += CHUNK) {
    const to = Math.min(YEAR * ROLL_UPS_A_DAY, from + CHUNK) - 1;
    await run(`${numbers(from, to)} INSERT INTO usage_day SELECT 'alice',
      ${FIRST_DAY} + i / ${ROLL_UPS_A_DAY}, 'key_' || (i % 20), 'model-' || (i / 20 % 6),
      CASE i / 120 % 2 WHEN 0 THEN 'direct' ELSE 'stable' END,
      'USD', 11, 1, 1100, 0, 0, 0, 1100, 0, 2200, 0, 2200 FROM n`);
  }
}

const requests = {
  accountId: 'alice',
  ...SPAN,
  keyId: null,
  model: null,
  channel: null,
  upstream: null,
  outcome: null,
  currency: null,
  minCost: null,
  status: null,
  idPrefix: null,
};
const wallet = { accountId: 'alice', currency: null, kind: null, ...SPAN };
const year = {
  accountId: 'alice',
  fromDay: FIRST_DAY,
  toDay: FIRST_DAY + YEAR,
  keyId: null,
  model: null,
  channel: null,
  currency: null,
};

/** Records how long each statement occupies the store. */
function watched(sql: SqlExecutor): { readonly sql: SqlExecutor; readonly longest: () => number } {
  let longest = 0;
  return {
    sql: {
      ...sql,
      query: async (statement) => {
        const from = performance.now();
        const rows = await sql.query(statement);
        longest = Math.max(longest, performance.now() - from);
        return rows;
      },
    },
    longest: () => {
      const was = longest;
      longest = 0;
      return was;
    },
  };
}

type Questions = Readonly<Record<string, () => Promise<unknown>>>;

function questionsOf(sql: SqlExecutor): Questions {
  const [log, statements, usage] = [new RequestLog(sql), new Statements(sql), new UsageReport(sql)];
  const histogram = new RequestHistogram(sql, usage);
  const to = SPAN.toMs - 30 * DAY_MS;
  const threeDays = { fromMs: to - 3 * DAY_MS, toMs: to };
  const hundredThousand = { fromMs: to - ((100_000 * YEAR) / REQUESTS) * DAY_MS, toMs: to };
  const middle = { settledAtMs: BigInt(AT_MS + 100 * DAY_MS), requestId: '' };
  return {
    'requests, first page': () => log.page(requests, 100, null),
    'failed requests, without matches': () =>
      log.page({ ...requests, status: 'failed' }, 100, null),
    'the overview of the last 30 days': () => recentUse(sql, 'alice', to),
    'bars by day, a year': () => histogram.of(requests),
    'bars by hour, three days': () => histogram.of({ ...requests, ...threeDays }),
    'bars by day of 100,000 receipts, filtered by price, without roll-ups': () =>
      histogram.of({ ...requests, ...hundredThousand, minCost: nano(1n) }),
    'requests, deep page': () => log.page(requests, 100, middle),
    'requests of a model, first page': () => log.page({ ...requests, model: 'model-3' }, 100, null),
    'requests of an unused model': () => log.page({ ...requests, model: 'model-9' }, 100, null),
    'an early request, by a prefix of its id': () =>
      log.page({ ...requests, idPrefix: 'req_1000000' }, 100, null),
    'failed requests of all accounts, without matches': () =>
      log.page({ ...requests, accountId: null, status: 'failed' }, 100, null),
    'requests of all accounts, first page': () =>
      log.page({ ...requests, accountId: null }, 100, null),
    'ledger, first page': () => statements.page(wallet, 100, null),
    'ledger, deep page': () => statements.page(wallet, 100, { transaction: 200_000n, line: 0n }),
    'all ledger accounts': () => new BooksReport(sql).balances(),
    'a year of use by model': () => usage.page(year, ['model'], 100, null),
    'a year of use by day': () => usage.page(year, ['day'], 366, null),
    'a year of use by key, model and channel': () =>
      usage.page(year, ['key', 'model', 'channel'], 100, null),
    'a year of use, newest 100 days': () => usage.page(year, ['day'], 100, null),
    'a year of use by day and model': () => usage.page(year, ['day', 'model'], 100, null),
  };
}

async function main(): Promise<void> {
  const [, , engine = 'sqlite', statistics] = Bun.argv;
  const database = await (engine === 'postgres' ? openPostgresForTest() : openFile(newFile()));
  await furnish(database);
  await fill(database);
  if (statistics === 'analyze') await database.sql.query({ sql: 'ANALYZE', params: [] });
  const { sql, longest } = watched(database.sql);
  for (const [question, ask] of Object.entries(questionsOf(sql))) {
    const took: number[] = [];
    longest();
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = performance.now();
      await ask();
      took.push(performance.now() - from);
    }
    const median = took.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0;
    console.log(
      JSON.stringify({
        question,
        medianMs: median.toFixed(1),
        longestStatementMs: longest().toFixed(1),
      }),
    );
  }
  await database.close();
  removeFiles();
}

await main();
