/** Opens, locks, migrates and writes the SQLite file of the embedded store. */
import {
  SQLiteError,
  type SQLQueryBindings,
  Database as SqliteFile,
  type Statement,
} from 'bun:sqlite';
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type AuditEntry, auditAfter, GENESIS } from '../audit.ts';
import { MIGRATIONS } from '../migrations.ts';
import { type SqlRow, type SqlStatement, statement } from '../sql.ts';
import { migrate } from './sqlite-migrate.ts';

/** How long to wait for the lock. During a restart, the previous process may still hold it. */
const LOCK_WAIT_MS = 1_000;
/**
 * The page cache in KiB. A larger cache would fill with receipts that are not read again. It would
 * hardly save CPU, because the operating system caches the file as well.
 */
const CACHE_KIB = 4_096;
/**
 * The number of pages in the write-ahead log at which SQLite moves them to the database. The log is
 * then 40 MB, which the gateway reads in 0.1 s when it starts. Most commits write the same few
 * pages, so this limit saves a sixth of the writes in comparison with 1,000 pages.
 */
const LOG_PAGES = 10_000;
/** The size to which the log is truncated after it has grown. */
const LOG_BYTES = 64 * 1024 * 1024;

/** Thrown when another process has locked the database. The message names that process. */
export class DataFolderInUse extends Error {
  override readonly name = 'DataFolderInUse';
}

export class StoreFile {
  readonly #file: SqliteFile;
  readonly #ownerPath: string;
  /**
   * The statements `BEGIN` and `COMMIT`, prepared once, because preparing slows small transactions.
   */
  readonly #bounds: Readonly<Record<'begin' | 'commit', Statement>>;
  readonly #auditHead: Statement<{ id: bigint; hash: Uint8Array }, []>;
  readonly #insertAudit: Statement<never, SQLQueryBindings[]>;

