/** Writes backups of the store as files in the data folder. */
import { closeSync, mkdirSync, openSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { statement } from './sql.ts';
import type { Store } from './store.ts';

const FOLDER = 'backups';
const ENDINGS = { sqlite: '.db', postgres: '.pgcopy' } as const;
/** The file name ending of an unfinished backup, which a killed process may leave. */
const UNFINISHED = '.partial';

export type BackupsDeps = {
  readonly database: Pick<Store, 'sql' | 'engine' | 'backup'>;
  readonly dataDir: string;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** Counts what is broken in the ledger of a copy. @throws Error when the copy is damaged. */
  readonly verify: (path: string) => Promise<number>;
};

export type Backup = {
  /** The absolute path of the copy, which `modelgate restore` reads. */
  readonly file: string;
  readonly bytes: number;
  /** The backup contains everything that was acknowledged before this time. */
  readonly takenAtMs: number;
  /** How many rows of the copy breach an invariant of the ledger; they are in the ledger, too. */
  readonly breaches: number;
};

export class Backups {
  readonly #deps: BackupsDeps;
  readonly #folder: string;

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
    this.#folder = resolve(deps.dataDir, FOLDER);
  }

  /**
   * Writes a copy with its own audit entry, and verifies it.
   * @throws GatewayError, as `SqliteBackup.to` does; `internal_error` if the copy is damaged.
   */
  async create(actor: string): Promise<Backup> {
    const { database, clock } = this.#deps;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const takenAtMs = clock.nowMs();
    const name = `modelgate-${new Date(takenAtMs).toISOString().replaceAll(/[-:.]/g, '')}${ENDINGS[database.engine]}`;
    const file = join(this.#folder, name);
    const unfinished = reserve(`${file}${UNFINISHED}`);
    try {
      await database.sql.transaction([statement`SELECT 1 AS audited`], {
        ...{ atMs: takenAtMs, actor, action: 'backup.create' },
        ...{ subject: name, detail: {} },
      });
      await database.backup(unfinished);
      const breaches = await this.#verified(unfinished);
      this.#sweep(unfinished);
      renameSync(unfinished, file);
      return { file, bytes: statSync(file).size, takenAtMs, breaches };
    } catch (thrown) {
      rmSync(unfinished, { force: true });
      throw thrown;
    }
  }

  async #verified(path: string): Promise<number> {
    try {
      return await this.#deps.verify(path);
    } catch (thrown) {
      const message =
        'The backup is damaged and was deleted. The log of the gateway has the reason.';
      throw new GatewayError('internal_error', message, { cause: thrown });
    }
  }

  /** Deletes other unfinished files, which are all from killed processes: backups never overlap. */
  #sweep(current: string): void {
    for (const name of readdirSync(this.#folder)) {
      const path = join(this.#folder, name);
      if (name.includes(UNFINISHED) && path !== current) rmSync(path, { force: true });
    }
  }
}

/** Creates an empty file. @throws GatewayError `conflict` when the file exists. */
function reserve(path: string): string {
  try {
    closeSync(openSync(path, 'wx', 0o600));
    return path;
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST')) throw thrown;
    const message = 'Another backup is running. Wait until it is done.';
    throw new GatewayError('conflict', message, { cause: thrown });
  }
}
