/**
 * The command `restore`: verifies a backup, then replaces the SQLite ledger with it or copies it to
 * an empty PostgreSQL database.
 */
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { BESIDE } from '../../backups/payload.ts';
import { type Config, loadStart } from '../../config/config.ts';
import { environmentSecret } from '../../config/environment.ts';
import { openSqlite } from '../../ledger/sqlite/open-sqlite.ts';
import { requireSqliteFolder } from '../../store/installation.ts';
import { isPostgresCopy } from '../../store/postgres/postgres-copy.ts';
import {
  examineCopy,
  flush,
  type LockedDatabase,
  lockForReplacement,
} from '../../store/sqlite/sqlite-replace.ts';
import { keepPrivate } from '../../store/sqlite/store-file.ts';
import { databaseFile } from '../store-setup.ts';
import { KEY_FILES } from './backups-setup.ts';
import { type FetchedBackup, fetchBackup, STAGED } from './fetched-backup.ts';
import { restoreToPostgres } from './restore-to-postgres.ts';
import { restoreKeys } from './restored-keys.ts';
import {
  AS_IT_WAS,
  type Facts,
  factsOf,
  factsQuery,
  missingKeys,
  type RestoreDeps,
  soundness,
  timeOf,
  verifyRestored,
} from './restored-ledger.ts';

type Restore = {
  readonly configPath: string | null;
  readonly file: string;
  /** The data folder or database to restore to; null for the configured one. */
  readonly to: string | null;
  /** A file with the keys of an encrypted backup; null to use the keys from the settings. */
  readonly keyFile: string | null;
};

const REPLACED = 'replaced-';

/**
 * Restores a backup. Returns the exit code.
 * @throws Error with the reason why nothing was changed.
 */
export async function restore(given: Restore, deps: RestoreDeps): Promise<number> {
  const { configPath, to, keyFile } = given;
  const config = loadStart({ path: configPath });
  const folder = to === null || mayBeAddress(to) ? config.data_dir : to;
  const fetched = await fetchBackup({ named: given.file, config, keyFile, folder }, deps.clock);
  try {
    return await restoreFetched({ fetched, config, to }, deps);
  } finally {
    fetched.remove();
  }
}

const ADDRESS = /^postgres(?:ql)?:/i;
const VARIABLE = /^[A-Z][A-Z0-9_]*$/;

/** Whether `to` is a PostgreSQL URL, or the name of a variable that may contain one. */
const mayBeAddress = (to: string): boolean => ADDRESS.test(to) || VARIABLE.test(to);

/** Whether `to` is a PostgreSQL URL, or the name of a variable that contains one. */
const isAddress = (to: string): boolean =>
  ADDRESS.test(VARIABLE.test(to) ? (environmentSecret(to)?.reveal() ?? '') : to);

type Fetched = {
  readonly fetched: FetchedBackup;
  readonly config: Config;
  readonly to: string | null;
};

async function restoreFetched({ fetched, config, to }: Fetched, deps: RestoreDeps) {
  const { file } = fetched;
  if (isPostgresCopy(file)) return await restoreToPostgres({ fetched, to, config }, deps);
  const isForPostgres = to === null ? config.database !== 'sqlite' : isAddress(to);
  if (isForPostgres) {
    // The message does not contain `to`, which may contain a password.
    const what = to === null ? 'the configuration names' : '--to is';
    throw new Error(
      `${fetched.name} is a backup of a SQLite ledger, but ${what} a PostgreSQL database. Restore ` +
        'it into a data folder with --to, then move it with `modelgate migrate --to`.',
    );
  }
  const folder = to ?? config.data_dir;
  requireSqliteFolder(folder);
  examineCopy(file);
  const target = databaseFile({ data_dir: folder });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const locked = lockForReplacement(target);
  try {
    sweep(folder, file);
    return await replace({ fetched, target, folder, locked, config }, deps);
  } finally {
    locked.release();
  }
}

type Replacement = {
  readonly fetched: FetchedBackup;
  readonly target: string;
  readonly folder: string;
  readonly locked: LockedDatabase;
  readonly config: Config;
};