  private constructor(file: SqliteFile, ownerPath: string) {
    this.#file = file;
    this.#ownerPath = ownerPath;
    this.#bounds = { begin: file.prepare('BEGIN IMMEDIATE'), commit: file.prepare('COMMIT') };
    this.#auditHead = file.prepare('SELECT id, hash FROM audit ORDER BY id DESC LIMIT 1');
    this.#insertAudit = file.prepare(
      `INSERT INTO audit (id, at_ms, actor, action, subject, detail, hash)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  /** Locks and migrates the database. @throws Error when it is locked, or from `stepsAfter`. */
  static open(path: string, nowMs: number): StoreFile {
    keepPrivate(path);
    const file = new SqliteFile(path, { create: true, readwrite: true, safeIntegers: true });
    try {
      const ownerPath = `${path}.pid`;
      own(file, path, ownerPath);
      migrate(file, MIGRATIONS, nowMs);
      return new StoreFile(file, ownerPath);
    } catch (thrown) {
      file.close();
      throw thrown;
    }
  }

  prepare<Row>(sql: string): Statement<Row, SQLQueryBindings[]> {
    return this.#file.prepare(sql);
  }

  query({ sql, params }: SqlStatement): SqlRow[] {
    return this.#file.query<SqlRow, SQLQueryBindings[]>(sql).all(...params);
  }

  /**
   * Runs the statements in one transaction. Appends `audit` to the audit log if any statement
   * returns a row.
   */
  transaction(statements: readonly SqlStatement[], audit: AuditEntry | null): SqlRow[][] {
    return this.inTransaction(() => {
      const rows = statements.map((statement) => this.query(statement));
      if (audit !== null && rows.some((answered) => answered.length > 0)) this.audit(audit);
      return rows;
    });
  }

  /**
   * Runs `work` in a durable transaction. If `work` or SQLite throws, the database is unchanged.
   */
  inTransaction<Result>(work: () => Result): Result {
    this.#bounds.begin.run();
    try {
      const result = work();
      this.#bounds.commit.run();
      return result;
    } catch (thrown) {
      // When the disk is full, SQLite itself has already ended the transaction.
      if (this.#file.inTransaction) this.#file.run('ROLLBACK');
      throw thrown;
    }
  }

  /**
   * Runs `work` in a transaction that is not flushed to disk. A crash of the machine may undo the
   * transaction, unless a durable transaction was committed after it.
   */
  inUnflushedTransaction<Result>(work: () => Result): Result {
    this.#file.run('PRAGMA synchronous = NORMAL');
    try {
      return this.inTransaction(work);
    } finally {
      this.#file.run('PRAGMA synchronous = FULL');
    }
  }

  /**
   * Runs `write`, then `read`, which sees the rows of `write`, and then rolls everything back. So
   * these rows need no disk space.
   * @throws SQLiteError also if `read` tries to write.
   */
  inDiscardedTransaction<Result>(write: () => void, read: () => Result): Result {
    this.#bounds.begin.run();
    try {
      write();
      this.#file.run('PRAGMA query_only = ON');
      return read();
    } finally {
      this.#file.run('PRAGMA query_only = OFF');
      if (this.#file.inTransaction) this.#file.run('ROLLBACK');
    }
  }

  /** Appends an entry to the audit log, in the current transaction. The caller has validated it. */
  audit(entry: AuditEntry): void {
    const head = this.#auditHead.get() ?? { id: 0n, hash: GENESIS };
    const { id, atMs, actor, action, subject, detail, hash } = auditAfter(head, entry);
    this.#insertAudit.run(id, atMs, actor, action, subject, detail, hash);
  }

  /** Moves the write-ahead log into the file, which then does not change until `thaw`. */
  freeze(): void {
    const [log] = this.query(statement`PRAGMA wal_checkpoint(TRUNCATE)`);
    if (log?.['busy'] !== 0n)
      throw new Error('the write-ahead log could not be moved into the file');
    this.#file.run('PRAGMA wal_autocheckpoint = 0');
  }

  thaw(): void {
    this.#file.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
  }

  close(): void {
    this.#file.close();
    rmSync(this.#ownerPath, { force: true });
  }
}

/**
 * Creates the file, or changes the mode of an existing one, so that other users of the machine
 * cannot read it. SQLite gives its log the mode of the file.
 */
export function keepPrivate(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Does not open an existing file, because closing it would release this process's lock on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', PRIVATE));
  for (const each of [path, `${path}-wal`, `${path}-shm`]) {
    if (existsSync(each)) chmodSync(each, PRIVATE);
  }
}

/** Read and write for the owner only. */
const PRIVATE = 0o600;

/**
 * Locks the database for this process. The kernel's lock also prevents this process from opening
 * the database twice. The lock ends with the process, so it is never stale. The pid file is only
 * for the error message.
 */
export function own(file: SqliteFile, path: string, ownerPath: string): void {
  try {
    file.run(`PRAGMA busy_timeout = ${LOCK_WAIT_MS}`);
    file.run('PRAGMA locking_mode = EXCLUSIVE');
    file.run('PRAGMA journal_mode = WAL');
    // Every commit is flushed to disk, so an acknowledged charge survives a power failure.
    file.run('PRAGMA synchronous = FULL');
    file.run('PRAGMA foreign_keys = ON');
    file.run(`PRAGMA cache_size = -${CACHE_KIB}`);
    file.run(`PRAGMA wal_autocheckpoint = ${LOG_PAGES}`);
    file.run(`PRAGMA journal_size_limit = ${LOG_BYTES}`);
    // The first write takes the exclusive lock, which is held until the file is closed.
    file.run('BEGIN IMMEDIATE');
    file.run('COMMIT');
  } catch (thrown) {
    if (!(thrown instanceof SQLiteError) || !thrown.code?.startsWith('SQLITE_BUSY')) throw thrown;
    const pid = pidIn(ownerPath);
    throw new DataFolderInUse(
      `The data folder ${dirname(resolve(path))} is in use by another modelgate process` +
        `${pid === null ? '' : ` (pid ${pid})`}. Stop that process, or start this one with another data folder.`,
      { cause: thrown },
    );
  }
  writeFileSync(ownerPath, `${process.pid}\n`, { mode: PRIVATE });
}

function pidIn(path: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(path, 'utf8'), 10);
    return Number.isSafeInteger(pid) ? pid : null;
  } catch {
    // The process that holds the lock may not have written its pid file yet. The message then has
    // no pid.
    return null;
  }
}

/** Returns a message about a failure. For a full disk or a damaged file, it includes the remedy. */
export function describeFailure(path: string, thrown: unknown): string {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  const file = resolve(path);
  const code = sqliteCodeOf(thrown);
  if (FULL.test(code)) {
    return (
      `${message}. The disk of ${dirname(file)} is full, or a quota or limit of file sizes is ` +
      'reached. Free some space there. A running gateway then continues by itself; a stopped one ' +
      'must be started.'
    );
  }
  if (!DAMAGED.test(code)) return message;
  return (
    `The database ${file} is damaged (${message}). Stop the gateway, then run \`modelgate restore\` ` +
    `with the newest file of ${join(dirname(file), 'backups')}. The damaged file is kept. ` +
    'Everything after that backup is lost.'
  );
}

const DAMAGED = /^SQLITE_(?:CORRUPT|NOTADB)/;
/** SQLite's codes for a full disk. An exceeded quota or file size is reported as a write error. */
const FULL = /^SQLITE_(?:FULL|IOERR_WRITE)/;

export const isDamaged = (thrown: unknown): boolean => DAMAGED.test(sqliteCodeOf(thrown));

/** Returns SQLite's code of an error or of its cause; empty if it has none. */
function sqliteCodeOf(thrown: unknown): string {
  if (thrown instanceof SQLiteError) return thrown.code ?? '';
  return thrown instanceof Error && thrown.cause !== undefined ? sqliteCodeOf(thrown.cause) : '';
}

/**
 * Whether an error was caused by the disk or the file (full, read-only or damaged) and not by the
 * statement.
 */
export function isStoreFailure(thrown: unknown): boolean {
  if (!(thrown instanceof SQLiteError)) return false;
  const code = thrown.code ?? '';
  const isStatements = /^SQLITE_(?:CONSTRAINT|ERROR|MISMATCH|RANGE|TOOBIG)/.test(code);
  return !isStatements;
}
