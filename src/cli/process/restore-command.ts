/** The command `restore`: replaces the ledger with a backup while no gateway is running. */
import type { Command } from '../command.ts';

/**
 * Restores the backup `file` and resolves with the exit code. If `to` is null, restores to the
 * configured location of the ledger.
 */
export type Restore = (options: {
  readonly configPath: string | null;
  readonly file: string;
  readonly to: string | null;
  readonly keyFile: string | null;
}) => Promise<number>;

export const restoreCommand = (restore: Restore): Command => ({
  words: 'restore',
  summary:
    'verify a backup (a file, s3://bucket/key, or a name that `modelgate backups` lists), then replace the ledger with it and keep the replaced ledger (stop the server first)',
  args: ['BACKUP'],
  options: {
    'to TARGET':
      'restore to another data folder than the configured one; for a backup of PostgreSQL, to an empty database: postgres://user:password@host/db, or the name of an environment variable with that address',
    'key-file FILE':
      'a file with the keys of an encrypted backup (default: the setting backups.key)',
  },
  run: (_, input) =>
    restore({
      configPath: input.text('config'),
      file: input.arg(0),
      to: input.text('to'),
      keyFile: input.text('key-file'),
    }),
});
