import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, expect, test } from 'bun:test';
import { credit, failureOf, hold, settle } from '../conformance/books.fixture.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations.ts';
import { newFile, openFile, removeFiles } from './sqlite.fixture.ts';

afterAll(removeFiles);

const DAY_MS = 86_400_000;
/** A Wednesday, the last of a quarter; the next day is in its week and not in its month. */
const WEDNESDAY = Date.parse('2026-09-30T12:00:00Z');
const DAY = BigInt(Math.floor(WEDNESDAY / DAY_MS));
/** More than 64 bits once it is multiplied by the scale of a rate. */
const WIDE = 60_000_000_000_000_001n;

/** What a release with schema 1 wrote: credits, charges in both currencies, a hold of a process that died. */
const OLD_BOOKS = `
INSERT INTO account (id, name, created_at_ms) VALUES ('alice', 'a', 1);
INSERT INTO api_key (id, account_id, name, hash, prefix, last4, created_at_ms)
  VALUES ('key_alice', 'alice', 'k', zeroblob(32), 'p', 'l', 1);
INSERT INTO fx_rate VALUES ('fx', 'USD', 'CNY', 710000000, 1);
INSERT INTO card VALUES ('card', 'USD', 'm', 'direct', 1000, 1000, 1000, 1000, 1000, 1);
INSERT INTO money_transaction (id, kind, command_id, reason, available_after, at_ms) VALUES
  (1, 'credit', 'c1', 'card payment', 1000, 1), (2, 'credit', 'c2', 'card payment', ${2n * WIDE}, 1);
INSERT INTO entry (transaction_id, line, account_id, currency, amount, balance_after) VALUES
  (1, 1, 'alice', 'USD', 1000, 1000), (1, 2, 'top_up', 'USD', -1000, NULL),
  (2, 1, 'alice', 'CNY', ${2n * WIDE}, ${2n * WIDE}), (2, 2, 'top_up', 'CNY', ${-2n * WIDE}, NULL);
INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, own, reserve, epoch,
    granted, available_after, created_at_ms, expires_at_ms)
  VALUES ('pending', 'alice', 'key_alice', 'USD', 40, 40, 40, 40, 0, 'dead', 40, 0, 1, 2);
UPDATE wallet SET balance = 1000, held = 40 WHERE currency = 'USD';
UPDATE wallet SET balance = ${2n * WIDE} WHERE currency = 'CNY';`;

/** A settled request, as schema 1 kept it. `cost` is its price in nano-USD. */
function settled(
  file: SqliteFile,
  id: string,
  terms: { currency: 'USD' | 'CNY'; charge: bigint; cost: bigint; atMs: number; outcome: string },
): void {
  const { currency, charge, cost, atMs, outcome } = terms;
  const rate = currency === 'CNY' ? "'fx'" : 'NULL';
  file.run(`
    INSERT INTO hold (id, account_id, key_id, currency, asked, at_least, amount, own, reserve, epoch,
        state, granted, available_after, created_at_ms, expires_at_ms, resolved_at_ms)
      VALUES ('${id}', 'alice', 'key_alice', '${currency}', 0, 0, 0, 0, 0, 'dead', 'settled', 0, 0, 1, 2, 3);
    INSERT INTO receipt VALUES ('${id}', 'alice', 'key_alice', 'chat', 'm', NULL, 'direct', 'u', 'm',
      'card', ${rate}, '${currency}', ${cost}, 0, 0, 0, 0, NULL, NULL, ${cost * 1000n}, 0, 1,
      '${outcome}', NULL, NULL, 1, NULL, 1.5, '[]', ${charge}, 0, 0, ${atMs});
    INSERT INTO money_transaction (kind, command_id, available_after, at_ms)
      VALUES ('settle', '${id}', 0, ${atMs});
    UPDATE wallet SET balance = balance - ${charge} WHERE currency = '${currency}';
    INSERT INTO entry (transaction_id, line, account_id, currency, amount, balance_after)
      SELECT last_insert_rowid(), 5, 'alice', '${currency}', ${-charge}, balance FROM wallet
      WHERE currency = '${currency}';
    INSERT INTO entry (transaction_id, line, account_id, currency, amount, balance_after)
      SELECT MAX(id), 6, 'revenue', '${currency}', ${charge}, NULL FROM money_transaction;
    INSERT INTO key_spend VALUES ('key_alice', '${currency}', ${Math.floor(atMs / DAY_MS)}, ${charge})
      ON CONFLICT DO UPDATE SET charge = charge + excluded.charge;`);
}

