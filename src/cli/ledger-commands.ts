/** `ledger verify`, `ledger reset-windows` and `backup`: commands about the whole ledger. */
import type { z } from 'zod';
import { BACKUP, VERIFICATION, WINDOWS_RESET } from '../http/admin/admin-ledger-routes.ts';
import { type AdminClient, VERIFY_TIMEOUT_MS } from './admin-client.ts';
import type { Command } from './command.ts';
import { table } from './lists.ts';

/** The timeout of a backup, which copies the ledger at some hundred megabytes a second. */
const BACKUP_TIMEOUT_MS = 60 * 60_000;

/** Makes a backup. @throws CliError when no server answers, or the backup fails. */
export async function makeBackup(client: AdminClient): Promise<z.infer<typeof BACKUP>> {
  const call = { method: 'POST', path: '/backup', timeoutMs: BACKUP_TIMEOUT_MS } as const;
  return await client.call(call, BACKUP.loose());
}

export const LEDGER_COMMANDS: readonly Command[] = [
  {
    words: 'backup',
    summary:
      'back up the ledger to a file in the data folder while the server runs, verify it, and print its name',
    run: async ({ connect, print }) => {
      const made = await makeBackup(await connect());
      print(made, () =>
        made.breach_count === 0
          ? made.file
          : `${made.file}\nThe backup is whole, but its ledger is not sound, as the original: run \`modelgate ledger verify\`.`,
      );
      return made.breach_count === 0 ? 0 : 1;
    },
  },
  {
    words: 'ledger verify',
    summary: 'check every invariant of the ledger; exit 1 on any breach',
    run: async ({ connect, print }) => {
      const client = await connect();
      const result = await client.call(
        { method: 'GET', path: '/ledger/verify', timeoutMs: VERIFY_TIMEOUT_MS },
        VERIFICATION.loose(),
      );
      print(result, () => {
        if (result.ok) return 'The ledger is sound: no invariant is breached.';
        const rows = result.breaches.map((it) => [it.invariant, it.subject, it.detail]);
        return `${table(['invariant', 'subject', 'detail'], rows)}\n\n${result.breach_count} in all.`;
      });
      return result.ok ? 0 : 1;
    },
  },
  {
    words: 'ledger reset-windows',
    summary: 'reset spending windows that a wrong clock moved into the future',
    run: async ({ connect, print }) => {
      const client = await connect();
      const call = { method: 'POST', path: '/ledger/reset-windows' } as const;
      const { now, changed, ...rest } = await client.call(call, WINDOWS_RESET.loose());
      print({ now, changed, ...rest }, () =>
        changed === 0
          ? `No spending window begins after ${now}.`
          : `Reset the spending windows of ${changed} keys and accounts to those of ${now}.`,
      );
      return 0;
    },
  },
];
