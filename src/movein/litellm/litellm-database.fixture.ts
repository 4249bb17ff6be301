/** Makes a PostgreSQL database with LiteLLM's own migrations, and rows of every kind. */
import { join } from 'node:path';
import postgres from 'postgres';
import { newEmptyDatabase } from '../../ledger/postgres/postgres.fixture.ts';

const fixture = (name: string): Promise<string> =>
  Bun.file(join(import.meta.dir, 'fixtures', name)).text();

/** The salt key under which the rows are encrypted. */
export const SALT_KEY = 'sk-salt-1234';

/** Returns the URL of a new database. @param more SQL to run in it afterwards. */
export async function liteLlmDatabase(more = ''): Promise<string> {
  const url = await newEmptyDatabase();
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(await fixture('litellm-schema.sql'));
    await sql.unsafe(await fixture('litellm-rows.sql'));
    if (more !== '') await sql.unsafe(more);
    return url;
  } finally {
    await sql.end();
  }
}
