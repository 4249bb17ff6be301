/** Updates the schema of a SQLite file in numbered steps. */
import type { Database as SqliteFile } from 'bun:sqlite';
import { type Migration, stepsAfter } from '../migrations.ts';

/** The fields of a step that SQLite uses. */
export type SqliteStep = Omit<Migration, 'postgres'>;

/** Applies the missing steps and returns their names. @throws Error from `stepsAfter`. */
export function migrate(
  file: SqliteFile,
  migrations: readonly SqliteStep[],
  nowMs: number,
): readonly string[] {
  file.run(`CREATE TABLE IF NOT EXISTS schema_migration (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at_ms INTEGER NOT NULL) STRICT`);
  const newest = file
    .query<{ id: bigint | null }, []>('SELECT MAX(id) AS id FROM schema_migration')
    .get();
  const due = stepsAfter(Number(newest?.id ?? 0n), migrations, 'data folder');
  const record = file.query(
    'INSERT INTO schema_migration (id, name, applied_at_ms) VALUES (?, ?, ?)',
  );
  const apply = file.transaction((step: SqliteStep) => {
    file.run(step.sqlite);
    record.run(step.id, step.name, nowMs);
    if (step === due.at(-1)) checkReferences(file);
  });
  // A step may build a table again to which others refer, so references are checked at the end.
  file.run('PRAGMA foreign_keys = OFF');
  try {
    for (const step of due) apply.immediate(step);
  } finally {
    file.run('PRAGMA foreign_keys = ON');
  }
  return due.map((step) => step.name);
}

/** @throws Error for the first row that refers to a missing row. */
function checkReferences(file: SqliteFile): void {
  const [broken] = file
    .query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check')
    .all();
  if (broken === undefined) return;
  const { table, parent } = broken;
  throw new Error(
    `A row of ${table} refers to a missing row of ${parent}. The schema was not updated. ` +
      'Restore a backup, or start the version before.',
  );
}
