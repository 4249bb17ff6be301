/** The file the books are in: taken for this process alone, brought up to date, written in batches. */
import {
  SQLiteError,
  type SQLQueryBindings,
  Database as SqliteFile,
  type Statement,
} from 'bun:sqlite';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { GatewayError } from '../../errors.ts';
import type { AuditEntry } from '../audit.ts';
import type { SqlRow, SqlStatement } from '../database.ts';
import type { NodeIdentity, Reaped } from '../ledger.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from '../migrations.ts';
import type { BookCommand, Fault, Reply } from '../wire.ts';
import { SqliteBooks } from './sqlite-books.ts';

/** A process that is being replaced needs a moment to let go of the file. */
const LOCK_WAIT_MS = 1_000;
/** Pages kept in memory, in KiB: the wallets and holds of a busy day. */
const CACHE_KIB = 16_384;
/**
 * Pages of the log after which they are copied into the file: 40 MB, which a start reads in a tenth of a
 * second. Busy pages are in most commits and are copied once, so that a longer log writes a sixth less, and
 * the commit that has to wait for the copying is one in a hundred.
 */
const LOG_PAGES = 10_000;
/** The log is cut back to this after a burst has made it longer. */
const LOG_BYTES = 64 * 1024 * 1024;

/** Another process has the file; the message says which. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

type Joining = NodeIdentity & { readonly nowMs: number; readonly untilMs: number };

export class BooksFile {
  readonly #file: SqliteFile;
  readonly #ownerPath: string;
  readonly #books: SqliteBooks;
  /** Prepared once: a lone command would pay for it twice. */
  readonly #bounds: Readonly<Record<'begin' | 'commit', Statement>>;

  private constructor(file: SqliteFile, ownerPath: string) {
    this.#file = file;
    this.#ownerPath = ownerPath;
    this.#books = new SqliteBooks(file);
    this.#bounds = { begin: file.prepare('BEGIN IMMEDIATE'), commit: file.prepare('COMMIT') };
  }

  /**
   * Takes the file, making its folder if need be, and migrates it.
   * @throws Error when another process has it, or when it was written by a newer version.
   */
  static open(path: string, nowMs: number): BooksFile {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const file = new SqliteFile(path, { create: true, readwrite: true, safeIntegers: true });
    try {
      const ownerPath = `${path}.pid`;
      own(file, path, ownerPath);
      migrate(file, MIGRATIONS, nowMs);
      return new BooksFile(file, ownerPath);
    } catch (thrown) {
      file.close();
      throw thrown;
    }
  }

  /**
   * Applies a batch as one transaction; durable on return.
   * @throws SQLiteError when the file could not be written: nothing of the batch is in it then.
   */
  write(batch: readonly BookCommand[]): Reply[] {
    try {
      return this.#transaction(() => batch.map((command) => this.#books.apply(command)));
    } catch (thrown) {
      if (isStoreFailure(thrown)) throw thrown;
      // One command's fault is not its neighbours': each again, in a transaction of its own.
      return batch.map((command) => this.#writeAlone(command));
    }
  }

  query({ sql, params }: SqlStatement): SqlRow[] {
    return this.#file.query<SqlRow, SQLQueryBindings[]>(sql).all(...params);
  }

  /** `audit` is written when a statement answered a row; null: no entry. */
  transaction(statements: readonly SqlStatement[], audit: AuditEntry | null): SqlRow[][] {
    return this.#transaction(() => {
      const rows = statements.map((statement) => this.query(statement));
      if (audit !== null && rows.some((answered) => answered.length > 0)) this.#books.audit(audit);
      return rows;
    });
  }

  /** Gives the one lease of this file to a life; any other's ends with that. */
  join({ epoch, name, nowMs, untilMs }: Joining): void {
    this.#transaction(() => {
      this.query({
        sql: 'UPDATE node SET lease_until_ms = $1 WHERE lease_until_ms > $1 AND epoch <> $2',
        params: [nowMs, epoch],
      });
      this.query({
        sql: `INSERT INTO node (epoch, name, joined_at_ms, lease_until_ms) VALUES ($1, $2, $3, $4)
              ON CONFLICT (epoch) DO UPDATE SET lease_until_ms = excluded.lease_until_ms`,
        params: [epoch, name, nowMs, untilMs],
      });
    });
    this.#books.live = epoch;
  }

  /** Whether the life has the lease; its row says until when, for a reader of the file. */
  renew({ epoch, untilMs }: { readonly epoch: string; readonly untilMs: number }): boolean {
    if (!this.#books.isLive(epoch)) return false;
    this.#endLeaseAt(epoch, untilMs);
    return true;
  }

  leave({ epoch, nowMs }: { readonly epoch: string; readonly nowMs: number }): void {
    if (!this.#books.isLive(epoch)) return;
    this.#endLeaseAt(epoch, nowMs);
    this.#books.live = null;
  }

  reap(nowMs: number): Reaped {
    return this.#transaction(() => this.#books.reap(nowMs));
  }

  /** Brings the log into the file, which is written no more until `thaw`: commits stay in the log. */
  freeze(): void {
    const [log] = this.query({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)', params: [] });
    if (log?.['busy'] !== 0n) throw new Error('the log could not be brought into the file');
    this.#file.run('PRAGMA wal_autocheckpoint = 0');
  }

  thaw(): void {
    this.#file.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
  }

  close(): void {
    this.#file.close();
    rmSync(this.#ownerPath, { force: true });
  }

  #endLeaseAt(epoch: string, atMs: number): void {
    const sql = 'UPDATE node SET lease_until_ms = $1 WHERE epoch = $2';
    this.#transaction(() => this.query({ sql, params: [atMs, epoch] }));
  }

  #writeAlone(command: BookCommand): Reply {
    try {
      return this.#transaction(() => this.#books.apply(command));
    } catch (thrown) {
      return faultOf(thrown);
    }
  }

  #transaction<Result>(run: () => Result): Result {
    this.#bounds.begin.run();
    try {
      const result = run();
      this.#bounds.commit.run();
      return result;
    } catch (thrown) {
      // A full disk ends the transaction by itself.
      if (this.#file.inTransaction) this.#file.run('ROLLBACK');
      throw thrown;
    }
  }
}

/**
 * Makes the file this process's own. The lock is the kernel's, on the file itself, and is held for as
 * long as the file is open: it refuses a second process, or a second opening here, and it goes with the
 * process however that ends, so nothing stale is ever left to be cleared by hand. The pid beside it is
 * only for the message.
 */
function own(file: SqliteFile, path: string, ownerPath: string): void {
  try {
    file.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`);
    file.run('PRAGMA locking_mode = EXCLUSIVE');
    file.run('PRAGMA journal_mode = WAL');
    // Every commit is flushed: an acknowledged charge survives a power cut.
    file.run('PRAGMA synchronous = FULL');
    file.run('PRAGMA foreign_keys = ON');
    file.run(`PRAGMA cache_size = -${CACHE_KIB}`);
    file.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    file.run(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
    // The lock is taken by the first writing, and kept.
    file.run('BEGIN IMMEDIATE');
    file.run('COMMIT');
  } catch (thrown) {
    if (!(thrown instanceof SQLiteError) || !thrown.code?.startsWith('SQLITE_BUSY')) throw thrown;
    const pid = pidIn(ownerPath);
    throw new DataFolderInUse(
      `The data folder ${dirname(resolve(path))} is in use by another modelgate process` +
        `${pid === null ? '' : ` (pid ${pid})`}. Stop it, or give this one another data folder.`,
      { cause: thrown },
    );
  }
  writeFileSync(ownerPath, `${process.pid}\n`);
}

function pidIn(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isSafeInteger(pid) ? pid : null;
  } catch {
    // The owner may not have come to write it: the message goes without.
    return null;
  }
}

/** Whether the file failed, rather than the statement: the disk is full, cannot be written, is damaged. */
export function isStoreFailure(thrown: unknown): boolean {
  if (!(thrown instanceof SQLiteError)) return false;
  const code = thrown.code ?? '';
  const isStatements = /^SQLITE_(?:CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/.test(code);
  return !isStatements;
}

function faultOf(thrown: unknown): Fault {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof GatewayError) {
    return { status: 'fault', code: thrown.code, message, param: thrown.param };
  }
  const code = isStoreFailure(thrown) ? 'store_unavailable' : 'internal_error';
  return { status: 'fault', code, message, param: null };
}
