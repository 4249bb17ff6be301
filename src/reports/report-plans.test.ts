/**
 * No report scans a whole table, with or without statistics of ANALYZE. The tests get each engine's
 * query plan of every statement that a report sends.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { AT_MS } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../money/amount.ts';
import { DAY_MS } from '../money/calendar.ts';
import type { SqlExecutor, SqlStatement } from '../store/sql.ts';
import { AuditLog } from './audit-log.ts';
import { costsOf } from './books-months-conformance.fixture.ts';
import { BooksReport } from './books-report.ts';

import { StatementsByMonth } from './monthly-statements.ts';
import { ImageSums } from './operator/image-sums.ts';
import { OperatorSummary } from './operator/operator-summary.ts';
import { tradeAtRandom } from './reports.fixture.ts';
import { filtersOf, span } from './request-filter.ts';
import { countStatement, RequestHistogram } from './request-histogram.ts';
import { pageStatement, RequestLog } from './request-log.ts';
import { Spending } from './spending.ts';
import { Statements } from './statements.ts';
import { type UsageDimension, type UsageFilter, UsageReport } from './usage-report.ts';

const SEED = 5;
const REQUESTS = 300;
const SLOW_MS = 120_000;
/** Tables that grow with requests or days. Other tables, such as accounts and cards, stay small. */
const LARGE = 'entry|money_transaction|receipt|late_receipt|refund|usage_day|usage_month|audit';

const TIMES = { fromMs: AT_MS - DAY_MS, toMs: AT_MS + 400 * DAY_MS };
const REQUEST_FILTER = {
  accountId: 'alice',
  ...TIMES,
  keyId: null,
  model: null,
  channel: null,
  upstream: null,
  outcomes: null,
  currency: null,
  minCost: null,
  status: null,
  idPrefix: null,
};
const FIRST_DAY = Math.floor(AT_MS / DAY_MS) - 40;
const USAGE_FILTER: UsageFilter = {
  accountId: 'alice',
  fromDay: FIRST_DAY,
  toDay: FIRST_DAY + 365,
  keyId: null,
  model: null,
  channel: null,
  currency: null,
};
const GROUPINGS: readonly (readonly UsageDimension[])[] = [
  [],
  ['day'],
  ['model'],
  ['key', 'model', 'channel'],
  ['day', 'model'],
];

type Ask = (sql: SqlExecutor) => Promise<unknown>;

/** Reports, each with the name in SQLite of the index that it must use. */
const REPORTS: Readonly<Record<string, readonly [by: string, Ask]>> = {
  'a wallet': [
    'receipt_in_order',
    (sql) =>
      new Statements(sql).page(
        { accountId: 'alice', currency: 'USD', kind: null, ...TIMES },
        9,
        null,
      ),
  ],
  'movements of a kind': [
    'late_receipt_in_order',
    (sql) =>
      new Statements(sql).page(
        { accountId: 'alice', currency: null, kind: 'refund', ...TIMES },
        9,
        { seq: 99n, line: 1n },
      ),
  ],
  'the months of a wallet': ['entry_of_account', (sql) => new StatementsByMonth(sql).of('alice')],
  'requests of an account': [
    'receipt_of_account',
    (sql) => new RequestLog(sql).page(REQUEST_FILTER, 9, null),
  ],
  'expensive requests of a model': [
    'receipt_of_account',
    (sql) =>
      new RequestLog(sql).page(
        { ...REQUEST_FILTER, model: 'gen-v4-pro', minCost: nano(9n) },
        9,
        null,
      ),
  ],
  'requests of all accounts': [
    'receipt_by_time',
    (sql) => new RequestLog(sql).page({ ...REQUEST_FILTER, accountId: null }, 9, null),
  ],
  'failed requests of all accounts': [
    'receipt_by_time',
    (sql) =>
      new RequestLog(sql).page(
        { ...REQUEST_FILTER, accountId: null, outcomes: ['upstream_error'] },
        9,
        null,
      ),
  ],
  'one request': ['receipt_of_request', (sql) => new RequestLog(sql).one('req_1', 'alice')],
  'use of an account': ['PRIMARY KEY', (sql) => usage(sql, {})],
  'use of a key': ['PRIMARY KEY', (sql) => usage(sql, { keyId: 'key_alice' })],
  'use of all accounts': ['usage_month_by_month', (sql) => usage(sql, { accountId: null })],
  'what a key has spent': ['usage_month_of_key', (sql) => spending(sql).ofKey('key_alice')],
  'what an account has spent': ['PRIMARY KEY', (sql) => spending(sql).ofAccount('alice')],
  'the books': ['INTEGER PRIMARY KEY', (sql) => new BooksReport(sql).balances()],
  'the summary of all accounts': [
    'usage_month_by_month',
    (sql) => new OperatorSummary(sql, costsOf(sql)).of(FIRST_DAY, FIRST_DAY + 365),
  ],
  'the images of a model': ['receipt_images', images],
  'the images of a model that were lost': ['receipt_lost', images],
  'the audit log of a subject': [
    'audit_of_subject',
    (sql) => new AuditLog(sql).page({ ...NO_AUDIT, subject: 'alice' }, 9, null),
  ],
  'the audit log': ['INTEGER PRIMARY KEY', (sql) => new AuditLog(sql).page(NO_AUDIT, 9, null)],
  'the chain of the audit log': ['INTEGER PRIMARY KEY', (sql) => new AuditLog(sql).firstBreak(3n)],
};
const NO_AUDIT = { subject: null, actor: null, action: null, ...TIMES };

