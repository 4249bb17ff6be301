/** Stores backups in a folder, which may be mounted from another machine. */
import { mkdirSync } from 'node:fs';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { flush } from '../store/sqlite/sqlite-replace.ts';
import { NAME_START } from './backup-name.ts';
import { type Chunks, chunksOf } from './part-reader.ts';
import type { BackupPlace, Finished, Listed, StoredAt } from './place.ts';

/** The suffix of an unfinished copy's name. A killed process may leave such a copy behind. */
const COPYING = '.copying';
/**
 * If an unfinished copy has not been written to for this long, the process that wrote it was
 * killed.
 */
const IDLE_COPY_MS = 60 * 60_000;

const codeOf = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown error';

export class FolderPlace implements BackupPlace {
  readonly kind = 'folder';
  readonly address: string;
  readonly #clock: Pick<Clock, 'nowMs'>;

  constructor(folder: string, clock: Pick<Clock, 'nowMs'>) {
    this.address = resolve(folder);
    this.#clock = clock;
  }

  async put(name: string, { file, sealed }: Finished): Promise<StoredAt> {
    const path = join(this.address, name);
    try {
      mkdirSync(this.address, { recursive: true, mode: 0o700 });
      await this.#sweep();
      if (sealed !== null) await this.#copy(sealed, path);
      else if (!(await isMoved(file, path))) await this.#copy(chunksOf(file), path);
      flush(this.address);
      return { address: path, bytes: (await stat(path)).size };
    } catch (thrown) {
      throw this.#failure('could not be stored in', thrown);
    }
  }

  async list(): Promise<readonly Listed[]> {
    try {
      const names = await readdir(this.address);
      const sizes = names
        .filter((name) => name.startsWith(NAME_START))
        .map(async (name) => {
          const found = await statOf(join(this.address, name));
          return found === null ? [] : [{ name, bytes: found.size }];
        });
      return (await Promise.all(sizes)).flat();
    } catch (thrown) {
      if (/^(?:ENOENT|ENOTDIR)$/.test(codeOf(thrown))) return [];
      throw this.#failure('cannot be listed in', thrown);
    }
  }

  read(name: string): Chunks {
    return chunksOf(join(this.address, name));
  }

  async delete(name: string): Promise<void> {
    try {
      await rm(join(this.address, name), { force: true });
    } catch (thrown) {
      throw this.#failure('cannot be deleted in', thrown);
    }
  }

  async #copy(chunks: Chunks, path: string): Promise<void> {
    const unfinished = `${path}${COPYING}`;
    try {
      const handle = await open(unfinished, 'wx', 0o600);
      try {
        for await (const chunk of chunks) await handle.writeFile(chunk);
        await handle.sync();
      } finally {
        await handle.close();
      }
      await rename(unfinished, path);
    } catch (thrown) {
      await rm(unfinished, { force: true });
      throw thrown;
    }
  }

  /** Deletes the unfinished copies that killed processes left behind. */
  async #sweep(): Promise<void> {
    for (const name of await readdir(this.address)) {
      if (!name.startsWith(NAME_START) || !name.endsWith(COPYING)) continue;
      const path = join(this.address, name);
      const found = await statOf(path);
      const isIdle = found !== null && this.#clock.nowMs() - found.mtimeMs > IDLE_COPY_MS;
      if (isIdle) await rm(path, { force: true });
    }
  }

  #failure(what: string, thrown: unknown): GatewayError {
    const code = codeOf(thrown);
    const remedy =
      code === 'ENOSPC' || code === 'EDQUOT'
        ? 'The disk is full: free some space, or set backups.keep lower.'
        : 'Check that the folder exists, and that the user that runs the gateway can write to it.';
    const message = `Backups ${what} ${this.address} (${code}). ${remedy}`;
    return new GatewayError('internal_error', message, { cause: thrown });
  }
}

/**
 * Returns the size and the time of a file. Returns null if it has vanished: another process may
 * have finished or deleted it, or it is a link to such a file.
 */
async function statOf(path: string): Promise<{ size: number; mtimeMs: number } | null> {
  try {
    return await stat(path);
  } catch (thrown) {
    if (codeOf(thrown) === 'ENOENT') return null;
    throw thrown;
  }
}

/** Renames the file to `path`. Returns false if `path` is on another file system. */
async function isMoved(file: string, path: string): Promise<boolean> {
  try {
    await rename(file, path);
    return true;
  } catch (thrown) {
    if (codeOf(thrown) === 'EXDEV') return false;
    throw thrown;
  }
}
