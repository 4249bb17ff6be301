/** Restores a backup of a PostgreSQL ledger into an empty database. */
import type { Config } from '../../config/config.ts';
import type { Secret } from '../../config/secret.ts';
import { openPostgres } from '../../ledger/postgres/open-postgres.ts';
import { copyToEmptyPostgres } from '../../store/postgres/postgres-copy.ts';
import { statement } from '../../store/sql.ts';
import { addressOf } from '../migrate-command.ts';
import type { FetchedBackup } from './fetched-backup.ts';
import { restoreKeys } from './restored-keys.ts';
import {
  AS_IT_WAS,
  missingKeys,
  type RestoreDeps,
  soundness,
  timeOf,
  verifyRestored,
} from './restored-ledger.ts';

type ToPostgres = {
  readonly fetched: FetchedBackup;
  /**
   * The URL of the database, or the name of an environment variable that contains the URL; null for
   * the configured database.
   */
  readonly to: string | null;
  readonly config: Config;
};

/**
 * Returns the money that nodes of the backed-up database had in memory to its wallets. Otherwise
 * the ledger would count as unsound, because their leases have ended and no node has reaped yet.
 */
const END_ASSIGNMENTS = statement`SELECT books_recall(
  ARRAY(SELECT DISTINCT account_id FROM assignment))`;

/**
 * Restores the backup. Returns the exit code.
 * @throws Error with the reason why nothing was restored.
 */
export async function restoreToPostgres(
  { fetched, to, config }: ToPostgres,
  deps: RestoreDeps,
): Promise<number> {
  const { clock, print } = deps;
  const { file, name } = fetched;
  const url = to === null ? configured(config, name) : addressOf(to);
  const { takenAtMs, others } = await copyToEmptyPostgres(file, { url, clock });
  const warn = (risk: string): void => print(`${risk}\n`);
  const database = await openPostgres({ url, clock, warn });
  try {
    await database.sql.query(END_ASSIGNMENTS);
    const facts = await verifyRestored(database, name, deps);
    if (facts === null) {
      print('Do not start a gateway on this database. Restore another backup into a new one.\n');
      return 1;
    }
    print(
      `Restored ${name}. ${soundness(facts)}\n` +
        `Lost at most: everything after ${timeOf(takenAtMs)}.\n${AS_IT_WAS}\n`,
    );
    if (others.length > 0)
      print(`Not restored, because the gateway does not use them: ${others.join(', ')}.\n`);
    print(restoreKeys(config.data_dir, fetched.keyFiles));
    print(missingKeys(config, config.data_dir, facts));
    return 0;
  } finally {
    await database.close();
  }
}

function configured({ database, database_direct }: Config, file: string): Secret {
  if (database !== 'sqlite') return database_direct ?? database;
  throw new Error(
    `${file} is a backup of a PostgreSQL ledger, but the configuration names no PostgreSQL database. Give an empty database ` +
      'with --to, such as postgres://user:password@host/database.',
  );
}
