/** Checks of `doctor` on backups: whether any are scheduled, and whether the newest is recent. */
import { type BackupPlace, backupsIn } from '../../backups/place.ts';
import type { BackupSettings } from '../../config/storage/backup-settings.ts';
import type { SecretKeys } from '../../secrets/secret-keys.ts';
import { type Finding, fail, ok, warn } from './finding.ts';
import { deviceOf } from './machine.ts';

const CHECK = 'backups';
const HOUR_MS = 3_600_000;
/**
 * The maximum age of the newest backup, as a multiple of the interval between backups. It is two,
 * because a failed backup is soon retried.
 */
const INTERVALS = 2;

/**
 * Checks that backups go to another disk than the ledger. They do not while the disk that belongs
 * at this path is not mounted, since a mount point is a folder like any other.
 * @param folder the setting `backups.folder`.
 */
export async function backupDiskFindings(
  folder: string | null,
  dataDir: string,
): Promise<readonly Finding[]> {
  if (folder === null || (await deviceOf(folder)) !== (await deviceOf(dataDir))) return [];
  return [
    warn(CHECK, {
      found: `backups.folder, ${folder}, is on the file system of the data folder, and is lost with it.`,
      remedy: 'Mount another disk or machine there, or set a folder on one.',
    }),
  ];
}

export type BackupFacts = {
  readonly settings: Pick<BackupSettings, 'every' | 'key'>;
  readonly place: BackupPlace;
  readonly keys: SecretKeys | null;
  readonly nowMs: number;
};

/** Checks the newest backup. @throws GatewayError when the backups cannot be listed. */
export async function backupFindings({
  settings: { every },
  place,
  keys,
  nowMs,
}: BackupFacts): Promise<readonly Finding[]> {
  if (keys !== null && 'problem' in keys)
    return [fail(CHECK, { found: keys.problem, remedy: 'Correct backups.key.' })];
  const newest = (await backupsIn(place)).find(({ isSound }) => isSound);
  const hours = newest === undefined ? null : Math.floor((nowMs - newest.takenAtMs) / HOUR_MS);
  const found =
    hours === null
      ? `There is no sound backup in ${place.address}.`
      : `The newest sound backup in ${place.address} is ${hours} h old.`;
  if (every === null)
    return [
      warn(CHECK, {
        found: `No backups are scheduled. ${found}`,
        remedy: 'Set backups.every, or run `modelgate backup` with a timer.',
      }),
    ];
  if (newest !== undefined && nowMs - newest.takenAtMs <= INTERVALS * every)
    return [ok(CHECK, found)];
  const remedy = 'Look in the log of the gateway for "a backup failed", or run `modelgate backup`.';
  // Without any backup, the check only warns, because a new gateway may not have made its first
  // one.
  return [newest === undefined ? warn(CHECK, { found, remedy }) : fail(CHECK, { found, remedy })];
}
