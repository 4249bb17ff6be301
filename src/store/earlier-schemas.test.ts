/**
 * Tests that databases with earlier schemas can be opened. These builds wrote them:
 *
 * - Schema 10: the last build with all development migrations (commit 3f9031e). Accounts, keys,
 *   people, redeem codes, receipts, a settlement by the reaper, a late settlement, a pending hold.
 * - Schema 12: the last build whose settlements posted ledger entries (commit e0cb5e6e). Charges
 *   with currency exchanges and losses, zero charges, corrections up, down and of zero, wallet
 *   commands.
 * - Schema 38: the migrations of this version. A playground key that all people of an account
 *   shared.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { Accounts } from '../accounts/accounts.ts';
import { generateKey, hashKey } from '../accounts/api-key.ts';
import { systemClock } from '../clock.ts';
import { failureOf, hold, LEASE_MS, settle } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { NOTHING_HELD } from '../ledger/nothing-held.fixture.ts';
import { newEmptyDatabase, openTestUrl } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../money/amount.ts';
import { BooksReport } from '../reports/books-report.ts';
import { Statements } from '../reports/statements.ts';
import { MIGRATIONS, type Migration } from './migrations.ts';
import type { SqlExecutor } from './sql.ts';

afterAll(removeFiles);
setDefaultTimeout(180_000);

const NEWEST = MIGRATIONS.at(-1)?.id ?? 0;

/**
 * A database that is stored in a file or on a server. `open` opens it as a gateway does. `run` and
 * `read` work only while no gateway has it open.
 */
type Place = {
  readonly open: () => Promise<Database>;
  readonly run: (sql: string) => Promise<void>;
  /** Returns the values of each row as text. */
  readonly read: (sql: string) => Promise<readonly (readonly string[])[]>;
};

type Engine = {
  readonly name: string;
  /** Returns a new copy of the recorded database with schema number `schema`. */
  readonly old: (schema: number) => Promise<Place>;
  readonly fresh: () => Promise<Place>;
  /** Returns the SQL of a migration for this store engine. */
  readonly step: (migration: Migration) => string;
  /**
   * Returns the definitions of all objects of the schema as text, such as tables and triggers.
   * Comments and needless spaces are removed.
   */
  readonly objects: (sql: SqlExecutor) => Promise<readonly string[]>;
  readonly tables: string;
};

const unpacked = (name: string): Uint8Array =>
  Bun.gunzipSync(readFileSync(join(import.meta.dir, 'fixtures', name)));

const sqlite: Engine = {
  name: 'SQLite',
  old: async (schema) => {
    const place = fileAt(newFile());
    writeFileSync(place.path, unpacked(`schema-${schema}.db.gz`));
    return place;
  },
  fresh: async () => fileAt(newFile()),
  step: (migration) => migration.sqlite,
  objects: async (sql) =>
    await textsOf(sql, [
      `SELECT type || ' ' || name || ': ' || sql AS object FROM sqlite_schema
       WHERE sql IS NOT NULL`,
    ]),
  tables: `SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
    ORDER BY name`,
};

const fileAt = (path: string): Place & { readonly path: string } => ({
  path,
  open: () => openFile(path),
  run: async (sql) => {
    const file = new SqliteFile(path);
    file.run(sql);
    file.close();
  },
  read: async (sql) => {
    const file = new SqliteFile(path, { safeIntegers: true });
    const rows = file.query(sql).values();
    file.close();
    return rows.map((row) => row.map(String));
  },
});