async function replace(given: Replacement, { clock, print }: RestoreDeps): Promise<number> {
  const { fetched, target, folder, locked, config } = given;
  const { file, name } = fetched;
  const stamp = new Date(clock.nowMs()).toISOString().replaceAll(/[-:.]/g, '');
  const staged = `${target}${STAGED}${stamp}`;
  try {
    keepPrivate(staged);
    copyFileSync(file, staged);
    // The backup may be a database file from the data folder of a killed gateway. Its newest
    // commits are then still in the write-ahead log.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${staged}-wal`);
    const facts = await verified(staged, name, { clock, print });
    if (facts === null) {
      print('Nothing was replaced.\n');
      return 1;
    }
    const old = locked.ask(factsQuery('sqlite'));
    const replaced = old === null ? null : factsOf(old);
    refuseOther(name, folder, facts, replaced);
    giveToOwner(folder, staged);
    flush(staged);
    const keptAs = join(folder, `modelgate-${REPLACED}${stamp}.db`);
    const isReplacing = existsSync(target);
    locked.replaceBy(staged, keptAs);
    print(reportOf({ file: name, target, facts, replaced, keptAs: isReplacing ? keptAs : null }));
    print(restoreKeys(folder, fetched.keyFiles));
    for (const key of KEY_FILES)
      giveToOwner(folder, join(folder, key), join(folder, `${key}${BESIDE}`));
    print(missingKeys(config, folder, facts));
    return 0;
  } finally {
    for (const end of ['', '-wal', '-shm', '.pid']) rmSync(`${staged}${end}`, { force: true });
  }
}

/**
 * Opens and verifies the copy of the backup. Opening it migrates its schema. If invariants are
 * violated, prints them and returns null.
 */
async function verified(staged: string, file: string, deps: RestoreDeps): Promise<Facts | null> {
  const database = await openSqlite({ file: staged, clock: deps.clock });
  try {
    return await verifyRestored(database, file, deps);
  } finally {
    await database.close();
  }
}

/**
 * Checks that the backup does not replace another installation's database.
 * @throws Error with a message for the operator if it would.
 */
function refuseOther(file: string, folder: string, facts: Facts, replaced: Facts | null): void {
  const origin = replaced?.origin ?? null;
  if (origin === null || origin === facts.origin) return;
  throw new Error(
    `${file} is a backup of another installation than the database in ${resolve(folder)}. Nothing was ` +
      'replaced. Give an empty folder with --to.',
  );
}

type Report = {
  readonly file: string;
  readonly target: string;
  readonly facts: Facts;
  readonly replaced: Facts | null;
  readonly keptAs: string | null;
};

function reportOf({ file, target, facts, replaced, keptAs }: Report): string {
  const lines = [
    `Restored ${file} as ${resolve(target)}. ${soundness(facts)}`,
    `Lost at most: everything after ${timeOf(facts.untilMs)}.`,
  ];
  if (keptAs !== null) {
    const kept = replaced === null ? 'It could not be read.' : lostFrom(replaced, facts);
    lines.push(`The replaced database is kept as ${keptAs}. ${kept}`);
  }
  lines.push(AS_IT_WAS);
  return `${lines.join('\n')}\n`;
}

function lostFrom(replaced: Facts, facts: Facts): string {
  const lost = replaced.receipts - facts.receipts;
  if (lost <= 0n || replaced.lastReceiptMs === null) return 'It has no newer receipts.';
  const newest = `the newest from ${timeOf(replaced.lastReceiptMs)}`;
  return `It has ${lost} more ${lost === 1n ? 'receipt' : 'receipts'}, ${newest}.`;
}

/**
 * Gives the files, which may be missing, to the owner of their folder if this process is root. The
 * gateway runs as that owner and could not open files of root.
 */
function giveToOwner(folder: string, ...paths: readonly string[]): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  for (const path of paths) if (existsSync(path)) chownSync(path, uid, gid);
}

/** Deletes the temporary files of killed restores, except the folder with the fetched backup. */
function sweep(folder: string, fetched: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (!name.includes(STAGED) || dirname(fetched) === path) continue;
    rmSync(path, { recursive: true, force: true });
  }
}
