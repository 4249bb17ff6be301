/**
 * Tests that the versions before and after a migration can use one database, and that all
 * migrations since 44 follow the rules for this.
 */
import { Database as SqliteFile } from 'bun:sqlite';
import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import { systemClock } from '../clock.ts';
import { Secret } from '../config/secret.ts';
import { failureOf } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { newTestDatabase, openTestUrl } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { FIRST_WITH_FLOOR, MIGRATIONS, newerSchema, stepsAfter } from './migrations.ts';
import { PostgresLink } from './postgres/postgres-link.ts';
import { migratePostgres, type PostgresStep } from './postgres/postgres-migrate.ts';
import { PostgresSql } from './postgres/postgres-sql.ts';
import { migrate, type SqliteStep } from './sqlite/sqlite-migrate.ts';
import { contractsBy } from './step-rules.fixture.ts';

afterAll(removeFiles);
setDefaultTimeout(180_000);

const NEWEST = MIGRATIONS.at(-1)?.id ?? 0;
const EXPAND = {
  id: NEWEST + 1,
  name: 'later',
  kind: 'expand',
  sqlite: "ALTER TABLE account ADD COLUMN later TEXT NOT NULL DEFAULT 'x';",
  postgres: "ALTER TABLE account ADD COLUMN later TEXT NOT NULL DEFAULT 'x';",
} as const;
const CONTRACT = {
  id: NEWEST + 2,
  name: 'last',
  kind: 'contract',
  sqlite: 'ALTER TABLE account DROP COLUMN later;',
  postgres: 'ALTER TABLE account DROP COLUMN later;',
} as const;
const LATER = [...MIGRATIONS, EXPAND];
const LAST = [...LATER, CONTRACT];

type Place = {
  readonly open: () => Promise<Database>;
  /** Migrates the database as a version with these migrations would. */
  readonly migrate: (steps: readonly (SqliteStep & PostgresStep)[]) => Promise<readonly string[]>;
};

const PLACES = [
  {
    name: 'SQLite',
    fresh: async (): Promise<Place> => {
      const path = newFile();
      return {
        open: () => openFile(path),
        migrate: async (steps) => {
          const file = new SqliteFile(path, { create: true, safeIntegers: true });
          try {
            return migrate(file, steps, 1);
          } finally {
            file.close();
          }
        },
      };
    },
  },
  {
    name: 'PostgreSQL',
    fresh: async (): Promise<Place> => {
      const url = await newTestDatabase();
      return { open: () => openTestUrl(url), migrate: (steps) => migrated(url, steps) };
    },
  },
];

async function migrated(url: string, steps: readonly PostgresStep[]): Promise<readonly string[]> {
  const link = linkTo(url);
  try {
    return await migratePostgres(link, steps, systemClock);
  } finally {
    await link.close();
  }
}

const linkTo = (url: string): PostgresLink =>
  new PostgresLink({ url: new Secret(url), clock: systemClock, statementMs: 0, lockMs: 0 });

describe.each(PLACES)('a database of $name that a newer version has migrated', ({ fresh }) => {
  test('opens if each step since expands, and says so', async () => {
    const place = await fresh();
    await (await place.open()).close();
    expect(await place.migrate(LATER)).toEqual(['later']);
    const { sql, ledger, close } = await place.open();
    expect(await newerSchema(sql)).toContain(`to schema ${NEWEST + 1}; this one knows ${NEWEST}`);
    await sql.query({
      sql: "INSERT INTO account (id, name, created_at_ms) VALUES ('acme', 'Acme', 0)",
      params: [],
    });
    expect(
      await sql.query({ sql: 'SELECT later FROM account WHERE id = $1', params: ['acme'] }),
    ).toEqual([{ later: 'x' }]);
    expect(await ledger.verify()).toEqual([]);
    await close();
    // When the newer version migrates a second time, it finds no migration to apply.
    expect(await place.migrate(LATER)).toEqual([]);
  });

  test('is refused, and unchanged, from the first step on that contracts', async () => {
    const place = await fresh();
    await (await place.open()).close();
    expect(await place.migrate(LAST)).toEqual(['later', 'last']);
    expect(String(await failureOf(place.open()))).toContain(
      `was written by a newer modelgate (schema ${NEWEST + 2}; this one knows ${NEWEST}). Start that version`,
    );
    const after = { ...EXPAND, id: NEWEST + 3, sqlite: '', postgres: '' };
    await place.migrate([...LAST, after]);
    expect(String(await failureOf(place.open()))).toContain(
      `this one knows ${NEWEST} but must know ${NEWEST + 2})`,
    );
  });
});

