/** Stores backups in a bucket of S3-compatible storage. */
import type { S3Client } from 'bun';
import type { Clock } from '../clock.ts';
import type { S3Settings } from '../config/storage/s3-settings.ts';
import { GatewayError } from '../errors.ts';
import { answerWithin, MAX_LISTED, openBucket } from '../store/s3/bucket.ts';
import { upload } from '../store/s3/upload.ts';
import { NAME_START } from './backup-name.ts';
import { chunksOf, PartReader } from './part-reader.ts';
import type { BackupPlace, Finished, Listed, StoredAt } from './place.ts';

/** The folder in the bucket if the settings have no `prefix`. */
const DEFAULT_PREFIX = 'backups';
const MIB = 1024 ** 2;
/** Maximum parts in an upload, a limit of S3. A large file therefore gets larger parts. */
const MAX_PARTS = 10_000;
const PART_BYTES = 16 * MIB;
/** The maximum size of an S3 object: 5 TiB. */
const MAX_BYTES = 5 * 1024 ** 4;
/** The timeout of one call to the storage. */
const CALL_MS = 10 * 60_000;
/**
 * The maximum number of result pages that a list of the bucket reads. This is enough for two months
 * with a backup every 5 minutes.
 */
const MAX_LISTS = 20;
const ROOM = 1.01;

export class S3Place implements BackupPlace {
  readonly kind = 's3';
  readonly address: string;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #settings: S3Settings;
  readonly #clock: Pick<Clock, 'after' | 'nowMs' | 'sleep'>;

  constructor(settings: S3Settings, clock: Pick<Clock, 'after' | 'nowMs' | 'sleep'>) {
    this.#settings = settings;
    this.#client = openBucket(settings);
    this.#prefix = `${settings.prefix ?? DEFAULT_PREFIX}/`;
    this.address = `s3://${settings.bucket}/${settings.prefix ?? DEFAULT_PREFIX}`;
    this.#clock = clock;
  }

  async put(name: string, { file, sealed, bytes }: Finished): Promise<StoredAt> {
    if (bytes * ROOM > MAX_BYTES) {
      const message = `The backup has ${bytes} bytes, which is too much for one object of S3 (5 TiB). Store it in a folder (backups.folder).`;
      throw new GatewayError('conflict', message);
    }
    const partSize = Math.max(PART_BYTES, Math.ceil((bytes * ROOM) / MAX_PARTS / MIB) * MIB);
    return await this.#ask('could not be stored in', async () => {
      const reader = new PartReader(sealed ?? chunksOf(file));
      const options = { settings: this.#settings, key: this.#key(name), clock: this.#clock };
      const sent = await upload(reader.parts(partSize), options);
      const { size } = await this.#within(this.#client.stat(this.#key(name)));
      if (size !== sent) throw new Error(`${size} of ${sent} bytes arrived`);
      return { address: `${this.address}/${name}`, bytes: sent };
    });
  }

  async list(): Promise<readonly Listed[]> {
    return await this.#ask('cannot be listed in', async () => {
      const found: Listed[] = [];
      let after: string | undefined;
      for (let lists = 0; lists < MAX_LISTS; lists++) {
        const listed = await this.#within(
          this.#client.list({
            prefix: `${this.#prefix}${NAME_START}`,
            maxKeys: MAX_LISTED,
            ...(after === undefined ? {} : { continuationToken: after }),
          }),
        );
        for (const { key, size } of listed.contents ?? [])
          found.push({ name: key.slice(this.#prefix.length), bytes: Number(size ?? 0) });
        after = listed.nextContinuationToken;
        if (listed.isTruncated !== true || after === undefined) break;
      }
      return found;
    });
  }

  /** Yields the content of a backup. Reads one range at a time, so that only one is in memory. */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    const file = this.#client.file(this.#key(name));
    const size = await this.#ask('cannot be read from', async () => {
      return (await this.#within(file.stat())).size;
    });
    for (let at = 0; at < size; at += PART_BYTES) {
      const part = file.slice(at, Math.min(at + PART_BYTES, size));
      yield await this.#ask('cannot be read from', () => this.#within(part.bytes()));
    }
  }

  async delete(name: string): Promise<void> {
    await this.#ask('cannot be deleted in', () =>
      this.#within(this.#client.delete(this.#key(name))),
    );
  }

  #key(name: string): string {
    return `${this.#prefix}${name}`;
  }

  async #ask<T>(what: string, call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (thrown) {
      const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : null;
      const why = code ?? (thrown instanceof Error ? thrown.message : String(thrown));
      const message = `Backups ${what} ${this.address} (${why}). Check the settings \`backups.s3\` and the permissions of its key.`;
      throw new GatewayError('internal_error', message, { cause: thrown });
    }
  }

  #within<T>(call: Promise<T>): Promise<T> {
    return answerWithin(call, CALL_MS, this.#clock);
  }
}
