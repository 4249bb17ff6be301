/** `restore`: puts a backup in the place of the ledger, while no gateway runs. */
import type { Command } from '../command.ts';

/** Resolves with the exit code. `to` is the data folder; null for that of the configuration. */
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
      value: 'DATA_DIR',
      summary: 'another data folder than that of the configuration; it may be missing or empty',
    },
  ],
  run: (_, input) =>
    restore({ configPath: input.text('config'), file: input.arg(0), to: input.text('to') }),
});
