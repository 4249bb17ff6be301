/** `migrate`: opens the books, which brings their schema up to date, and closes them again. */
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { loadConfig } from '../config/config.ts';
import { openSqlite } from '../ledger/sqlite.ts';
import { DATABASE_FILE } from './gateway.ts';

export async function migrate(
  configPath: string | null,
  clock: Clock,
  print: (text: string) => void,
): Promise<number> {
  const config = loadConfig({ path: configPath });
  const file = join(config.data_dir, DATABASE_FILE);
  const database = await openSqlite({ file, clock });
  await database.close();
  print(`${file} is up to date.\n`);
  return 0;
}
