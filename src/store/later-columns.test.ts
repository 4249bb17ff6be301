/** Tests that a migration can add a usage bucket, as CONTRIBUTING.md says. */
import { Database } from 'bun:sqlite';
import { expect, setDefaultTimeout, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import postgres from 'postgres';
import { newTestDatabase } from '../ledger/postgres/postgres.fixture.ts';
import { withColumns } from './columns.ts';
import { MIGRATIONS } from './migrations.ts';
import usage from './sql/postgres/functions/usage.sql' with { type: 'file' };

setDefaultTimeout(180_000);

/**
 * `usage.sql` as a later version might have it: each list of counts has one more column,
 * `video_input`.
 */
const LATER = withColumns(
  readFileSync(usage, 'utf8').replaceAll(
    /\{\{(?:counts|buckets): ([^{}]*)\}\}/g,
    (list, each: string) => {
      return `${list}, ${each.replaceAll('$', 'video_input')}`;
    },
  ),
);
const ROUTINES = `SET LOCAL check_function_bodies = off; ${LATER}`;
const TABLES = ['receipt', 'late_receipt', 'usage_day', 'usage_month'];

// In a new database, an early migration already creates the routines of this version. They name a
// column that only a later migration adds.
test('the steps of SQLite take triggers that name a column of a later step', () => {
  const file = new Database(':memory:', { strict: true });
  file.run('CREATE TABLE schema_migration (id INTEGER PRIMARY KEY)');
  for (const { sqlite } of MIGRATIONS) {
    file.run(sqlite.replaceAll(/new\.image_output(?=\s*\) ON)/g, '$&, new.video_input'));
  }
  const trigger = file.query("SELECT sql FROM sqlite_schema WHERE name = 'usage_day_is_new'").all();
  expect(JSON.stringify(trigger)).toContain('new.video_input');
  file.close();
});

test('counting usage on PostgreSQL takes a column that a later step adds', async () => {
  const client = postgres(await newTestDatabase(), { max: 1, onnotice: () => {} });
  try {
    await client.begin(async (begun) => await begun.unsafe(ROUTINES));
    await client.begin(async (begun) => {
      for (const table of TABLES) {
        await begun.unsafe(`ALTER TABLE ${table} ADD COLUMN video_input BIGINT NOT NULL DEFAULT 0`);
      }
      await begun.unsafe(ROUTINES);
    });
    await client.unsafe('SELECT books_count_uses()');
    for (const view of ['usage_by_day', 'usage_by_month']) {
      expect(await client.unsafe(`SELECT SUM(video_input) AS n FROM ${view}`)).toHaveLength(1);
    }
  } finally {
    await client.end();
  }
});
