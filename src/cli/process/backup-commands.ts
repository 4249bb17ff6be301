/**
 * The commands `backup` and `backups`, which make a backup of the running server and list its
 * backups.
 */
import type { z } from 'zod';
import { durationText } from '../../config/units.ts';
import { BACKUP, BACKUPS } from '../../http/admin/backups/backup-routes.ts';
import type { AdminClient } from '../admin-client.ts';
import type { Command } from '../command.ts';
import { table } from '../lists.ts';

/** The timeout of a backup, which copies a few hundred megabytes of the ledger per second. */
const BACKUP_TIMEOUT_MS = 60 * 60_000;
const MIB = 1024 ** 2;

/**
 * The destination of the backup. `local`: an unencrypted file in the server's data folder.
 * `configured`: the configured destination.
 */
type Destination = 'local' | 'configured';

/** Lets the server make a backup. @throws CliError when no server answers, or the backup fails. */
export async function makeBackup(
  client: AdminClient,
  to: Destination,
): Promise<z.infer<typeof BACKUP>> {
  const path = to === 'local' ? '/backup?local=true' : '/backup';
  const call = { method: 'POST', path, timeoutMs: BACKUP_TIMEOUT_MS } as const;
  return await client.call(call, BACKUP.loose());
}

export const BACKUP_COMMANDS: readonly Command[] = [
  {
    words: 'backup',
    summary:
      'back up the running ledger to the place that the setting `backups` names, verify the backup, and print its name',
    options: {
      local: 'back up to an unencrypted file in the data folder instead, whatever the settings say',
    },
    run: async ({ connect, print }, input) => {
      const made = await makeBackup(await connect(), input.has('local') ? 'local' : 'configured');
      print(made, () =>
        made.breach_count === 0
          ? made.file
          : `${made.file}\nThe backup is complete, but its ledger breaks invariants, and so does the running ledger: run \`modelgate ledger verify\`.`,
      );
      return made.breach_count === 0 ? 0 : 1;
    },
  },
  {
    words: 'backups',
    summary: 'list the backups in the place that the setting `backups` names, newest first',
    run: async ({ connect, print }) => {
      const client = await connect();
      const listed = await client.call({ method: 'GET', path: '/backups' }, BACKUPS.loose());
      print(listed, () => listOf(listed));
      return 0;
    },
  },
];

function listOf(listed: z.infer<typeof BACKUPS>): string {
  const { place, data } = listed;
  if (data.length === 0) return `There are no backups in ${place}.\n${scheduleOf(listed)}`;
  const rows = data.map((each) => [
    each.taken_at,
    (each.bytes / MIB).toFixed(1),
    each.encrypted ? 'yes' : 'no',
    each.sound ? 'yes' : 'NO',
    each.of_this_installation ? 'this' : each.installation,
    each.file,
  ]);
  const columns = ['taken at', 'MiB', 'encrypted', 'sound', 'installation', 'file'];
  return `${table(columns, rows)}\n\n${scheduleOf(listed)}`;
}

function scheduleOf({ every_ms: everyMs, failure }: z.infer<typeof BACKUPS>): string {
  const every =
    everyMs === null
      ? 'No backups are scheduled.'
      : `A backup is made every ${durationText(everyMs)}.`;
  if (failure === null) return every;
  const { at, reason, count, next_at: next } = failure;
  return `${every}\nThe last backup failed at ${at} (failures since the last sound backup: ${count}): ${reason}\nThe next attempt is at ${next}.`;
}
