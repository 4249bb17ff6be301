/** Opens a bucket of S3-compatible storage, for images and for backups. */
import { S3Client } from 'bun';
import type { S3Settings } from '../../config/storage/s3-settings.ts';

/** Maximum keys that S3 lists per call. */
export const MAX_LISTED = 1000;

export const openBucket = ({
  bucket,
  endpoint,
  region,
  access_key_id: accessKeyId,
  secret_access_key: secretAccessKey,
}: S3Settings): S3Client =>
  new S3Client({
    bucket,
    endpoint,
    accessKeyId,
    secretAccessKey: secretAccessKey.reveal(),
    ...(region === undefined ? {} : { region }),
  });