async function images(sql: SqlExecutor): Promise<void> {
  const drawn = { model: 'gen-opus-4-8', channel: 'direct', currency: 'USD' } as const;
  const days = { fromDay: FIRST_DAY, toDay: FIRST_DAY + 365 };
  for (const payers of [
    { accountId: null, others: new Set(['bob']) },
    { accountId: 'alice', others: new Set<string>() },
  ]) {
    await new ImageSums(sql).of(drawn, days, payers);
  }
}

const spending = (sql: SqlExecutor): Spending => new Spending(sql, { nowMs: () => AT_MS });

async function usage(sql: SqlExecutor, filter: Partial<UsageFilter>): Promise<void> {
  for (const by of GROUPINGS) {
    await new UsageReport(sql).page({ ...USAGE_FILTER, ...filter }, by, 9, null);
  }
}

/** Returns the statements that a report sends to the store. */
async function statementsOf(sql: SqlExecutor, ask: Ask): Promise<readonly SqlStatement[]> {
  const sent: SqlStatement[] = [];
  await ask({
    query: async (statement) => {
      sent.push(statement);
      return await sql.query(statement);
    },
    transaction: () => Promise.reject(new Error('a report writes nothing')),
  });
  return sent;
}

describe('SQLite', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openFile(newFile());
    await tradeAtRandom(database, REQUESTS, SEED);
  }, SLOW_MS);
  afterAll(async () => {
    await database.close();
    removeFiles();
  });

  const planOf = async ({ sql, params }: SqlStatement): Promise<readonly string[]> => {
    const rows = await database.sql.query({ sql: `EXPLAIN QUERY PLAN ${sql}`, params });
    return rows.map((row) => String(row['detail']));
  };
  const byIndexAlone = async (): Promise<void> => {
    for (const [report, [index, ask]] of Object.entries(REPORTS)) {
      const sent = await statementsOf(database.sql, ask);
      const plans = await Promise.all(sent.map(planOf));
      expect([report, plans.flatMap(scanned)]).toEqual([report, []]);
      // Only the report of the books may read the movements of all accounts. It does so in bounded
      // steps.
      const ofAll = /^SEARCH (?:entry|e|(?:late_)?receipt) USING (?:INTEGER )?PRIMARY KEY .*[<>]/;
      const past = plans.flat().filter((step) => ofAll.test(step));
      if (report !== 'the books') expect([report, past]).toEqual([report, []]);
      const searched = plans.flat().filter((step) => step.startsWith('SEARCH'));
      expect([
        report,
        searched.some((step) => step.includes(`USING ${index}`) || step.includes(`INDEX ${index}`)),
      ]).toEqual([report, true]);
    }
  };
  test('every report uses its index', byIndexAlone, SLOW_MS);
  test(
    'also after ANALYZE',
    async () => {
      await database.sql.query({ sql: 'ANALYZE', params: [] });
      await byIndexAlone();
    },
    SLOW_MS,
  );
  test(
    'also when one account owns nearly all rows',
    async () => {
      await database.sql.query({ sql: 'ANALYZE', params: [] });
      const stats = [
        ['entry', '40000 2 1'],
        ['entry_of_account', '40000 20000 2 1'],
        ['receipt_of_account', '20000 20000 1 1'],
        ['receipt_in_order', '20000 20000 1'],
      ];
      const sql = 'UPDATE sqlite_stat1 SET stat = $2 WHERE idx = $1';
      for (const params of stats) await database.sql.query({ sql, params });
      await database.sql.query({ sql: 'ANALYZE sqlite_schema', params: [] });
      await byIndexAlone();
    },
    SLOW_MS,
  );
  test(
    'also when statistics call a table small',
    async () => {
      await database.sql.query({ sql: 'ANALYZE', params: [] });
      for (const small of LARGE.split('|')) {
        const stat = `UPDATE sqlite_stat1 SET stat = CASE tbl WHEN $1 THEN '100' ELSE '9000000' END
          || SUBSTR(stat, INSTR(stat, ' '))`;
        await database.sql.query({ sql: stat, params: [small] });
        await database.sql.query({ sql: 'ANALYZE sqlite_schema', params: [] });
        await byIndexAlone();
      }
    },
    SLOW_MS,
  );
  test('a step of the request list reads only from its start to its end', async () => {
    const place = { settledAtMs: BigInt(AT_MS + DAY_MS), requestId: 'req_9' };
    const end = { settledAtMs: BigInt(AT_MS), requestId: 'req_1' };
    const between = '(settled_at_ms,request_id)>(?,?) AND (settled_at_ms,request_id)<(?,?)';
    for (const accountId of ['alice', null]) {
      const filter = { ...REQUEST_FILTER, accountId, model: 'gen-v4-pro' };
      const step = [...span(filter, place, end), ...filtersOf(filter)];
      for (const statement of [pageStatement(step, 9), countStatement(step, DAY_MS)]) {
        expect((await planOf(statement))[0]).toContain(between);
      }
    }
  });
  test('the end of a step is found from an index alone', async () => {
    const cases = [
      ['alice', 'ok', 'COVERING INDEX receipt_of_account'],
      ['alice', 'failed', 'INDEX receipt_failed'],
      [null, 'ok', 'COVERING INDEX receipt_by_time'],
      [null, 'failed', 'COVERING INDEX receipt_by_time'],
    ] as const;
    for (const [accountId, status, index] of cases) {
      const filter = { ...REQUEST_FILTER, accountId, status };
      const [end] = await statementsOf(database.sql, (sql) =>
        new RequestLog(sql).page(filter, 9, null),
      );
      expect(end?.sql).toContain('OFFSET');
      expect((await planOf(end ?? NOTHING)).join()).toContain(`USING ${index}`);
    }
  });
  test('an id is searched in the index of ids, not in the receipts of the account', async () => {
    for (const accountId of ['alice', null]) {
      const filter = { ...REQUEST_FILTER, accountId, idPrefix: 'req_100000' };
      const usage = new UsageReport(database.sql);
      for (const ask of [
        (sql: SqlExecutor) => new RequestLog(sql).page(filter, 9, null),
        (sql: SqlExecutor) => new RequestHistogram(sql, usage).of(filter),
      ]) {
        const [statement] = await statementsOf(database.sql, ask);
        const plan = (await planOf(statement ?? NOTHING)).join();
        expect(plan).toContain('INDEX receipt_of_request (request_id>? AND request_id<?)');
        expect(plan).not.toMatch(/receipt_(?:of_account|by_time|failed)/);
      }
    }
  });
  test('usage by day is read in index order, without sorting', async () => {
    const [, first] = await statementsOf(database.sql, (sql) =>
      new UsageReport(sql).page(USAGE_FILTER, ['day'], 9, null),
    );
    expect(first?.sql).toContain('GROUP BY day, currency');
    expect((await planOf(first ?? NOTHING)).join()).not.toContain('TEMP B-TREE');
  });
});

