/** The store that the configuration names. */
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { ConfigError } from '../config/problem.ts';
import type { Database } from '../ledger/database.ts';
import { openSqlite } from '../ledger/sqlite.ts';

const DATABASE_FILE = 'modelgate.db';

/**
 * Where the books are.
 * @throws ConfigError when they are configured to be in a store that this version has no engine for.
 */
export function databaseFile(config: Pick<Config, 'database' | 'data_dir'>): string {
  if (config.database === 'sqlite') return join(config.data_dir, DATABASE_FILE);
  const message = 'this version keeps its books in SQLite only; write database: sqlite';
  throw new ConfigError([{ where: 'database', path: '', message }]);
}

/** @throws ConfigError as `databaseFile`; Error as `openSqlite`. */
export const openDatabase = async (config: Config, clock: Clock): Promise<Database> =>
  await openSqlite({ file: databaseFile(config), clock });
