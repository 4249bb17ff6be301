/** Verifies a copy of the SQLite ledger on a thread of its own. */
import type { Clock } from '../../clock.ts';
import { openSqlite } from '../../ledger/sqlite/open-sqlite.ts';

/** Returns the number of breaches. @throws Error when the copy is cut or damaged. */
export async function verifyCopy(file: string, clock: Clock): Promise<number> {
  const database = await openSqlite({ file, clock });
  try {
    return (await database.ledger.verify()).length;
  } finally {
    await database.close();
  }
}