const NOTHING: SqlStatement = { sql: 'SELECT 1', params: [] };

/** Tables that grow with accounts alone, which the summary counts. */
const SMALL = new Set(['account', 'person', 'low_balance']);

/**
 * Returns the full scans in a plan, except of small tables and of rows that a subquery has already
 * selected.
 */
function scanned(plan: readonly string[]): readonly string[] {
  const picked = plan.flatMap((step) => /^(?:CO-ROUTINE|MATERIALIZE) (\w+)$/.exec(step)?.[1] ?? []);
  const scans = plan.flatMap((step) => /^SCAN (\w+)/.exec(step)?.[1] ?? []);
  return scans.filter((name, at) => {
    if (SMALL.has(name)) return false;
    const before = scans.slice(0, at).filter((other) => other === name).length;
    return picked.filter((other) => other === name).length <= before;
  });
}

describe('PostgreSQL', () => {
  let database: Database;
  beforeAll(async () => {
    database = await openPostgresForTest();
    await tradeAtRandom(database, REQUESTS, SEED);
    await database.sql.query({ sql: 'ANALYZE', params: [] });
  }, SLOW_MS);
  afterAll(async () => {
    await database.close();
  });

  /**
   * Returns the plan of a statement with table scans disabled. In such a small ledger, PostgreSQL
   * would prefer a scan to an index. With scans disabled, it scans only where no index applies.
   */
  const planOf = async ({ sql, params }: SqlStatement): Promise<string> => {
    const [, rows = []] = await database.sql.transaction([
      { sql: 'SET LOCAL enable_seqscan = off', params: [] },
      { sql: `EXPLAIN ${sql}`, params },
    ]);
    return rows.map((row) => String(Object.values(row)[0])).join('\n');
  };
  test(
    'every report uses an index',
    async () => {
      for (const [report, [, ask]] of Object.entries(REPORTS)) {
        for (const statement of await statementsOf(database.sql, ask)) {
          const scans = (await planOf(statement)).match(
            new RegExp(`Seq Scan on (?:${LARGE})\\b.*`, 'g'),
          );
          expect([report, statement.sql, scans]).toEqual([report, statement.sql, null]);
        }
      }
    },
    SLOW_MS,
  );
});
