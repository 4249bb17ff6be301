/** Migrates the schema of a SQLite database in numbered steps, all in one transaction. */
import type { Database as SqliteFile } from 'bun:sqlite';
import {
  FIRST_WITH_FLOOR,
  floorOf,
  type Migration,
  type SchemaState,
  schemaState,
  stepsAfter,
} from '../migrations.ts';

/** The fields of a migration step that SQLite uses. */
export type SqliteStep = Omit<Migration, 'postgres'>;

/** Applies the missing migration steps and returns their names. @throws Error from `stepsAfter`. */
export function migrate(
  file: SqliteFile,
  migrations: readonly SqliteStep[],
  nowMs: number,
): readonly string[] {
  file.run(`CREATE TABLE IF NOT EXISTS schema_migration (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT`);
  const due = stepsAfter(schemaOf(file), migrations, 'data folder');
  const record = file.query(
    'INSERT INTO schema_migration (id, name, applied_at_ms) VALUES (?, ?, ?)',
  );
  // All migrations run in one transaction, because the triggers of one migration may name a column
  // that a later migration adds.
  const applyAll = file.transaction(() => {
    for (const step of due) {
      // The SQL is empty if the migration is only for PostgreSQL.
      if (step.sqlite !== '') file.run(step.sqlite);
      record.run(step.id, step.name, nowMs);
      if (step.id < FIRST_WITH_FLOOR) continue;
      file.run('UPDATE schema_migration SET oldest = ? WHERE id = ?', [floorOf(step), step.id]);
    }
    checkReferences(file);
  });
  // Foreign keys are checked only at the end, because a migration may rebuild a table to which
  // other tables refer.
  if (due.length === 0) return [];
  file.run('PRAGMA foreign_keys = OFF');
  try {
    applyAll.immediate();
  } finally {
    file.run('PRAGMA foreign_keys = ON');
  }
  return due.map((step) => step.name);
}

/** Returns the schema of the database, and which versions may use it. */
export function schemaOf(file: SqliteFile): SchemaState {
  const [named] = file
    .query<{ columns: bigint | number }, []>(
      "SELECT COUNT(*) AS columns FROM pragma_table_info('schema_migration') WHERE name = 'oldest'",
    )
    .all();
  const floor = Number(named?.columns) === 1 ? 'NULLIF(MAX(oldest), 0)' : 'NULL';
  const row = file
    .query<Record<'id' | 'floor', bigint | number | null>, []>(
      `SELECT MAX(id) AS id, ${floor} AS floor FROM schema_migration`,
    )
    .get();
  return schemaState(row?.id ?? null, row?.floor ?? null);
}

/** @throws Error if a row refers to a missing row. */
function checkReferences(file: SqliteFile): void {
  const [broken] = file
    .query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check')
    .all();
  if (broken === undefined) return;
  const { table, parent } = broken;
  throw new Error(
    `A row of ${table} refers to a missing row of ${parent}. The schema was not updated. ` +
      'Restore a backup, or start the previous version.',
  );
}
