/**
 * Reads the SQLite database while it is in use, on another thread than the store's, so that commits
 * need not wait. Meanwhile, commits change only the database's write-ahead log, not its file.
 */
import { statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../clock.ts';
import { asGatewayError, GatewayError } from '../../errors.ts';
import { type SqlExecutor, statement } from '../sql.ts';
import type { FileQuestions } from './sqlite-file-worker.ts';
import { flush } from './sqlite-replace.ts';
import { startThread, WorkerLink } from './worker-link.ts';

/**
 * Maximum size of the write-ahead log, which grows meanwhile. The reading is aborted when the log
 * exceeds this size.
 */
const MAX_LOG_BYTES = 4 * 1024 ** 3;
const LOG_LOOK_MS = 1_000;
/**
 * The free disk space that a copy needs for itself and the log, as a multiple of the database's
 * size.
 */
const ROOM = 2;

/** What reads the snapshot. */
type Reads = Pick<SqlExecutor, 'query'>;

export type FrozenFileOptions = {
  /** The path of the database that the store's thread has open. */
  readonly file: string;
  /** Stops changes to the database's file until `thaw`: commits go only to the write-ahead log. */
  readonly freeze: () => Promise<null>;
  readonly thaw: () => Promise<null>;
  readonly clock: Clock;
};

export class FrozenFile {
  readonly #options: FrozenFileOptions;
  #isCopying = false;
  /** Resolves when the last reading has ended. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: FrozenFileOptions) {
    this.#options = options;
  }

  /**
   * Runs `work` on a snapshot with all commits that are acknowledged when it starts. Readings run
   * one after another.
   * @throws GatewayError `store_unavailable` when the store closes meanwhile.
   */
  read<Result>(work: (sql: Reads) => Promise<Result>): Promise<Result> {
    const reading = this.#last.then(() => this.#read(work));
    this.#last = reading.catch(() => undefined);
    return reading;
  }

  /**
   * Copies the snapshot of `read` into an empty file, and flushes the file. If the promise rejects,
   * the caller must delete the file.
   * @throws GatewayError `conflict` when another copy is running or the disk is too full;
   *   `store_unavailable` when the store closes during the copy; `internal_error` when the copy
   *   cannot be written.
   */
  async copyTo(path: string): Promise<void> {
    if (this.#isCopying) {
      throw new GatewayError('conflict', 'Another backup is running. Wait until it is done.');
    }
    this.#refuseFullDisk(dirname(path));
    this.#isCopying = true;
    try {
      await this.read((sql) => sql.query(statement`VACUUM INTO ${path}`));
    } catch (thrown) {
      const { code, cause } = asGatewayError(thrown);
      if (code === 'store_unavailable') throw thrown;
      const message =
        'The backup failed. The gateway keeps serving requests; its log has the reason.';
      throw new GatewayError('internal_error', message, { cause });
    } finally {
      this.#isCopying = false;
    }
    flush(path);
    flush(dirname(path));
  }

  async #read<Result>(work: (sql: Reads) => Promise<Result>): Promise<Result> {
    const { file, freeze, thaw, clock } = this.#options;
    const { promise: grown, reject } = Promise.withResolvers<never>();
    await freeze();
    const watch = clock.every(LOG_LOOK_MS, () => {
      if (statSync(`${file}-wal`).size > MAX_LOG_BYTES) reject(new Error('the log grew too large'));
    });
    const link = new WorkerLink<FileQuestions>(startThread('./sqlite-file-worker', import.meta));
    const reading = async (): Promise<Result> => {
      await link.ask('open', file);
      const result = await work({ query: (asked) => link.ask('query', asked) });
      await link.ask('close', null);
      return result;
    };
    try {
      return await Promise.race([reading(), grown]);
    } finally {
      watch.cancel();
      await link.terminate();
      // If the store closed meanwhile, closing has changed the file, so `thaw` throws.
      await thaw();
    }
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