const postgreSql: Engine = {
  name: 'PostgreSQL',
  old: async (schema) => {
    const place = databaseAt(await newEmptyDatabase());
    await place.run(new TextDecoder().decode(unpacked(`schema-${schema}.sql.gz`)));
    return place;
  },
  fresh: async () => databaseAt(await newEmptyDatabase()),
  step: (migration) => migration.postgres,
  objects: async (sql) =>
    await textsOf(sql, [
      `SELECT concat_ws(' ', table_name, ordinal_position, column_name, data_type, is_nullable,
         column_default, is_identity) AS object
       FROM information_schema.columns WHERE table_schema = 'public'`,
      // Omits NOT NULL constraints. Only newer servers list them, and their names contain the old
      // names of renamed columns.
      `SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) AS object
       FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'`,
      `SELECT indexdef AS object FROM pg_indexes WHERE schemaname = 'public'`,
      `SELECT pg_get_triggerdef(t.oid) AS object FROM pg_trigger t
       JOIN pg_class c ON c.oid = t.tgrelid
       WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace`,
      `SELECT pg_get_functiondef(oid) AS object FROM pg_proc
       WHERE pronamespace = 'public'::regnamespace`,
      `SELECT concat_ws(' ', udt_name, ordinal_position, attribute_name, data_type) AS object
       FROM information_schema.attributes WHERE udt_schema = 'public'`,
      `SELECT relname || ' ' || reloptions::text AS object FROM pg_class
       WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL`,
    ]),
  tables: `SELECT table_name AS name FROM information_schema.tables
    WHERE table_schema = 'public' ORDER BY name`,
};

const databaseAt = (url: string): Place => ({
  open: () => openTestUrl(url),
  run: async (sql) => {
    const client = postgres(url, { max: 1, onnotice: () => {} });
    await client.unsafe(sql);
    await client.end();
  },
  read: async (sql) => {
    const client = postgres(url, { max: 1, onnotice: () => {} });
    // Opens a connection for each call, because a dump sets an empty search path for its
    // connection.
    const rows = await client.unsafe(sql).values();
    await client.end();
    return rows.map((row) => row.map(String));
  },
});

async function textsOf(sql: SqlExecutor, queries: readonly string[]): Promise<readonly string[]> {
  const answers = await Promise.all(queries.map((query) => sql.query({ sql: query, params: [] })));
  return answers
    .flat()
    .map((row) => plain(String(row['object'])))
    .sort();
}

