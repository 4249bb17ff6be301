/** Checks a copy of a SQLite database, and replaces an unused database with it. */
import { Database as SqliteFile, constants as sqlite } from 'bun:sqlite';
import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MIGRATIONS, stepsAfter } from '../migrations.ts';
import type { SqlRow } from '../sql.ts';
import { schemaOf } from './sqlite-migrate.ts';
import { isDamaged, keepPrivate, own } from './store-file.ts';

const HEADER_BYTES = 100;
const MAGIC = 'SQLite format 3\0';
const LARGEST_PAGE = 65_536;

/**
 * Checks that the file is a complete copy that this version can open.
 * @throws Error with a message for the operator if it is not.
 */
export function examineCopy(path: string): void {
  if (!existsSync(path)) throw new Error(`There is no file ${path}.`);
  checkHeader(path);
  const file = openUnchanged(path);
  try {
    const [answer] = file.query<{ integrity_check: string }, []>('PRAGMA integrity_check(1)').all();
    if (answer?.integrity_check !== 'ok')
      throw cut(path, answer?.integrity_check ?? 'the integrity check returned nothing');
    const tables = file
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE name IN ('schema_migration', 'wallet', 'audit')",
      )
      .all();
    if (tables.length !== 3) {
      throw new Error(`${path} is a SQLite database, but not a database of Modelgate.`);
    }
    stepsAfter(schemaOf(file), MIGRATIONS, 'backup');
  } catch (thrown) {
    if (isDamaged(thrown)) throw cut(path, thrown instanceof Error ? thrown.message : 'damaged');
    throw thrown;
  } finally {
    file.close();
  }
}

/**
 * Opens a file that no process writes. SQLite also reads the write-ahead log beside the file, if
 * there is one.
 */
function openUnchanged(path: string): SqliteFile {
  if (existsSync(`${path}-wal`))
    return new SqliteFile(path, { readonly: true, safeIntegers: true });
  // Without `immutable`, SQLite would create an empty write-ahead log beside the file and leave it
  // there.
  return new SqliteFile(
    `${pathToFileURL(path).href}?immutable=1`,
    sqlite.SQLITE_OPEN_READONLY | sqlite.SQLITE_OPEN_URI,
  );
}

/** Compares the size of the file with the number of pages that its header states. */
function checkHeader(path: string): void {
  const header = Buffer.alloc(HEADER_BYTES);
  const handle = openSync(path, 'r');
  try {
    readSync(handle, header, 0, HEADER_BYTES, 0);
  } finally {
    closeSync(handle);
  }
  const { size } = statSync(path);
  if (header.toString('latin1', 0, MAGIC.length) !== MAGIC) {
    throw new Error(`${path} is not a backup of Modelgate: it is not a SQLite database.`);
  }
  // If the file has a write-ahead log beside it, the newest pages may be in the log.
  if (existsSync(`${path}-wal`)) return;
  const pageBytes = header.readUInt16BE(16);
  const stated = (pageBytes === 1 ? LARGEST_PAGE : pageBytes) * header.readUInt32BE(28);
  if (size < stated) throw cut(path, `it has only ${size} of ${stated} bytes`);
}

const cut = (path: string, why: string): Error =>
  new Error(`${path} is incomplete or damaged: ${why}. Use another backup.`);

export type LockedDatabase = {
  /** Runs one query; null if the database is missing, damaged, or too old for the query. */
  readonly ask: (sql: string) => SqlRow | null;
  /** Replaces the database with the file `staged`, and keeps the old database as `keptAs`. */
  readonly replaceBy: (staged: string, keptAs: string) => void;
  readonly release: () => void;
};

/**
 * Locks the database at `path`, which may be missing or damaged.
 * @throws DataFolderInUse when a process has it open.
 */
export function lockForReplacement(path: string): LockedDatabase {
  const file = existsSync(path) ? openAlone(path) : null;
  return {
    ask: (sql) => {
      try {
        return file?.query<SqlRow, []>(sql).get() ?? null;
      } catch {
        // The failure is ignored: the answer is only shown in a message, and the operator may be
        // replacing the database because it is damaged.
        return null;
      }
    },
    replaceBy: (staged, keptAs) => {
      for (const end of ['-wal', '-shm', '-journal']) {
        // SQLite would apply the old database's write-ahead log to the new one, so the log is moved
        // too.
        if (existsSync(`${path}${end}`)) moveBeside(`${path}${end}`, `${keptAs}${end}`);
      }
      if (existsSync(path)) {
        keepAs(path, keptAs);
        renameSync(staged, path);
      } else {
        // This call fails, unlike a rename, if a process has created the database meanwhile.
        keepAs(staged, path);
        rmSync(staged);
      }
      flush(dirname(path));
    },
    release: () => {
      file?.close();
      rmSync(`${path}.pid`, { force: true });
    },
  };
}

/**
 * Returns the locked database, with its write-ahead log merged into it; null when it is damaged.
 */
function openAlone(path: string): SqliteFile | null {
  keepPrivate(path);
  const file = new SqliteFile(path, { readwrite: true, create: false, safeIntegers: true });
  try {
    own(file, path, `${path}.pid`);
    file.run('PRAGMA wal_checkpoint(TRUNCATE)');
    // Deletes the write-ahead log of the old database. If it stayed, closing this file later could
    // delete the log of the database that replaces it. The lock stays.
    file.run('PRAGMA journal_mode = DELETE');
    file.run('BEGIN IMMEDIATE');
    file.run('COMMIT');
    return file;
  } catch (thrown) {
    file.close();
    if (isDamaged(thrown)) return null;
    throw thrown;
  }
}

function moveBeside(path: string, keptAs: string): void {
  keepAs(path, keptAs);
  rmSync(path);
}

/**
 * Gives the old file a second name, so that the old or the new file exists at every moment. Copies
 * it if the file system has no hard links.
 */
function keepAs(path: string, keptAs: string): void {
  try {
    linkSync(path, keptAs);
  } catch (thrown) {
    if (!(thrown instanceof Error && 'code' in thrown && NO_LINKS.test(String(thrown.code))))
      throw thrown;
    copyFileSync(path, keptAs, constants.COPYFILE_EXCL);
    flush(keptAs);
  }
}

/** Error codes of file systems without hard links. */
const NO_LINKS = /^(?:EPERM|ENOTSUP|EOPNOTSUPP|ENOSYS|EMLINK)$/;

export function flush(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
