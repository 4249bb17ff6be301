/** `backup`: a copy of the books, made by the server that sells from them. */
import { z } from 'zod';
import type { AdminClient } from './admin-client.ts';
import type { Command } from './command.ts';

/** The server reads and writes all of the books: some hundred megabytes a second. */
const BACKUP_TIMEOUT_MS = 60 * 60_000;

const MADE = z.object({ file: z.string(), bytes: z.number(), taken_at: z.iso.datetime() });
export type MadeBackup = z.infer<typeof MADE>;

/** @throws CliError when no server answers, or it cannot make one. */
export async function makeBackup(client: AdminClient): Promise<MadeBackup> {
  const call = { method: 'POST', path: '/backup', timeoutMs: BACKUP_TIMEOUT_MS } as const;
  return await client.call(call, MADE);
}

const backup: Command = {
  words: 'backup',
  summary: 'copy the books to a file in the data folder while the server sells, and print its name',
  args: [],
  options: [],
  run: async ({ connect, print }) => {
    const made = await makeBackup(await connect());
    print(made, () => made.file);
    return 0;
  },
};

export const BACKUP_COMMANDS: readonly Command[] = [backup];
