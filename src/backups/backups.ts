/** Makes backups: copies the store, verifies the copy, and stores it in the destination. */
import { closeSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { SecretKey, SecretKeys } from '../secrets/secret-keys.ts';
import { text } from '../store/row.ts';
import { statement } from '../store/sql.ts';
import type { Store } from '../store/store.ts';
import { nameOf, ORIGIN_DIGITS } from './backup-name.ts';
import type { BackupRecord } from './backup-record.ts';
import { chunksOf } from './part-reader.ts';
import { payloadOf, readKeyFiles } from './payload.ts';
import { type Backup, type BackupPlace, backupsIn, type StoredBackup } from './place.ts';

/**
 * The folder inside the data folder in which copies are made. It also stores the backups if no
 * destination is configured.
 */
export const BACKUP_FOLDER = 'backups';
/**
 * Matches the end of an unfinished copy's name: the id of the process that writes the copy, and a
 * suffix.
 */
const UNFINISHED = /\.(\d+)\.partial(?:-wal|-shm)?$/;
/**
 * The space that a backup must leave free on the disk, because the ledger may be on the same disk.
 */
const SPARED_BYTES = 128 * 1024 ** 2;

export type BackupsDeps = {
  readonly database: Pick<Store, 'sql' | 'engine' | 'backup'>;
  readonly dataDir: string;
  readonly clock: Pick<Clock, 'nowMs' | 'randomBytes'>;
  /**
   * Verifies a copy. Returns the number of its rows that violate the ledger's invariants.
   * @throws Error when the copy is damaged.
   */
  readonly verify: (path: string) => Promise<number>;
  readonly place: BackupPlace;
  /** The destination inside the data folder, for backups with the destination `local`. */
  readonly local: BackupPlace;
  /** The encryption keys. New backups use the first one. Null if backups are not encrypted. */
  readonly keys: SecretKeys | null;
  /** The names of the key files in the data folder that an encrypted backup includes. */
  readonly keyFiles: readonly string[];
  /** Records when a valid backup was stored in the configured destination. */
  readonly record: Pick<BackupRecord, 'succeeded'>;
};

/** Where a backup is stored: in the configured destination, or unencrypted in the data folder. */
export type Destination = 'configured' | 'local';

export class Backups {
  readonly #deps: BackupsDeps;
  readonly #folder: string;
  #isRunning = false;

  constructor(deps: BackupsDeps) {
    this.#deps = deps;
    this.#folder = resolve(deps.dataDir, BACKUP_FOLDER);
  }

  get place(): BackupPlace {
    return this.#deps.place;
  }

  get isEncrypted(): boolean {
    return this.#deps.keys !== null;
  }

  /**
   * Writes the audit entry of this backup, then copies the store. Verifies the copy and stores it
   * in the destination.
   * @throws GatewayError, as `FrozenFile.copyTo` does; `conflict` while another backup is running;
   *   `internal_error` if the copy is damaged or cannot be stored.
   */
  async create(actor: string, to: Destination = 'configured'): Promise<Backup> {
    if (this.#isRunning)
      throw new GatewayError('conflict', 'Another backup is running. Wait until it is done.');
    this.#isRunning = true;
    try {
      const made = await this.#create(actor, to);
      if (to === 'configured' && made.breaches === 0) await this.#deps.record.succeeded(made);
      return made;
    } catch (thrown) {
      throw explained(thrown, this.#folder);
    } finally {
      this.#isRunning = false;
    }
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /**
   * Lists the backups of all installations in the destination, newest first.
   * @throws GatewayError
   */
  async list(): Promise<readonly StoredBackup[]> {
    return await backupsIn(this.#deps.place);
  }

  /** Returns the hex digits that identify this installation in the names of its backups. */
  async origin(): Promise<string> {
    const { engine, sql } = this.#deps.database;
    const [row] = await sql.query(
      engine === 'sqlite'
        ? statement`SELECT HEX(hash) AS hash FROM audit WHERE id = 1`
        : statement`SELECT ENCODE(hash, 'hex') AS hash FROM audit WHERE id = 1`,
    );
    if (row === undefined)
      throw new Error(
        'the audit log has no entry with the id 1, which identifies the installation',
      );
    return text(row, 'hash').toLowerCase().slice(0, ORIGIN_DIGITS);
  }

  async #create(actor: string, to: Destination): Promise<Backup> {
    const { database, clock } = this.#deps;
    const key = to === 'configured' ? this.#key() : null;
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    this.#sweep();
    const takenAtMs = clock.nowMs();
    const subject = new Date(takenAtMs).toISOString();
    await database.sql.transaction([statement`SELECT 1 AS audited`], {
      ...{ atMs: takenAtMs, actor, action: 'backup.create' },
      ...{ subject, detail: {} },
    });
    const file = reserve(join(this.#folder, `modelgate-${takenAtMs}.${process.pid}.partial`));
    try {
      await this.#refuseFullDisk(await this.#expectedBytes());
      await database.backup(file);
      const breaches = await this.#verified(file);
      const { size } = statSync(file);
      const place = to === 'configured' ? this.#deps.place : this.#deps.local;
      if (key !== null && place.kind === 'folder') await this.#refuseFullDisk(size);
      const { engine } = database;
      const facts = { takenAtMs, engine, isSealed: key !== null, isSound: breaches === 0 };
      const name = nameOf({ origin: await this.origin(), ...facts });
      const sealed = key === null ? null : await this.#sealed(file, key);
      const { address, bytes } = await place.put(name, { file, sealed, bytes: size });
      return { file: address, bytes, takenAtMs, breaches, isEncrypted: key !== null };
    } finally {
      for (const end of ['', '-wal', '-shm', '.pid']) rmSync(`${file}${end}`, { force: true });
    }
  }

  #key(): SecretKey | null {
    const { keys } = this.#deps;
    if (keys === null) return null;
    const [key] = keys.keys;
    if (key !== undefined) return key;
    const problem = 'problem' in keys ? keys.problem : 'there is no key';
    throw new GatewayError(
      'conflict',
      `The backup cannot be encrypted: ${problem}. Correct the setting \`backups.key\`.`,
    );
  }

  async #sealed(file: string, key: SecretKey): Promise<AsyncIterable<Uint8Array>> {
    const { dataDir, keyFiles, clock } = this.#deps;
    // Loads the module on demand, because most gateways do not encrypt their backups.
    const { sealed } = await import('./sealed-file.ts');
    return sealed(payloadOf(chunksOf(file), readKeyFiles(dataDir, keyFiles)), key, clock);
  }

  /** Returns the copy's estimated size in bytes: the PostgreSQL database's size; 0 for SQLite. */
  async #expectedBytes(): Promise<number> {
    const { engine, sql } = this.#deps.database;
    // No estimate is needed: the code that copies a SQLite store checks the free space itself.
    if (engine === 'sqlite') return 0;
    const [row] = await sql.query(
      statement`SELECT pg_database_size(current_database())::text AS bytes`,
    );
    return row === undefined ? 0 : Number(text(row, 'bytes'));
  }

  async #refuseFullDisk(bytes: number): Promise<void> {
    const { bavail, bsize } = await statfs(this.#folder);
    if (bavail * bsize >= bytes + SPARED_BYTES) return;
    throw new GatewayError(
      'conflict',
      `A backup needs ${bytes + SPARED_BYTES} free bytes on the disk of ${this.#folder}. ` +
        'Free some space, then repeat.',
    );
  }

  async #verified(path: string): Promise<number> {
    try {
      return await this.#deps.verify(path);
    } catch (thrown) {
      const message =
        'The new backup was damaged and has been deleted. See the log of the gateway for the reason.';
      throw new GatewayError('internal_error', message, { cause: thrown });
    }
  }

  /**
   * Deletes the unfinished copies of dead processes and of this process, which runs no other backup
   * at this moment.
   */
  #sweep(): void {
    for (const name of readdirSync(this.#folder)) {
      const pid = Number(UNFINISHED.exec(name)?.[1] ?? 0);
      if (pid === 0 || (pid !== process.pid && isAlive(pid))) continue;
      rmSync(join(this.#folder, name), { force: true });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // `EPERM` means that the process belongs to another user, so it is alive.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/** Creates an empty file that only this user can read. */
function reserve(path: string): string {
  closeSync(openSync(path, 'wx', 0o600));
  return path;
}

/** Error codes of a full disk, and of a folder that this process cannot write. */
const FULL = /^(?:ENOSPC|EDQUOT)$/;
const NOT_WRITABLE = /^(?:EACCES|EPERM|EROFS|ENOTDIR|EEXIST)$/;

/** Returns an error that says what to do if the folder caused `thrown`; else returns `thrown`. */
function explained(thrown: unknown, folder: string): unknown {
  if (thrown instanceof GatewayError) return thrown;
  for (let cause = thrown; cause instanceof Error; cause = cause.cause) {
    const code = 'code' in cause ? String(cause.code) : '';
    if (FULL.test(code)) {
      const message = `The disk of ${folder} is full, so the unfinished backup was deleted. Free some space, then repeat.`;
      return new GatewayError('conflict', message, { cause: thrown });
    }
    if (NOT_WRITABLE.test(code)) {
      const message = `The backup cannot be made: ${cause.message}. Check that the user that runs the gateway can write to ${folder}.`;
      return new GatewayError('internal_error', message, { cause: thrown });
    }
  }
  return thrown;
}
