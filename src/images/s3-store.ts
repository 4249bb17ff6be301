/** Stores images in an S3-compatible bucket, for several nodes or for remote storage. */
import type { S3Client } from 'bun';
import type { Clock } from '../clock.ts';
import type { S3Settings } from '../config/storage/s3-settings.ts';
import { answerWithin, MAX_LISTED, openBucket } from '../store/s3/bucket.ts';
import { FORMATS, type ImageFile } from './image-file.ts';
import {
  hasCode,
  type ImageId,
  type ImageStore,
  isImageId,
  isStoredBefore,
  newImageId,
  type StoredImage,
} from './image-store.ts';

/** The folder in the bucket if the settings have no `prefix`. */
const DEFAULT_PREFIX = 'images';
/**
 * The timeout of one call to the bucket. While an image is being stored, its caller waits, and the
 * caller's money is held.
 */
export const CALL_MS = 60_000;

export class S3ImageStore implements ImageStore {
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #clock: Clock;

  constructor(settings: S3Settings, clock: Clock) {
    this.#client = openBucket(settings);
    this.#prefix = `${settings.prefix ?? DEFAULT_PREFIX}/`;
    this.#clock = clock;
  }

  async put({ format, bytes }: ImageFile): Promise<ImageId> {
    const id = newImageId(format, this.#clock);
    const { mediaType: type } = FORMATS[format];
    await this.#within(this.#client.write(this.#key(id), bytes, { type }));
    return id;
  }

  async open(id: ImageId): Promise<StoredImage | null> {
    const file = this.#client.file(this.#key(id));
    try {
      const { size } = await this.#within(file.stat());
      // The result is not `file` itself: as the body of a Response, it would redirect callers to
      // the bucket.
      return { sizeBytes: size, body: () => file.stream() };
    } catch (thrown) {
      if (hasCode(thrown, 'NoSuchKey', 'ENOENT', 'NotFound')) return null;
      throw thrown;
    }
  }

  async delete(id: ImageId): Promise<void> {
    await this.#within(this.#client.delete(this.#key(id)));
  }

  async listStoredBefore(cutoffMs: number, limit: number): Promise<readonly ImageId[]> {
    // S3 lists keys in byte order, and keys begin with the time. So the oldest come first. The list
    // is longer than `limit`, because it may begin with other keys, such as the folder's own.
    const options = { prefix: this.#prefix, maxKeys: MAX_LISTED };
    const listed = await this.#within(this.#client.list(options));
    return (listed.contents ?? [])
      .map(({ key }) => key.slice(this.#prefix.length))
      .filter(isImageId)
      .filter((id) => isStoredBefore(id, cutoffMs))
      .slice(0, limit);
  }

  #within<T>(call: Promise<T>): Promise<T> {
    return answerWithin(call, CALL_MS, this.#clock);
  }

  #key(id: ImageId): string {
    return `${this.#prefix}${id}`;
  }
}