test('a version may use the databases from the floor on', () => {
  const steps = [{ id: 10 }, { id: 11 }];
  const after = (at: number, floor: number) => () => stepsAfter({ at, floor }, steps, 'backup');
  expect(after(10, 10)()).toEqual([{ id: 11 }]);
  expect(after(13, 11)()).toEqual([]);
  expect(after(13, 12)).toThrow('The backup was written by a newer modelgate (schema 13;');
});

describe('while nodes sell from PostgreSQL', () => {
  test('a step waits for no lock long enough to stop them', async () => {
    const url = await newTestDatabase();
    const [report, node] = [postgres(url, { max: 1 }), postgres(url, { max: 1 })];
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const { promise: begun, resolve: isBegun } = Promise.withResolvers<void>();
    const reading = report.begin(async (long) => {
      await long.unsafe('SELECT COUNT(*) FROM account');
      isBegun();
      await ended;
    });
    await begun;
    const warnings: string[] = [];
    const { promise: warned, resolve: isWarned } = Promise.withResolvers<void>();
    const link = linkTo(url);
    const migrating = migratePostgres(link, LATER, systemClock, (message) => {
      warnings.push(message);
      isWarned();
    });
    await warned;
    // Between its attempts to get the table's lock, the migration does not wait for the lock. So
    // other statements do not queue behind the migration.
    await node.unsafe("SET lock_timeout = '400ms'");
    await node.unsafe("INSERT INTO account (id, name, created_at_ms) VALUES ('acme', 'A', 0)");
    end();
    await reading;
    expect(await migrating).toEqual(['later']);
    expect(warnings).toEqual(['the schema update is waiting for a database lock; retrying']);
    await Promise.all([report.end(), node.end(), link.close()]);
  });

  test('a statement that a node has prepared reads the columns of the new schema', async () => {
    const url = await newTestDatabase();
    const limits = { statementMs: 0, lockMs: 0 };
    const sql = new PostgresSql(
      { url: new Secret(url), clock: systemClock, ...limits },
      { answerMs: 5_000 },
      1,
    );
    const all = { sql: 'SELECT * FROM account', params: [] };
    for (let times = 0; times < 2; times += 1) expect(await sql.query(all)).toEqual([]);
    await migrated(url, LATER);
    expect(await sql.query(all)).toEqual([]);
    await sql.close();
  });

  test('steps of which one fails have changed nothing', async () => {
    const url = await newTestDatabase();
    const broken = { ...CONTRACT, postgres: 'SELECT 1 / 0' };
    expect(String(await failureOf(migrated(url, [...LATER, broken])))).toContain('zero');
    const read = postgres(url, { max: 1 });
    expect([...(await read`SELECT MAX(id)::int AS at FROM schema_migration`)]).toEqual([
      { at: NEWEST },
    ]);
    await read.end();
    expect(await migrated(url, LATER)).toEqual(['later']);
  });
});

