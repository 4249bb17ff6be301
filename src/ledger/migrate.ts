/** The schema's history: numbered steps, each applied once, in order, in a transaction of its own. */
import type { Database as SqliteFile } from 'bun:sqlite';
import type { Migration } from './migrations.ts';

/** What this engine reads of a step. */
export type SqliteStep = Omit<Migration, 'postgres'>;

/**
 * Brings the schema up to the last of `migrations`; does nothing when it is there already. The caller
 * owns the file alone, so no other process can be migrating it. Foreign keys are enforced afterwards.
 *
 * @returns the names of the steps it applied.
 * @throws Error when the schema is newer than this program, which would then misread it, or when a step
 *   leaves a row that refers to nothing.
 */
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
  const apply = file.transaction((step: SqliteStep) => {
    file.run(step.sqlite);
    step.finish?.(file);
    refuseBrokenReferences(file, step.name);
    record.run(step.id, step.name, nowMs);
  });
  const due = migrations.filter((step) => step.id > at);
  // A table can only be rebuilt while nothing minds that it is gone; a transaction cannot switch that.
  file.run('PRAGMA foreign_keys = OFF');
  try {
    for (const step of due) apply.immediate(step);
  } finally {
    file.run('PRAGMA foreign_keys = ON');
  }
  return due.map((step) => step.name);
}

function refuseBrokenReferences(file: SqliteFile, step: string): void {
  const broken = file
    .query<{ table: string; parent: string }, []>('PRAGMA foreign_key_check')
    .get();
  if (broken === null) return;
  throw new Error(
    `Schema step ${step} would leave a row of ${broken.table} that refers to no ${broken.parent}.`,
  );
}
