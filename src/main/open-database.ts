/** The store that the configuration names. */
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgres } from '../ledger/postgres/postgres.ts';
import { openSqlite } from '../ledger/sqlite/sqlite.ts';

const DATABASE_FILE = 'modelgate.db';

/** Where the books are when they are in SQLite. */
export const databaseFile = ({ data_dir }: Pick<Config, 'data_dir'>): string =>
  join(data_dir, DATABASE_FILE);

/**
 * @param warn told how a server is set up to lose what it has acknowledged.
 * @throws Error for the operator, as `openSqlite` and `openPostgres`.
 */
export async function openDatabase(
  config: Pick<Config, 'database' | 'data_dir'>,
  clock: Clock,
  warn: (message: string) => void,
): Promise<Database> {
  if (config.database === 'sqlite') return await openSqlite({ file: databaseFile(config), clock });
  return await openPostgres({ url: config.database, clock, warn });
}
