/**
 * Tests that no report scans a complete table, with or without statistics of ANALYZE. The tests
 * check each engine's query plan for every statement that a report sends.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { AT_MS } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { DAY_MS } from '../money/calendar.ts';
import type { SqlExecutor, SqlStatement } from '../store/sql.ts';
import {
  LARGE,
  REPORTS,
  REQUEST_FILTER,
  statementsOf,
  USAGE_FILTER,
} from './report-statements.fixture.ts';
import { tradeAtRandom } from './reports.fixture.ts';
import { filtersOf, span } from './request-filter.ts';
import { countStatement, RequestHistogram } from './request-histogram.ts';
import { pageStatement, RequestLog } from './request-log.ts';
import { UsageReport } from './usage-report.ts';

const SEED = 5;
const REQUESTS = 300;
const SLOW_MS = 180_000;

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
      // Only the report `the books` may read the movements of all accounts. Each of its statements
      // reads a bounded number of them.
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

/** Tables that grow only with accounts or months. */
const SMALL = new Set(['account', 'person', 'low_balance', 'archived_sum']);

/**
 * Returns the names of the tables that a plan scans completely. Omits small tables, and scans of
 * rows that a subquery has already selected.
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
   * Returns the plan of a statement with table scans disabled. The test ledger is so small that
   * PostgreSQL would otherwise prefer scans to indexes. With scans disabled, it scans only where no
   * index applies.
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
