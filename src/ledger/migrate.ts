/** The schema's history: numbered steps, each applied once, in order, in a transaction of its own. */
import type { Database as SqliteFile } from 'bun:sqlite';
import books from './sql/sqlite/0001-books.sql' with { type: 'text' };

export type Migration = { readonly id: number; readonly name: string; readonly sql: string };

/** A step that was ever released is never edited: a change of the schema is a new step. */
export const SQLITE_MIGRATIONS: readonly Migration[] = [{ id: 1, name: 'books', sql: books }];

/**
 * Brings the schema up to the last of `migrations`; does nothing when it is there already. The caller
 * owns the file alone, so no other process can be migrating it.
 *
 * @returns the names of the steps it applied.
 * @throws Error when the schema is newer than this program, which would then misread it.
 */
export function migrate(
  file: SqliteFile,
  migrations: readonly Migration[],
  nowMs: number,
): readonly string[] {
  file.run(`CREATE TABLE IF NOT EXISTS schema_migration (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT`);
  const newest = file
    .query<{ id: bigint | null }, []>('SELECT MAX(id) AS id FROM schema_migration')
    .get();
  const at = Number(newest?.id ?? 0n);
  const known = migrations.at(-1)?.id ?? 0;
  if (at > known) {
    throw new Error(
      `The data folder was written by a newer modelgate (schema ${at}; this one knows ${known}). ` +
        'Start that version, or restore a backup made before it.',
    );
  }
  const record = file.query(
    'INSERT INTO schema_migration (id, name, applied_at_ms) VALUES (?, ?, ?)',
  );
  const apply = file.transaction((step: Migration) => {
    file.run(step.sql);
    record.run(step.id, step.name, nowMs);
  });
  const due = migrations.filter((step) => step.id > at);
  for (const step of due) apply.immediate(step);
  return due.map((step) => step.name);
}
