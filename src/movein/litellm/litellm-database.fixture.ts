/** Creates a PostgreSQL database with LiteLLM's own schema, and rows of every kind. */
import { join } from 'node:path';
import postgres from 'postgres';
import { newEmptyDatabase } from '../../ledger/postgres/postgres.fixture.ts';

const fixture = (name: string): Promise<string> =>
  Bun.file(join(import.meta.dir, 'fixtures', name)).text();

/** The salt key with which the rows are encrypted. */
export const SALT_KEY = 'sk-salt-1234';

/**
 * Creates a database and returns its URL.
 * @param more SQL that runs after the rows are inserted.
 */
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
