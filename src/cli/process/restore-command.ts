/** `restore`: replaces the ledger with a backup, while no gateway is running. */
import type { Command } from '../command.ts';

/** Resolves with the exit code. If `to` is null, restores to the ledger's configured location. */
export type Restore = (options: {
  readonly configPath: string | null;
  readonly file: string;
  readonly to: string | null;
  readonly keyFile: string | null;
}) => Promise<number>;

export const restoreCommand = (restore: Restore): Command => ({
  words: 'restore',
  summary:
    'verify a backup (a file, s3://bucket/key, or a name of `modelgate backups`), then put it in the place of the ledger, which is kept (stop the server first)',
  args: ['BACKUP'],
  options: [
    {
      name: 'to',
      value: 'TARGET',
      summary:
        'another data folder than that of the configuration; for a PostgreSQL ledger an empty database, as postgres://user:password@host/db, or the name of a variable that holds it',
    },
    {
      name: 'key-file',
      value: 'FILE',
      summary: 'the keys of an encrypted backup, instead of backups.key of the configuration',
    },
  ],
  run: (_, input) =>
    restore({
      configPath: input.text('config'),
      file: input.arg(0),
      to: input.text('to'),
      keyFile: input.text('key-file'),
    }),
});
