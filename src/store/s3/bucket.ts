/** Opens a bucket of S3-compatible storage, for images and for backups. */
import { S3Client } from 'bun';
import type { Clock } from '../../clock.ts';
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

/**
 * Waits for a call of the client, whose own timeout is six minutes.
 * @throws Error if there is no answer within `limitMs`.
 */
export async function answerWithin<T>(
  call: Promise<T>,
  limitMs: number,
  clock: Pick<Clock, 'after'>,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = clock.after(limitMs, () =>
    reject(new Error(`no answer from the bucket within ${limitMs / 1000} s`)),
  );
  try {
    return await Promise.race([call, late]);
  } finally {
    timer.cancel();
  }
}
