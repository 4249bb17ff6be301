/**
 * Verifies a backup. A SQLite backup is opened and checked on a separate thread. For a PostgreSQL
 * backup, which is a text file, the result is read from the file.
 */
import type { Clock } from '../../clock.ts';
import { openSqlite } from '../../ledger/sqlite/open-sqlite.ts';
import type { Store } from '../../store/store.ts';

/**
 * Returns the number of breached invariants.
 * @throws Error when the backup is truncated or damaged.
 */
export async function verifyCopy(
  engine: Store['engine'],
  file: string,
  clock: Clock,
): Promise<number> {
  if (engine === 'postgres') {
    // Loaded on demand: a gateway with SQLite does not need the memory of the PostgreSQL client.
    const { readPostgresCopy } = await import('../../store/postgres/postgres-copy.ts');
    return (await readPostgresCopy(file)).breaches;
  }
  const database = await openSqlite({ file, clock });
  try {
    return (await database.ledger.verify()).length;
  } finally {
    await database.close();
  }
}
