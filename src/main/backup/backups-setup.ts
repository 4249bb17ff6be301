/**
 * Opens the backups of a running gateway, and the configured destination to which they are written.
 */
import { join } from 'node:path';
import { BackupRecord } from '../../backups/backup-record.ts';
import { BackupSchedule } from '../../backups/backup-schedule.ts';
import { BACKUP_FOLDER, Backups } from '../../backups/backups.ts';
import { FolderPlace } from '../../backups/folder-place.ts';
import type { BackupPlace } from '../../backups/place.ts';
import { S3Place } from '../../backups/s3-place.ts';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import { SIGNING_KEY_FILE } from '../../images/signed-url.ts';
import { openSqlite } from '../../ledger/sqlite/open-sqlite.ts';
import { keysIn, type SecretKeys } from '../../secrets/secret-keys.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { ADMIN_TOKEN_FILE, CONSOLE_KEY_FILE, SECRETS_KEY_FILE } from '../secrets.ts';
import type { Store } from '../store-setup.ts';
import type { TopUps } from '../top-ups-setup.ts';

/** The names of the key files in the data folder. An encrypted backup contains these files too. */
export const KEY_FILES = [
  SECRETS_KEY_FILE,
  CONSOLE_KEY_FILE,
  SIGNING_KEY_FILE,
  ADMIN_TOKEN_FILE,
] as const;

export type BackupsRoom = {
  readonly backups: Backups;
  readonly schedule: BackupSchedule;
  readonly everyMs: number | null;
};

export async function setUpBackups(
  { config, clock, log }: GatewayDeps,
  { database }: Pick<Store, 'database'>,
  { raise }: Pick<TopUps, 'raise'>,
): Promise<BackupsRoom> {
  const record = new BackupRecord(database.sql);
  const backups = new Backups({
    ...{ database, dataDir: config.data_dir, clock },
    verify: (path) => verifyCopy(database.engine, path, clock),
    place: placeOf(config, clock),
    local: new FolderPlace(join(config.data_dir, BACKUP_FOLDER), clock),
    keys: backupKeys(config),
    keyFiles: KEY_FILES,
    record,
  });
  const { every, keep } = config.backups;
  const schedule = new BackupSchedule(
    {
      ...{ settings: { every, keep }, backups, record, raise, clock },
      onMade: ({ file, bytes }) => log.info({ file, bytes }, 'the ledger was backed up'),
      onFailure: (err) => log.error({ err }, 'a backup failed; it will be repeated'),
      onTrouble: (err) =>
        log.warn({ err }, 'could not read the state of backups, or could not delete an old backup'),
    },
    await record.read(),
  );
  if (every !== null) void schedule.look();
  return { backups, schedule, everyMs: every };
}

export function placeOf({ backups, data_dir }: Config, clock: Clock): BackupPlace {
  if (backups.s3 !== null) return new S3Place(backups.s3, clock);
  return new FolderPlace(backups.folder ?? join(data_dir, BACKUP_FOLDER), clock);
}

export function backupKeys({ backups }: Pick<Config, 'backups'>): SecretKeys | null {
  return backups.key === null ? null : keysIn(backups.key.reveal(), 'backups.key');
}

/**
 * Verifies a backup: checks a SQLite file on a thread of its own, or reads the result from the text
 * file of a PostgreSQL backup. Returns the number of breached invariants.
 * @throws Error when the backup is truncated or damaged.
 */
async function verifyCopy(engine: Store['database']['engine'], file: string, clock: Clock) {
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
