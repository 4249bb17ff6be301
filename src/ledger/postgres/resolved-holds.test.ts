import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type ManualClock, manualClock } from '../../clock.fixture.ts';
import { firstIdAt } from '../../clock.ts';
import {
  AT_MS,
  credit,
  EPOCH,
  extend,
  furnish,
  hold,
  settle,
  voided,
} from '../conformance/ledger.fixture.ts';
import type { Database } from '../database.ts';
import { NOTHING_ASSIGNED, openPostgresForTest } from './postgres.fixture.ts';
import { ResolvedHolds } from './resolved-holds.ts';

const HOUR_MS = 3_600_000;
const KEPT_MS = 7 * 24 * HOUR_MS;

let database: Database;
let clock: ManualClock;
let failures: unknown[];
beforeEach(async () => {
  database = await openPostgresForTest({ share: NOTHING_ASSIGNED });
  clock = manualClock(AT_MS);
  failures = [];
  await furnish(database);
  await database.ledger.apply([credit('c1', 1_000_000n)]);
}, 180_000);
afterEach(async () => {
  await database.close();
  expect(failures).toEqual([]);
});

const nodeOf = (epoch: string, sql = database.sql): ResolvedHolds =>
  new ResolvedHolds({
    sql,
    clock,
    keptMs: () => KEPT_MS,
    epoch: () => epoch,
    onFailure: (thrown) => failures.push(thrown),
  });
const idAt = (ms: number, name: string): string => `${firstIdAt('req', ms)}${name}`;
const rows = async (table: string): Promise<readonly string[]> =>
  (await database.sql.query({ sql: `SELECT id FROM ${table} ORDER BY id`, params: [] })).map(
    (row) => String(row['id']),
  );

test('deletes resolved holds with their extensions when they are old, and the ledger stays sound', async () => {
  const [paid, freed, open] = ['paid', 'freed', 'open'].map((name) => idAt(AT_MS, name)) as [
    string,
    string,
    string,
  ];
  const young = idAt(AT_MS + HOUR_MS, 'young');
  await database.ledger.apply([hold(paid, 60n), extend(`${paid}/1`, paid, 10n), settle(paid, 24n)]);
  await database.ledger.apply([hold(freed, 60n), voided(freed), hold(open, 30n)]);
  await database.ledger.apply([extend(`${open}/1`, open, 10n), hold(young, 5n), settle(young, 5n)]);
  await database.ledger.apply([hold('other_form', 7n), settle('other_form', 7n)]);
  const node = nodeOf(EPOCH);
  clock.advance(KEPT_MS);
  await node.round();
  expect(await rows('hold')).toEqual(['other_form', freed, open, paid, young].toSorted());
  clock.advance(1);
  await node.round();
  expect(await rows('hold')).toEqual(['other_form', open, young].toSorted());
  expect(await rows('extension')).toEqual([`${open}/1`]);
  expect(await database.ledger.verify()).toEqual([]);
  const repeated = await database.ledger.apply([settle(paid, 24n)]);
  expect(repeated).toMatchObject([{ status: 'already_applied' }]);
  await node.stop();
});

test('one node deletes, every hour, in slices', async () => {
  await database.sql.query({
    sql: `INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, granted, own, reserve,
      epoch, state, available_after, created_at_ms, expires_at_ms, resolved_at_ms)
      SELECT '${firstIdAt('req', AT_MS)}' || n, 'alice', 'key_alice', 'USD', 1, 1, 1, 1, 0, 0,
        'gone', 'void', 0, ${AT_MS}, ${AT_MS}, ${AT_MS} FROM generate_series(1, 1200) AS n`,
    params: [],
  });
  const sizes: number[] = [];
  const sql = {
    ...database.sql,
    query: async (of: Parameters<Database['sql']['query']>[0]) => {
      const found = await database.sql.query(of);
      if (of.sql.startsWith('DELETE FROM hold')) sizes.push(found.length);
      return found;
    },
  };
  clock.advance(KEPT_MS);
  const other = nodeOf('epoch_2', sql);
  clock.advance(HOUR_MS);
  await Promise.all([other.round(), other.stop()]);
  expect(sizes).toEqual([]);
  const first = nodeOf(EPOCH, sql);
  clock.advance(HOUR_MS);
  await first.round();
  expect(sizes).toEqual([500, 500, 200]);
  expect(await rows('hold')).toEqual([]);
  await first.stop();
});

test('tables that grow with requests have settings of autovacuum', async () => {
  const found = await database.sql.query({
    sql: `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND array_to_string(reloptions, ' ')
      LIKE '%autovacuum%' ORDER BY relname`,
    params: [],
  });
  expect(found.map(({ name }) => name)).toEqual([
    ...['assignment', 'attempt_failure', 'audit', 'entry', 'hold', 'idempotency', 'late_receipt'],
    ...['money_transaction', 'prompt_record', 'receipt', 'refusal', 'spend_meter', 'uncounted'],
    ...['usage_day', 'usage_month', 'wallet'],
  ]);
});
