/**
 * Tests that databases of schema 10 still open. The last build with all development steps (commit
 * 3f9031e) wrote them: accounts, keys, people, codes, receipts, a reaped and a late settlement, a
 * pending hold.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { failureOf, hold, LEASE_MS, settle } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { newEmptyDatabase, openTestUrl } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { nano } from '../money/amount.ts';
import { MIGRATIONS } from './migrations.ts';
import type { SqlExecutor } from './sql.ts';

afterAll(removeFiles);
setDefaultTimeout(60_000);

const NEWEST = MIGRATIONS.at(-1)?.id ?? 0;

/** A database that can be opened, or changed while no gateway has it open. */
type Place = {
  readonly open: () => Promise<Database>;
  readonly run: (sql: string) => Promise<void>;
};

type Engine = {
  readonly name: string;
  readonly old: () => Promise<Place>;
  readonly fresh: () => Promise<Place>;
  /** Returns one text for each object of the schema, without comments and spaces. */
  readonly objects: (sql: SqlExecutor) => Promise<readonly string[]>;
  readonly tables: string;
};

const unpacked = (name: string): Uint8Array =>
  Bun.gunzipSync(readFileSync(join(import.meta.dir, 'fixtures', name)));

const sqlite: Engine = {
  name: 'SQLite',
  old: async () => {
    const place = fileAt(newFile());
    writeFileSync(place.path, unpacked('schema-10.db.gz'));
    return place;
  },
  fresh: async () => fileAt(newFile()),
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
});

const postgreSql: Engine = {
  name: 'PostgreSQL',
  old: async () => {
    const place = databaseAt(await newEmptyDatabase());
    await place.run(new TextDecoder().decode(unpacked('schema-10.sql.gz')));
    return place;
  },
  fresh: async () => databaseAt(await newEmptyDatabase()),
  objects: async (sql) =>
    await textsOf(sql, [
      `SELECT concat_ws(' ', table_name, ordinal_position, column_name, data_type, is_nullable,
         column_default, is_identity) AS object
       FROM information_schema.columns WHERE table_schema = 'public'`,
      // Omits NOT NULL constraints: only newer servers list them, and under old column names.
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

describe.each([sqlite, postgreSql])('a database at schema 10 in $name', (engine) => {
  test('opens and stays as it is', async () => {
    const place = await engine.old();
    const first = await place.open();
    const rows = await rowsOf(engine, first.sql);
    expect(rows.filter((row) => row.startsWith('schema_migration: '))).toHaveLength(NEWEST);
    expect(rows.length).toBeGreaterThan(200);
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
    await ledger.reap();
    const [held] = await ledger.apply([hold('req_new', 900n, { epoch })]);
    expect(held?.status).toBe('applied');
    const [settled] = await ledger.apply([settle('req_new', 700n)]);
    expect(settled?.status).toBe('applied');
    expect((await ledger.receipt('req_new'))?.charge).toBe(nano(700n));
    expect(await ledger.verify()).toEqual([]);
    await close();
  });

  test('lists the requests that cost more than their holds', async () => {
    const place = await engine.old();
    await place.run(`UPDATE hold SET at_least = 0, own = 0, granted = granted - 41,
      amount = amount - 41 WHERE id = 'req_a'`);
    const { ledger, sql, close } = await place.open();
    const overruns = 'SELECT request_id, held, price FROM overrun';
    const rows = await sql.query({ sql: overruns, params: [] });
    expect(rows.map((row) => Object.values(row))).toEqual([['req_a', 59n, 60n]]);
    expect(await ledger.verify()).toEqual([]);
    await close();
  });

  test('is refused when it is older or newer than this version knows', async () => {
    const place = await engine.old();
    await place.run('DELETE FROM schema_migration WHERE id > 9');
    const older = String(await failureOf(place.open()));
    expect(older).toContain(
      'an early development build (schema 9; this version needs 10 or newer)',
    );
    expect(older).toContain('Start with a fresh da');
    await place.run(`INSERT INTO schema_migration VALUES (${NEWEST + 1}, 'from the future', 1)`);
    const newer = String(await failureOf(place.open()));
    expect(newer).toContain(
      `was written by a newer modelgate (schema ${NEWEST + 1}; this one knows ${NEWEST})`,
    );
  });
});
