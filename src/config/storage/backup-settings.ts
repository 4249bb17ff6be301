/** The setting `backups`: to which place the ledger is backed up, and under which key. */
import { z } from 'zod';
import { type Immutable, secret, text } from '../values.ts';
import { s3Bucket } from './s3-settings.ts';

export const backupSettings = z
  .strictObject({
    /** The folder of the backups; null means `backups` in `data_dir`. */
    folder: text.nullable().default(null),
    /** A bucket instead of a folder. */
    s3: s3Bucket.nullable().default(null),
    /**
     * Keys, one a line, each 32 bytes in base64. The first encrypts, all decrypt. Null: backups are
     * not encrypted, and hold no key files.
     */
    key: secret.nullable().default(null),
  })
  .check((context) => {
    if (context.value.folder === null || context.value.s3 === null) return;
    const message = 'replaces folder; remove one of the two';
    context.issues.push({ code: 'custom', message, input: context.value, path: ['s3'] });
  });

export type BackupSettings = Immutable<z.output<typeof backupSettings>>;
