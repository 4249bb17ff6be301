/**
 * Copies the SQLite database while it is in use. During a copy, commits change only the database's
 * write-ahead log, not its file.
 */
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import type { CopyAnswer, CopyQuestion } from './sqlite-copy-worker.ts';
import { flush } from './sqlite-replace.ts';
import { startThread } from './worker-link.ts';

/**
 * Maximum size of the write-ahead log, which grows during a copy. A copy is aborted when the log
 * exceeds this size.
 */
const MAX_LOG_BYTES = 4 * 1024 ** 3;
const LOG_LOOK_MS = 1_000;
/**
 * The free disk space that a copy needs for itself and the log, as a multiple of the database's
 * size.
 */
const ROOM = 2;

export type SqliteBackupOptions = {
  /** The path of the database that the store's thread has open. */
  readonly file: string;
  /** Stops changes to the database's file until `thaw`: commits go only to the write-ahead log. */
  readonly freeze: () => Promise<null>;
  readonly thaw: () => Promise<null>;
  readonly clock: Clock;
};

export class SqliteBackup {
  readonly #options: SqliteBackupOptions;
  #isRunning = false;

  constructor(options: SqliteBackupOptions) {
    this.#options = options;
  }

  /**
   * Copies all acknowledged commits into an empty file, and flushes the file. If the promise
   * rejects, the caller must delete the file.
   * @throws GatewayError `conflict` when another copy is running or the disk is too full;
   *   `store_unavailable` when the store closes during the copy; `internal_error` when the copy
   *   cannot be written.
   */
  async to(path: string): Promise<void> {
    if (this.#isRunning) {
      throw new GatewayError('conflict', 'Another backup is running. Wait until it is done.');
    }
    this.#refuseFullDisk(dirname(path));
    this.#isRunning = true;
    try {
      await this.#copy(path);
    } finally {
      this.#isRunning = false;
    }
  }

  async #copy(path: string): Promise<void> {
    const { file, freeze, thaw, clock } = this.#options;
    const { promise: grown, reject } = Promise.withResolvers<never>();
    await freeze();
    const watch = clock.every(LOG_LOOK_MS, () => {
      if (statSync(`${file}-wal`).size > MAX_LOG_BYTES) reject(new Error('the log grew too large'));
    });
    try {
      await Promise.race([copied({ from: file, to: path }), grown]);
    } catch (thrown) {
      const message =
        'The backup failed. The gateway keeps serving requests; its log has the reason.';
      throw new GatewayError('internal_error', message, { cause: thrown });
    } finally {
      watch.cancel();
      // If the store closed during the copy, closing has changed the file, so `thaw` throws.
      await thaw();
    }
    flush(path);
    flush(dirname(path));
  }

  #refuseFullDisk(folder: string): void {
    const { bavail, bsize } = statfsSync(folder);
    const needed = statSync(this.#options.file).size * ROOM;
    if (bavail * bsize >= needed) return;
    throw new GatewayError(
      'conflict',
      `A backup needs ${needed} free bytes on the disk of the data folder. ` +
        'Free some space, then repeat.',
    );
  }
}

function copied(question: CopyQuestion): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const worker = startThread('./sqlite-copy-worker', import.meta);
  worker.onmessage = ({ data }: MessageEvent<CopyAnswer>) => {
    if (data.failed === null) resolve();
    else reject(new Error(data.failed));
  };
  worker.onerror = (event) => {
    event.preventDefault();
    reject(new Error(event.message));
  };
  worker.addEventListener('close', () => reject(new Error('the copy thread ended')));
  worker.postMessage(question);
  return promise.finally(() => worker.terminate());
}
