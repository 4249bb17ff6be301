/** A PostgreSQL database that LiteLLM's own migrations made, with rows of every kind. */
import { join } from 'node:path';
import postgres from 'postgres';
import { newEmptyDatabase } from '../../ledger/postgres/postgres.fixture.ts';

const fixture = (name: string): Promise<string> =>
  Bun.file(join(import.meta.dir, 'fixtures', name)).text();

/** The salt key under which the rows are encrypted. */
export const SALT_KEY = 'sk-salt-1234';

/** Returns the address of a new database. @param more statements to run in it. */
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
