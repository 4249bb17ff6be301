import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Database } from '../../ledger/database.ts';
import { openPostgresForTest } from '../../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../../ledger/sqlite/sqlite.fixture.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { WRITE_AFTER_MS } from '../batched-rows.ts';
import { finished } from '../finished.fixture.ts';

import { failureConformance } from './attempt-failures-conformance.fixture.ts';
import { countsStatement } from './refusal-log.ts';
import { refusalConformance, refusingNode } from './refusals-conformance.fixture.ts';

let postgres: Database;
let sqlite: Database;

async function emptied({ sql }: Database): Promise<SqlExecutor> {
  await sql.transaction(
    ['refusal', 'refusal_count', 'attempt_failure'].map((table) => ({
      sql: `DELETE FROM ${table}`,
      params: [],
    })),
  );
  return sql;
}

beforeAll(async () => {
  sqlite = await openFile(newFile());
  postgres = await openPostgresForTest();
}, 180_000);
afterAll(async () => {
  await postgres.close();
  await sqlite.close();
  removeFiles();
});

refusalConformance('SQLite', () => emptied(sqlite));
refusalConformance('PostgreSQL', () => emptied(postgres));
failureConformance('SQLite', () => emptied(sqlite));
failureConformance('PostgreSQL', () => emptied(postgres));

test('keeps no charged request and none without a known caller', async () => {
  const { refusals, refuse, ids, counted } = refusingNode(await emptied(sqlite));
  refusals.finished(finished());
  refuse('req_1', { end: 'upstream_error' });
  refuse('req_2', { caller: null });
  refuse('req_3', { endpoint: null });
  expect(await ids()).toEqual([]);
  expect(await counted()).toBe(0n);
});

test('writes in batches by itself, and nothing while nothing is refused', async () => {
  const writes: string[] = [];
  const { refuse, clock, flushed } = refusingNode({
    query: async ({ sql, params }) => {
      writes.push(`${sql.split(/\s+/, 3).join(' ')} ${params.length}`);
      return [];
    },
    transaction: async () => [],
  });
  clock.advance(1_000_000);
  expect(writes).toEqual([]);
  for (let at = 0; at < 9; at += 1) refuse(`req_${at}`);
  expect(writes).toEqual([]);
  clock.advance(WRITE_AFTER_MS);
  await flushed();
  // One statement inserts nine rows, and another inserts their count. All other statements delete.
  const inserts = writes.filter((sql) => sql.startsWith('INSERT'));
  expect(inserts).toEqual(['INSERT INTO refusal 81', 'INSERT INTO refusal_count 4']);
});

test('the counts of an account are found without reading those of other accounts', async () => {
  const { sql, params } = countsStatement('acc_1', 1, 30);
  const explained = { sql: `EXPLAIN QUERY PLAN ${sql}`, params };
  const plan = (await sqlite.sql.query(explained)).map((row) => String(row['detail'])).join('\n');
  expect(plan).toContain('SEARCH refusal_count USING PRIMARY KEY (day=? AND account_id=?)');
});