/** A file that schema 1 wrote, furnished. */
function oldFile(): string {
  const path = newFile();
  const file = new SqliteFile(path, { create: true, readwrite: true, safeIntegers: true });
  migrate(file, MIGRATIONS.slice(0, 1), 1);
  file.run(OLD_BOOKS);
  const usd = { currency: 'USD', charge: 30n, cost: 30n } as const;
  settled(file, 'h1', { ...usd, atMs: WEDNESDAY - 3 * DAY_MS, outcome: 'completed' });
  settled(file, 'h2', { ...usd, atMs: WEDNESDAY, outcome: 'upstream_error' });
  settled(file, 'h3', { ...usd, atMs: WEDNESDAY + DAY_MS, outcome: 'completed' });
  settled(file, 'h4', {
    ...usd,
    charge: 5n,
    cost: 5n,
    atMs: WEDNESDAY + DAY_MS,
    outcome: 'completed',
  });
  file.close();
  return path;
}

const DAY_TOTALS = `SELECT day, currency, requests, incomplete, input, charge, metered FROM usage_day
  ORDER BY day, currency`;

test('schema 2 rolls up what the books held, and they are sound', async () => {
  const database = await openFile(oldFile());
  const { ledger, sql } = database;
  const row = {
    currency: 'USD',
    requests: 1n,
    incomplete: 0n,
    input: 30n,
    charge: 30n,
    metered: 30n,
  };
  expect(await sql.query({ sql: DAY_TOTALS, params: [] })).toEqual([
    { ...row, day: DAY - 3n },
    { ...row, day: DAY, incomplete: 1n },
    { ...row, day: DAY + 1n, requests: 2n, input: 35n, charge: 35n, metered: 35n },
  ]);
  const meters = await sql.query({
    sql: `SELECT owner_id, held, total, day, in_day, in_week, in_month FROM spend_meter
          ORDER BY owner_id`,
    params: [],
  });
  // The week began on Monday, two days before Wednesday; the month on the day after it.
  const spent = { held: 40n, total: 95n, day: DAY + 1n, in_day: 35n, in_week: 65n, in_month: 35n };
  expect(meters).toEqual([
    { owner_id: 'alice', ...spent },
    { owner_id: 'key_alice', ...spent },
  ]);
  expect(await ledger.verify()).toEqual([]);

  // Its commands are known, and what a dead process held is freed.
  expect((await ledger.apply([credit('c1', 1_000n)]))[0]?.status).toBe('already_applied');
  expect((await ledger.apply([credit('c1', 999n)]))[0]?.status).toBe('id_reused');
  await ledger.join({ epoch: 'epoch_1', name: 'first' }, 1_000);
  expect(await ledger.reap()).toEqual({ settled: 0, voided: 1 });
  await ledger.apply([hold('h9', 9n)]);
  expect(await failureOf(ledger.apply([settle('h9', 9n)]))).toMatchObject({
    code: 'internal_error',
  });
  expect(await ledger.verify()).toEqual([]);
  await database.close();
});

test('a charge that is wide is counted exactly, halves to even', async () => {
  const path = oldFile();
  const file = new SqliteFile(path, { readwrite: true, safeIntegers: true });
  // 60000000.000000001 CNY at 7.1 are 8450704.2253521128169... USD.
  const cost = 8_450_704_225_352_113n;
  settled(file, 'h5', {
    currency: 'CNY',
    charge: WIDE,
    cost,
    atMs: WEDNESDAY,
    outcome: 'completed',
  });
  file.close();
  const database = await openFile(path);
  const rows = await database.sql.query({
    sql: "SELECT charge, metered FROM usage_day WHERE currency = 'CNY'",
    params: [],
  });
  expect(rows).toEqual([{ charge: WIDE, metered: 8_450_704_225_352_113n }]);
  const wrong = (await database.ledger.verify()).map(({ invariant }) => invariant);
  // The receipt is made up, so its price is not its charge; every sum is.
  expect(wrong).toEqual(["a receipt's charge is its cost, converted and rounded once"]);
  await database.close();
});