const plain = (sql: string): string =>
  sql
    .replaceAll(/--[^\n]*/g, '')
    .replaceAll('"', '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([(),]) ?/g, '$1')
    .trim();

/** Returns every row of every table as text. */
async function rowsOf({ tables }: Engine, sql: SqlExecutor): Promise<readonly string[]> {
  const names = await sql.query({ sql: tables, params: [] });
  const all = names.map(async ({ name }) => {
    const rows = await sql.query({ sql: `SELECT * FROM ${name}`, params: [] });
    return rows.map((row) => `${name}: ${Object.values(row).map(String).join('|')}`);
  });
  return (await Promise.all(all)).flat().sort();
}

/**
 * Lists the movements of wallets in a schema before 13, in which settlements added ledger entries.
 */
const OLD_LINES = `SELECT e.account_id, t.command_id || '/' || e.line, t.at_ms,
    CASE WHEN o.account_id LIKE 'fx:%' THEN 'exchange' ELSE t.kind END, e.currency, e.amount,
    e.balance_after, o.account_id, t.reason, CASE t.kind WHEN 'settle' THEN t.command_id
      WHEN 'late' THEN SUBSTR(t.command_id, 6) ELSE f.request_id END
  FROM entry e JOIN money_transaction t ON t.id = e.transaction_id
  JOIN entry o ON o.transaction_id = e.transaction_id AND o.line = e.line + 1
  LEFT JOIN refund f ON f.transaction_id = t.id
  WHERE e.balance_after IS NOT NULL ORDER BY e.account_id, t.id DESC, e.line DESC`;
const OLD_BOOKS = `SELECT account_id, currency, SUM(amount) FROM entry WHERE balance_after IS NULL
  GROUP BY account_id, currency ORDER BY account_id, currency`;
const ALL_LINES = { currency: null, kind: null, fromMs: 0, toMs: 1e15 };

async function linesOf(sql: SqlExecutor, account: string): Promise<string[][]> {
  const filter = { ...ALL_LINES, accountId: account };
  const { rows } = await new Statements(sql).page(filter, 10_000, null);
  return rows.map((it) => [
    ...[account, it.id, it.atMs, it.kind, it.currency, it.amount, it.balanceAfter].map(String),
    ...[it.opposite, it.reason, it.requestId].map(String),
  ]);
}

const OLD = [sqlite, postgreSql].flatMap((engine) =>
  [10, 12].map((schema) => ({
    ...engine,
    schema,
    old: () => engine.old(schema),
  })),
);

describe.each(OLD)('a database at schema $schema in $name', (engine) => {
  test('opens and stays as it is', async () => {
    const place = await engine.old();
    const first = await place.open();
    const rows = await rowsOf(engine, first.sql);
    expect(rows.some((row) => row.startsWith(`schema_migration: ${NEWEST}|`))).toBe(true);
    expect(rows.length).toBeGreaterThan(150);
    await first.close();
    const second = await place.open();
    expect(await rowsOf(engine, second.sql)).toEqual(rows);
    await second.close();
  });

  test('has the schema that a fresh database gets', async () => {
    const [old, fresh] = [await (await engine.old()).open(), await (await engine.fresh()).open()];
    const objects = await engine.objects(fresh.sql);
    expect(objects.length).toBeGreaterThan(70);
    expect(await engine.objects(old.sql)).toEqual([...objects]);
    await old.close();
    await fresh.close();
  });

  test('is sound, and sells', async () => {
    const place = await engine.old();
    const { ledger, close } = await place.open();
    expect(await ledger.verify()).toEqual([]);
    const epoch = 'epoch_after';
    expect(await ledger.join({ epoch, name: 'after' }, LEASE_MS)).toBe('joined');
    // A request that was running when the old version stopped is settled or voided exactly once.
    const reaped = await ledger.reap();
    expect(reaped.settled + reaped.voided).toBeGreaterThan(0);
    expect(await ledger.reap()).toEqual({ settled: 0, voided: 0 });
    const [held] = await ledger.apply([hold('req_new', 90n, { epoch })]);
    expect(held?.status).toBe('applied');
    const [settled] = await ledger.apply([settle('req_new', 70n)]);
    expect(settled?.status).toBe('applied');
    expect((await ledger.receipt('req_new'))?.charge).toBe(nano(70n));
    expect(await ledger.verify()).toEqual([]);
    await close();
  });

  test('keeps every line of every statement, and every account of the ledger', async () => {
    const place = await engine.old();
    const [lines, books] = [await place.read(OLD_LINES), await place.read(OLD_BOOKS)];
    const { sql, close } = await place.open();
    const accounts = [...new Set(lines.map(([account = '']) => account))];
    const found = await Promise.all(accounts.map((account) => linesOf(sql, account)));
    expect(lines.length).toBeGreaterThan(engine.schema === 10 ? 5 : 100);
    expect(found.flat()).toEqual(lines.map((line) => [...line]));
    const balances = (await new BooksReport(sql).balances()).filter(
      ({ balance }) => balance !== 0n,
    );
    expect(
      balances.map(({ account, currency, balance }) => `${account} ${currency} ${balance}`).sort(),
    ).toEqual(
      books
        .map((line) => line.join(' '))
        .filter((line) => !line.endsWith(' 0'))
        .sort(),
    );
    await close();
  });
});

describe.each([sqlite, postgreSql])('an upgraded database in $name', (engine) => {
  test('lists the requests that cost more than their holds', async () => {
    const place = await engine.old(10);
    await place.run(`UPDATE hold SET at_least = 0, own = 0, granted = granted - 41,
      amount = amount - 41 WHERE id = 'req_a'`);
    const { ledger, sql, close } = await place.open();
    const overruns = 'SELECT request_id, held, price FROM overrun';
    const rows = await sql.query({ sql: overruns, params: [] });
    expect(rows.map((row) => Object.values(row))).toEqual([['req_a', 59n, 60n]]);
    expect(await ledger.verify()).toEqual([]);
    await close();
  });

  test('states the holds and the exchanges of its receipts', async () => {
    const { sql, close } = await (await engine.old(12)).open();
    const rows = await sql.query({
      sql: `SELECT request_id, charge, loss, held, exchange_id, bought, sold, balance_after, other_after
        FROM receipt WHERE request_id IN ('h04', 'h05', 'h07') UNION ALL
        SELECT request_id, charge, loss, held, exchange_id, bought, sold, balance_after, other_after
        FROM late_receipt ORDER BY request_id`,
      params: [],
    });
    expect(rows.map((row) => Object.values(row).map(String).join(' '))).toEqual([
      'h04 0 0 9 null 0 0 null null',
      'h05 105 35 10 null 0 0 -5 null',
      'h07 290 0 300 fx_cny_usd 247 1764 -5 7236',
      'h08 44 0 40 fx_cny_usd 44 314 -5 6779',
      'h09 -10 0 40 null 0 0 945 null',
      'h12 0 0 40 null 0 0 null null',
    ]);
    const { rows: lines } = await new Statements(sql).page(
      { ...ALL_LINES, accountId: 'bob' },
      99,
      null,
    );
    expect(lines.find(({ id }) => id === 'h07/3')?.rate?.id).toBe('fx_cny_usd');
    await close();
  });

  test('keeps the shared playground key, which is no longer used, and its limits', async () => {
    const place = await engine.fresh();
    const steps = MIGRATIONS.filter(({ id }) => id <= 38);
    const secret = generateKey(systemClock);
    const hash = Buffer.from(hashKey(secret.reveal())).toString('hex');
    const bytes = engine === sqlite ? `X'${hash}'` : `'\\x${hash}'`;
    await place.run(`BEGIN;
      CREATE TABLE schema_migration (id BIGINT PRIMARY KEY, name TEXT NOT NULL,
        applied_at_ms BIGINT NOT NULL);
      ${steps.map(engine.step).join('\n')}
      ${steps.map(({ id }) => `INSERT INTO schema_migration VALUES (${id}, 'step', 0);`).join(' ')}
      INSERT INTO account (id, name, created_at_ms) VALUES ('acme', 'Acme', 0);
      INSERT INTO api_key (id, account_id, name, hash, prefix, last4, created_at_ms, purpose, limits)
        VALUES ('key_shared', 'acme', 'Playground', ${bytes}, 'sk-mg-shar', 'ared', 0, 'playground',
        '{"concurrency":2}');
      UPDATE spend_meter SET cap_total = 100 WHERE owner_id = 'key_shared';
      COMMIT;`);
    const { ledger, sql, close } = await place.open();
    const deps = { inMemory: NOTHING_HELD, sql, clock: systemClock, onLastUsedFailure: () => {} };
    const accounts = new Accounts(deps);
    const before = await accounts.keysOf('acme').get('key_shared');
    expect([before.status, before.createdBy]).toEqual(['active', null]);
    const [ada, ben] = await Promise.all(
      ['Ada', 'Ben'].map((name) =>
        accounts.playgroundOf('acme', { id: `usr_${name}`, name }, () => null),
      ),
    );
    expect([ada?.keyName, ben?.keyName]).toEqual(['Playground · Ada', 'Playground · Ben']);
    for (const caller of [ada, ben]) {
      const { limits, spend } = await accounts.keysOf('acme').get(caller?.keyId ?? '');
      expect([limits.concurrency, spend.total.cap]).toEqual([2, nano(100n)]);
    }
    expect(await accounts.keysOf('acme').get('key_shared')).toEqual(before);
    // The shared key must still work: an owner who rotated the key saw its secret and may use it in
    // an app.
    expect((await accounts.authenticate(secret.reveal())).keyId).toBe('key_shared');
    expect(await ledger.verify()).toEqual([]);
    await accounts.close();
    await close();
  });

  test('is refused and unchanged when a receipt lacks its transaction', async () => {
    const place = await engine.old(12);
    await place.run(
      "DELETE FROM entry WHERE line > 4; DELETE FROM money_transaction WHERE command_id = 'h01'",
    );
    expect(String(await failureOf(place.open()))).toMatch(/constraint|violate/i);
    expect(await place.read('SELECT MAX(id) FROM schema_migration')).toEqual([['12']]);
  });

  test('is refused when its schema is older or newer than this version knows', async () => {
    const place = await engine.old(10);
    await place.run('DELETE FROM schema_migration WHERE id > 9');
    const older = String(await failureOf(place.open()));
    expect(older).toContain(
      'an early development build (schema 9; this version needs 10 or newer)',
    );
    expect(older).toContain('Start with a fresh da');
    await place.run(`INSERT INTO schema_migration (id, name, applied_at_ms)
      VALUES (${NEWEST + 1}, 'from the future', 1)`);
    const newer = String(await failureOf(place.open()));
    expect(newer).toContain(
      `was written by a newer modelgate (schema ${NEWEST + 1}; this one knows ${NEWEST})`,
    );
  });
});
