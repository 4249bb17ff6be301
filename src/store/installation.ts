/**
 * Keeps a data folder from being used with another installation's database. The folder contains the
 * installation's pending settlements, the keys of its secrets, and its images.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOrNull } from './row.ts';
import { type SqlExecutor, statement } from './sql.ts';

export const INSTALLATION_FILE = 'installation';
/** Read and write for the owner only. */
const PRIVATE = 0o600;
/** The number of characters of a hash that messages show: enough to compare two hashes by eye. */
const SHOWN_CHARS = 12;

/**
 * Checks that the data folder was last used with this PostgreSQL database. If the folder has no id
 * yet, stores the database's id in it. A new database has no id until its first start has ended.
 * @throws Error with a message for the operator when the folder belongs to another installation.
 */
export async function requireSameInstallation(sql: SqlExecutor, dataDir: string): Promise<void> {
  // An installation's id is the hash of its first audit entry. Copies of a database have the same
  // id.
  const [row] = await sql.query(
    statement`SELECT ENCODE(hash, 'hex') AS name FROM audit WHERE id = 1`,
  );
  const name = row === undefined ? null : textOrNull(row, 'name');
  const path = join(dataDir, INSTALLATION_FILE);
  const noted = notedIn(path);
  if (noted === name) return;
  if (noted !== null) {
    const other = name === null ? 'a new database' : `installation ${shown(name)}`;
    throw new Error(
      `The data folder ${dataDir} belongs to installation ${shown(noted)}, but the database is ` +
        `${other}. Nothing was changed. Correct the setting \`database\`, or use an empty data ` +
        `folder. If this folder should belong to this database from now on, delete ${path}: ` +
        'settlements of the other installation that wait in its spool.db are then refused.',
    );
  }
  if (name === null) return;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(path, `${name}\n`, { mode: PRIVATE });
}

/**
 * Checks that the data folder was not last used with a PostgreSQL database. A SQLite file there is
 * from before the move to PostgreSQL, so its money would be sold twice.
 * @throws Error with a message for the operator.
 */
export function requireSqliteFolder(dataDir: string): void {
  const path = join(dataDir, INSTALLATION_FILE);
  const noted = notedIn(path);
  if (noted === null) return;
  throw new Error(
    `The data folder ${dataDir} belongs to installation ${shown(noted)} in PostgreSQL, not to a ` +
      'ledger in SQLite. Nothing was changed. Set `database` or MODELGATE_DATABASE to ' +
      'the address of PostgreSQL, or use an empty data folder. If this folder should belong to ' +
      `SQLite from now on, delete ${path}: a ledger from before a move to PostgreSQL does not ` +
      'know what was sold since.',
  );
}

/** Returns the id in the file; null without a file, or if a full disk left the file empty. */
const notedIn = (path: string): string | null =>
  (existsSync(path) && readFileSync(path, 'utf8').trim()) || null;

const shown = (name: string): string => name.slice(0, SHOWN_CHARS);
