import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { summaryOf } from '../routing/channel-figures.ts';
import type { SqlExecutor, SqlStatement } from '../store/sql.ts';
import { channelHistoryConformance, node } from './channel-history-conformance.fixture.ts';

let postgres: Database;
const sqlites: Database[] = [];

async function sqlite(): Promise<SqlExecutor> {
  const database = await openFile(newFile());
  sqlites.push(database);
  return database.sql;
}

beforeAll(async () => {
  postgres = await openPostgresForTest();
}, 180_000);
afterAll(async () => {
  await postgres.close();
  for (const database of sqlites) await database.close();
  removeFiles();
});

channelHistoryConformance('SQLite', sqlite);
channelHistoryConformance('PostgreSQL', async () => {
  await postgres.sql.query({ sql: 'DELETE FROM channel_figures', params: [] });
  return postgres.sql;
});

const FAILED = { outcome: 'upstream_error', errorCode: 'upstream_failed' } as const;
const attempt = (channel: string, result: string) => ({
  ...{ channel, upstream: 'a', model: 'x', result, startMs: 0, durationMs: 1 },
});

describe('a request', () => {
  test.each([
    ['that completes is a success', {}, 1],
    ['that the provider fails is a failure', FAILED, 0],
    ['whose caller disconnects does not count', { outcome: 'caller_left' }, null],
    [
      'that the provider refuses does not count',
      { outcome: 'upstream_error', errorCode: 'upstream_rejected_request' },
      null,
    ],
  ] as const)('%s', async (_name, given, ratio) => {
    const { requests, history } = node(await sqlite());
    requests(20, given);
    const { hours } = (await history.current()).of('gen', 'direct');
    expect(summaryOf(hours.at(-1) ?? [])?.successRatio ?? null).toBe(ratio);
  });

  test('that another channel served is a failure of the channel that could not', async () => {
    const { requests, history } = node(await sqlite());
    requests(20, { attempts: [attempt('economical', '500'), attempt('direct', '200')] });
    const { of } = await history.current();
    expect(summaryOf(of('gen', 'economical').hours.at(-1) ?? [])?.successRatio).toBe(0);
    expect(summaryOf(of('gen', 'direct').hours.at(-1) ?? [])?.successRatio).toBe(1);
  });

  test('that no route could take is a failure, and unknown models are not counted', async () => {
    const { count, history } = node(await sqlite());
    const ended = { settled: null, end: 'failed', errorCode: 'upstream_overloaded' } as const;
    for (let i = 0; i < 20; i++) {
      count({ ...ended, asked: { model: 'gen', channel: null, stream: false } });
      count({ ...ended, asked: { model: 'no-model', channel: null, stream: false } });
    }
    const { of } = await history.current();
    expect(summaryOf(of('gen', 'direct').hours.at(-1) ?? [])?.successRatio).toBe(0);
    expect(summaryOf(of('no-model', 'direct').hours.at(-1) ?? [])).toBeNull();
  });
});

test('counts that could not be written are written later', async () => {
  const sql = await sqlite();
  const store = { isDown: true };
  const { requests, history, clock, failures } = node({
    query: (asked) => sql.query(asked),
    transaction: async (asked) => {
      if (store.isDown) throw new Error('down');
      return await sql.transaction(asked);
    },
  });
  requests(20, {});
  await history.flush();
  expect(failures).toHaveLength(1);
  store.isDown = false;
  clock.advance(60_000);
  await history.close();
  const { of } = await node(sql).history.current();
  expect(summaryOf(of('gen', 'direct').hours.at(-1) ?? [])?.successRatio).toBe(1);
});

test('serves the last counts, or none, while the store does not answer', async () => {
  const down = { query: () => Promise.reject(new Error('down')) };
  const { history, failures } = node({ ...down, transaction: async () => [] });
  const { of, incidents } = await history.current();
  expect(summaryOf(of('gen', 'direct').hours.at(-1) ?? [])).toBeNull();
  expect([incidents.length, failures.length]).toEqual([0, 1]);
});

test('deletes old counts by the key of the table, without reading all of them', async () => {
  const sql = await sqlite();
  const deletions: SqlStatement[] = [];
  const { requests, history } = node({
    query: (of) => sql.query(of),
    transaction: async (all) => {
      deletions.push(...all.filter((of) => of.sql.startsWith('DELETE')));
      return [];
    },
  });
  requests(1, {});
  await history.flush();
  expect(deletions).toHaveLength(3);
  for (const deletion of deletions) {
    const plan = await sql.query({ ...deletion, sql: `EXPLAIN QUERY PLAN ${deletion.sql}` });
    expect(plan.map((row) => row['detail']).join()).toContain('(span=? AND start_ms<?)');
  }
  await history.close();
});
