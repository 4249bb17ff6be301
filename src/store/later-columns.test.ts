/** Tests that a usage bucket can be added to PostgreSQL, as CONTRIBUTING.md says. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import postgres from 'postgres';
import { newTestDatabase } from '../ledger/postgres/postgres.fixture.ts';
import { withColumns } from './columns.ts';
import usage from './sql/postgres/functions/usage.sql' with { type: 'text' };

setDefaultTimeout(60_000);

/** The file as a later version has it, with one more column in each list of counts. */
const LATER = withColumns(
  usage.replaceAll(/\{\{(?:counts|buckets): ([^{}]*)\}\}/g, (list, each: string) => {
    return `${list}, ${each.replaceAll('$', 'video_input')}`;
  }),
);
const ROUTINES = `SET LOCAL check_function_bodies = off; ${LATER}`;
const TABLES = ['receipt', 'late_receipt', 'usage_day', 'usage_month'];

test('counting usage takes a column that a later step adds', async () => {
  const client = postgres(await newTestDatabase(), { max: 1, onnotice: () => {} });
  try {
    // A new database runs the file in an earlier step than the one that adds the column.
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
