/** `migrate`: opens the books, which brings their schema up to date, and closes them again. */
import type { Clock } from '../clock.ts';
import { loadConfig } from '../config/config.ts';
import { openSqlite } from '../ledger/sqlite.ts';
import { databaseFile } from './open-database.ts';

export async function migrate(
  configPath: string | null,
  clock: Clock,
  print: (text: string) => void,
): Promise<number> {
  const config = loadConfig({ path: configPath });
  const file = databaseFile(config);
  const database = await openSqlite({ file, clock });
  await database.close();
  print(`${file} is up to date.\n`);
  return 0;
}
