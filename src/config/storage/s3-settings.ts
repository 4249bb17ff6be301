/** The settings of a bucket in S3-compatible storage, for images and for backups. */
import * as z from 'zod';
import { built } from '../document/on-demand.ts';
import { baseUrl, type Immutable, secret, text } from '../values.ts';

export const s3Settings = built(() => ({
  bucket: text(),
  endpoint: baseUrl(),
  region: text().optional(),
  access_key_id: text(),
  secret_access_key: secret(),
  /** The folder in the bucket, without leading or trailing slash. */
  prefix: text().optional(),
}));

export const s3Bucket = built(() => z.strictObject(s3Settings()));

export type S3Settings = Immutable<z.output<ReturnType<typeof s3Bucket>>>;
