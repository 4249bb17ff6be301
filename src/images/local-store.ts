/** Stores images as files in one local folder. This default suits a single node. */
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import type { ImageFile } from './image-file.ts';
import {
  hasCode,
  type ImageId,
  type ImageStore,
  isImageId,
  isStoredBefore,
  newImageId,
  type StoredImage,
} from './image-store.ts';

/**
 * The ending of a file's name while the file is written. The sweep also deletes such files after a
 * crash.
 */
const PARTIAL_SUFFIX = '.partial';

/** Opens the store. Creates the folder, accessible to this user only, if it does not exist. */
export async function openLocalImageStore(folder: string, clock: Clock): Promise<ImageStore> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return new LocalImageStore(folder, clock);
}

class LocalImageStore implements ImageStore {
  readonly #folder: string;
  readonly #clock: Clock;

  constructor(folder: string, clock: Clock) {
    this.#folder = folder;
    this.#clock = clock;
  }

  async put({ format, bytes }: ImageFile): Promise<ImageId> {
    const id = newImageId(format, this.#clock);
    const partial = join(this.#folder, `${id}${PARTIAL_SUFFIX}`);
    const file = await open(partial, 'wx', 0o600);
    try {
      await file.writeFile(bytes);
      // The caller has paid for the image, so the file must survive a power failure.
      await file.datasync();
    } finally {
      await file.close();
    }
    await rename(partial, this.#path(id));
    return id;
  }

  async open(id: ImageId): Promise<StoredImage | null> {
    const path = this.#path(id);
    try {
      const { size } = await stat(path);
      return { sizeBytes: size, body: () => Bun.file(path) };
    } catch (thrown) {
      if (hasCode(thrown, 'ENOENT')) return null;
      throw thrown;
    }
  }

  async delete(id: ImageId): Promise<void> {
    await rm(this.#path(id), { force: true });
    await rm(join(this.#folder, `${id}${PARTIAL_SUFFIX}`), { force: true });
  }

  async listStoredBefore(cutoffMs: number, limit: number): Promise<readonly ImageId[]> {
    const ids = new Set<ImageId>();
    for (const name of await readdir(this.#folder)) {
      const id = name.endsWith(PARTIAL_SUFFIX) ? name.slice(0, -PARTIAL_SUFFIX.length) : name;
      if (isImageId(id) && isStoredBefore(id, cutoffMs)) ids.add(id);
    }
    return [...ids].sort().slice(0, limit);
  }

  #path(id: ImageId): string {
    // The id is checked again, because an invalid one could be the path of any file.
    if (!isImageId(id)) throw new Error('The image id is not valid, so it cannot name a file.');
    return join(this.#folder, id);
  }
}
