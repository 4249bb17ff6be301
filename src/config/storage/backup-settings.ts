/**
 * The setting `backups`: the schedule, destination, encryption key and retention of the ledger's
 * backups.
 */
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
      /**
       * The interval between scheduled backups. Null means that backups are made only by `modelgate
       * backup`.
       */
      every: duration()
        .refine(
          (ms) => ms >= SHORTEST_INTERVAL_MS && ms <= LONGEST_INTERVAL_MS,
          'must be from 5m to 31d',
        )
        .register(writtenForms, { type: 'duration', minimum: '5m', maximum: '31d' })
        .nullable()
        .default(null),
      /**
       * How long backups are retained. Null means forever. The newest valid backup is never
       * deleted.
       */
      keep: duration()
        .refine((ms) => ms >= SHORTEST_KEPT_MS, 'must be at least 1h')
        .register(writtenForms, { type: 'duration', minimum: '1h' })
        .nullable()
        .prefault('14d'),
      /** The folder in which backups are stored. Null means `backups` in `data_dir`. */
      folder: text().nullable().default(null),
      /** The bucket in which backups are stored; null to store them in the folder. */
      s3: s3Bucket().nullable().default(null),
      /**
       * Encryption keys, one per line, each 32 bytes in base64. New backups are encrypted with the
       * first key. A backup is decrypted with the key in this list that encrypted it. Null means
       * that backups are not encrypted and contain no key files.
       */
      key: secret().nullable().default(null),
    })
    .check((context) => {
      if (context.value.folder === null || context.value.s3 === null) return;
      const message = 'cannot be combined with folder; remove one of the two';
      context.issues.push({ code: 'custom', message, input: context.value, path: ['s3'] });
    }),
);

export type BackupSettings = Immutable<z.output<ReturnType<typeof backupSettings>>>;
