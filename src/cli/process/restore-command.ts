/** `restore`: puts a backup in the place of the ledger, while no gateway runs. */
import type { Command } from '../command.ts';

/** Resolves with the exit code. `to` is null for the place of the configuration. */
export type Restore = (options: {
  readonly configPath: string | null;
  readonly file: string;
  readonly to: string | null;
}) => Promise<number>;

export const restoreCommand = (restore: Restore): Command => ({
  words: 'restore',
  summary:
    'verify a backup, then put it in the place of the ledger, which is kept (stop the server first)',
  args: ['FILE'],
  options: [
    {
      name: 'to',
      value: 'TARGET',
      summary:
        'another data folder than that of the configuration; for a PostgreSQL ledger an empty database, as postgres://user:password@host/db, or the name of a variable that holds it',
    },
  ],
  run: (_, input) =>
    restore({ configPath: input.text('config'), file: input.arg(0), to: input.text('to') }),
});
