/** The setting `backups`: when the ledger is backed up, to which destination, under which key. */
import * as z from 'zod';
import { built } from '../document/on-demand.ts';
import { duration, type Immutable, secret, text, writtenForms } from '../values.ts';
import { s3Bucket } from './s3-settings.ts';

const MINUTE_MS = 60_000;
/** The minimum time between backups, because each backup reads the whole ledger. */
const SHORTEST_INTERVAL_MS = 5 * MINUTE_MS;
const LONGEST_INTERVAL_MS = 31 * 24 * 60 * MINUTE_MS;
const SHORTEST_KEPT_MS = 60 * MINUTE_MS;

export const backupSettings = built(() =>
  z
    .strictObject({
      /** The time from one backup to the next; null: only `modelgate backup` makes backups. */
      every: duration()
        .refine(
          (ms) => ms >= SHORTEST_INTERVAL_MS && ms <= LONGEST_INTERVAL_MS,
          'must be from 5m to 31d',
        )
        .register(writtenForms, { type: 'duration', minimum: '5m', maximum: '31d' })
        .nullable()
        .default(null),
      /** How long backups are kept; null keeps all. The newest intact backup is always kept. */
      keep: duration()
        .refine((ms) => ms >= SHORTEST_KEPT_MS, 'must be at least 1h')
        .register(writtenForms, { type: 'duration', minimum: '1h' })
        .nullable()
        .prefault('14d'),
      /** The folder of the backups; null means `backups` in `data_dir`. */
      folder: text().nullable().default(null),
      /**
       * The bucket in which backups are stored instead of the folder; null if they are in the
       * folder.
       */
      s3: s3Bucket().nullable().default(null),
      /**
       * Encryption keys, one per line, each 32 bytes in base64. The first key encrypts, and each
       * key can decrypt. Null: backups are not encrypted, and contain no key files.
       */
      key: secret().nullable().default(null),
    })
    .check((context) => {
      if (context.value.folder === null || context.value.s3 === null) return;
      const message = 'replaces folder; remove one of the two';
      context.issues.push({ code: 'custom', message, input: context.value, path: ['s3'] });
    }),
);

export type BackupSettings = Immutable<z.output<ReturnType<typeof backupSettings>>>;