describe('the rules of steps', () => {
  const steps = MIGRATIONS.filter(({ id }) => id >= FIRST_WITH_FLOOR);

  test('each says whether the versions before it sell on, and expands only what it may', () => {
    for (const { id, kind, sqlite, postgres: sql } of steps) {
      expect({ id, isSaid: kind !== undefined }).toEqual({ id, isSaid: true });
      if (kind !== 'expand') continue;
      expect([id, contractsBy(sqlite)]).toEqual([id, null]);
      expect([id, contractsBy(sql)]).toEqual([id, null]);
    }
  });

  test.each([
    ['DROP TABLE one;', 'DROP'],
    ['ALTER TABLE one RENAME TO two;', 'RENAME'],
    ['ALTER TABLE one ALTER COLUMN a TYPE BIGINT;', 'TYPE'],
    ['ALTER TABLE one ALTER COLUMN a SET NOT NULL;', 'SET NOT NULL'],
    ['ALTER TABLE one ADD COLUMN a BIGINT NOT NULL;', 'NOT NULL without a default'],
    ['ALTER TABLE one ADD CONSTRAINT a CHECK (b > 0);', 'ADD CONSTRAINT'],
    ['CREATE INDEX one_a ON one (a);', 'an index on a table with rows'],
    ['UPDATE one SET a = 1;', 'rows of an earlier version'],
    ['DELETE FROM one;', 'rows of an earlier version'],
    ['-- a comment; DROP TABLE two\nCREATE TABLE one (a); CREATE INDEX one_a ON one (a);', null],
    ['ALTER TABLE one ADD COLUMN a BIGINT NOT NULL DEFAULT 0;', null],
    ['CREATE OR REPLACE FUNCTION a() AS $$ BEGIN DELETE FROM one; END $$;', null],
    [
      'DROP TRIGGER IF EXISTS a; CREATE TRIGGER a AFTER UPDATE ON one BEGIN DELETE FROM b; END;',
      null,
    ],
  ])('%s', (sql, reason) => {
    const found = contractsBy(sql);
    if (reason === null) expect(found).toBeNull();
    else expect(found).toContain(reason);
  });

  // Nodes of the previous version still call the functions after a newer version has migrated.
  test('functions that nodes call, and the rows they send, stay as recorded', async () => {
    const client = postgres(await newTestDatabase(), { max: 1 });
    const functions = await client.unsafe<{ name: string; line: string }[]>(`
      SELECT proname AS name, format('%s(%s) %s', proname, pg_get_function_identity_arguments(oid),
        pg_get_function_result(oid)) AS line
      FROM pg_proc WHERE pronamespace = 'public'::regnamespace ORDER BY line`);
    const plans = await client.unsafe<{ line: string }[]>(`
      SELECT concat_ws(' ', udt_name, attribute_name, data_type) AS line
      FROM information_schema.attributes WHERE udt_name = 'books_plan' ORDER BY ordinal_position`);
    await client.end();
    const called = namesCalled();
    expect(called.size).toBeGreaterThan(5);
    const found = functions.filter(({ name }) => called.has(name)).map(({ line }) => line);
    const recorded = readFileSync(join(import.meta.dir, 'fixtures/called-functions.txt'), 'utf8');
    // Each line is the signature of a function or a column of `books_plan`. Only a `contract`
    // migration may remove or change a line. Other migrations must add a function with another
    // signature.
    const lines = recorded.trimEnd().split('\n');
    expect(
      [...found, ...plans.map(({ line }) => line)].filter((it) => !lines.includes(it)),
    ).toEqual([]);
    const all = new Set([...functions, ...plans].map(({ line }) => line));
    expect(lines.filter((line) => !all.has(line))).toEqual([]);
  });
});

/** Returns the names of the PostgreSQL functions that the program calls. */
function namesCalled(): ReadonlySet<string> {
  const source = join(import.meta.dir, '..');
  const files = [...new Bun.Glob('**/*.ts').scanSync(source)].filter(
    (file) => !/\.(?:test|fixture)\.ts$/.test(file),
  );
  const texts = files.map((file) => readFileSync(join(source, file), 'utf8'));
  return new Set(
    texts.flatMap((it) => [...it.matchAll(/\b(books_\w+)\(/g)].map(([, name = '']) => name)),
  );
}
