/** The command `restore`: verifies a backup, and puts it in the place of the SQLite database. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Clock } from '../../clock.ts';
import { type Config, loadStart } from '../../config/config.ts';
import type { Database } from '../../ledger/database.ts';
import { openSqlite } from '../../ledger/sqlite/open-sqlite.ts';
import { integer, numberOrNull, textOrNull } from '../../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../../store/sql.ts';
import {
  examineCopy,
  flush,
  type LockedDatabase,
  lockForReplacement,
} from '../../store/sqlite/sqlite-replace.ts';
import { keepPrivate } from '../../store/sqlite/store-file.ts';
import { CONSOLE_KEY_FILE, SECRETS_KEY_FILE } from '../secrets.ts';
import { databaseFile } from '../store-setup.ts';

type Restore = {
  readonly configPath: string | null;
  readonly file: string;
  /** The data folder; null for that of the configuration. */
  readonly to: string | null;
};

export type RestoreDeps = {
  readonly clock: Clock;
  readonly print: (text: string) => void;
};

/** What a database holds, to state what a restore loses. */
type Facts = {
  /** The hash of the first audit entry, which no two installations share; null without entries. */
  readonly origin: string | null;
  readonly receipts: bigint;
  readonly lastReceiptMs: number | null;
  /** The time of the newest entry or receipt, which the backup holds at least until. */
  readonly untilMs: number;
  readonly secrets: bigint;
};

const FACTS = `SELECT
  (SELECT HEX(hash) FROM audit WHERE id = 1) AS origin,
  (SELECT COUNT(*) FROM receipt) AS receipts,
  (SELECT MAX(settled_at_ms) FROM receipt) AS last_receipt,
  (SELECT MAX(at_ms) FROM audit) AS last_entry,
  (SELECT COUNT(*) FROM secret) AS secrets`;

/** The file name part of a database that a restore prepares, which a killed one leaves. */
const STAGED = '.restoring-';
const REPLACED = 'replaced-';

/** Returns the exit code. @throws Error with the reason why nothing was changed. */
export async function restore(
  { configPath, file, to }: Restore,
  deps: RestoreDeps,
): Promise<number> {
  const config = loadStart({ path: configPath });
  if (to === null && config.database !== 'sqlite') {
    throw new Error(
      'The ledger is in PostgreSQL. Restore it with a PostgreSQL tool such as pg_restore, or give ' +
        'a data folder with --to.',
    );
  }
  examineCopy(file);
  const folder = to ?? config.data_dir;
  const target = databaseFile({ data_dir: folder });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const locked = lockForReplacement(target);
  try {
    sweep(folder);
    return await replace({ file, target, folder, locked, config }, deps);
  } finally {
    locked.release();
  }
}

type Replacement = {
  readonly file: string;
  readonly target: string;
  readonly folder: string;
  readonly locked: LockedDatabase;
  readonly config: Config;
};

async function replace(given: Replacement, { clock, print }: RestoreDeps): Promise<number> {
  const { file, target, folder, locked, config } = given;
  const stamp = new Date(clock.nowMs()).toISOString().replaceAll(/[-:.]/g, '');
  const staged = `${target}${STAGED}${stamp}`;
  try {
    keepPrivate(staged);
    copyFileSync(file, staged);
    // A copy of a data folder whose gateway was killed has its newest commits in the log.
    if (existsSync(`${file}-wal`)) copyFileSync(`${file}-wal`, `${staged}-wal`);
    const facts = await verified(staged, file, { clock, print });
    if (facts === null) return 1;
    const old = locked.ask(FACTS);
    const replaced = old === null ? null : factsOf(old);
    refuseOther(file, folder, facts, replaced);
    flush(staged);
    const keptAs = join(folder, `modelgate-${REPLACED}${stamp}.db`);
    const isReplacing = existsSync(target);
    locked.replaceBy(staged, keptAs);
    print(reportOf({ file, target, facts, replaced, keptAs: isReplacing ? keptAs : null }));
    print(missingKeys(config, folder, facts));
    return 0;
  } finally {
    for (const end of ['', '-wal', '-shm', '.pid']) rmSync(`${staged}${end}`, { force: true });
  }
}

/** Opens the copy, which updates its schema. Returns null after it printed what is broken. */
async function verified(
  staged: string,
  file: string,
  { clock, print }: RestoreDeps,
): Promise<Facts | null> {
  const database: Database = await openSqlite({ file: staged, clock });
  try {
    const breaches = await database.ledger.verify();
    for (const { invariant, subject, detail } of breaches) {
      print(`broken: ${invariant}: ${subject}: ${detail}\n`);
    }
    if (breaches.length > 0) {
      print(`The ledger in ${file} is not sound. Nothing was replaced.\n`);
      return null;
    }
    const facts = factsOf(await factRow(database.sql));
    await database.sql.transaction([statement`SELECT 1 AS audited`], {
      ...{ atMs: clock.nowMs(), actor: 'system', action: 'backup.restore' },
      ...{ subject: basename(file), detail: {} },
    });
    return facts;
  } finally {
    await database.close();
  }
}

async function factRow(sql: SqlExecutor): Promise<SqlRow> {
  const [row] = await sql.query({ sql: FACTS, params: [] });
  if (row === undefined) throw new Error('the backup did not answer');
  return row;
}

function factsOf(row: SqlRow): Facts {
  const lastReceiptMs = numberOrNull(row, 'last_receipt');
  const lastEntryMs = numberOrNull(row, 'last_entry');
  return {
    origin: textOrNull(row, 'origin'),
    receipts: integer(row, 'receipts'),
    lastReceiptMs,
    untilMs: Math.max(lastReceiptMs ?? 0, lastEntryMs ?? 0),
    secrets: integer(row, 'secrets'),
  };
}

/** @throws Error if the database to replace belongs to another installation than the backup. */
function refuseOther(file: string, folder: string, facts: Facts, replaced: Facts | null): void {
  const origin = replaced?.origin ?? null;
  if (origin === null || origin === facts.origin) return;
  throw new Error(
    `${file} is of another installation than the database in ${resolve(folder)}. Nothing was ` +
      'replaced. Give an empty folder with --to.',
  );
}

const timeOf = (ms: number): string => new Date(ms).toISOString();

type Report = {
  readonly file: string;
  readonly target: string;
  readonly facts: Facts;
  readonly replaced: Facts | null;
  readonly keptAs: string | null;
};

function reportOf({ file, target, facts, replaced, keptAs }: Report): string {
  const { receipts, lastReceiptMs, untilMs } = facts;
  const last = lastReceiptMs === null ? '' : `, the newest of ${timeOf(lastReceiptMs)}`;
  const lines = [
    `Restored ${file} as ${resolve(target)}. The ledger is sound: ${receipts} receipts${last}.`,
    `Lost at most: everything after ${timeOf(untilMs)}.`,
  ];
  if (keptAs !== null) {
    const kept = replaced === null ? 'It could not be read.' : lostFrom(replaced, facts);
    lines.push(`The replaced database is kept as ${keptAs}. ${kept}`);
  }
  lines.push(
    'API keys, sessions and prices that were changed since are as they were at that time.',
  );
  return `${lines.join('\n')}\n`;
}

function lostFrom(replaced: Facts, facts: Facts): string {
  const lost = replaced.receipts - facts.receipts;
  if (lost <= 0n || replaced.lastReceiptMs === null) return 'It has no newer receipts.';
  const newest = `the newest of ${timeOf(replaced.lastReceiptMs)}`;
  return `It has ${lost} more ${lost === 1n ? 'receipt' : 'receipts'}, ${newest}.`;
}

/** Names the files that a backup of the database does not hold, and that the folder lacks. */
function missingKeys(
  { console: { secret }, secrets }: Config,
  folder: string,
  facts: Facts,
): string {
  const isMissing = (name: string): boolean => !existsSync(join(folder, name));
  const lines: string[] = [];
  const hasOwnKey =
    secrets.key !== null || secrets.key_file !== null || secrets.key_command !== null;
  if (!hasOwnKey && facts.secrets > 0n && isMissing(SECRETS_KEY_FILE)) {
    lines.push(
      `${SECRETS_KEY_FILE} is missing, without which ${facts.secrets} stored secrets cannot be ` +
        'decrypted. Copy it from where you keep it, before the start.',
    );
  }
  if (secret === null && isMissing(CONSOLE_KEY_FILE)) {
    lines.push(`${CONSOLE_KEY_FILE} is missing: a new one is made, and everybody signs in again.`);
  }
  return lines.map((line) => `${line}\n`).join('');
}

/** Deletes what killed restores left. */
function sweep(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (name.includes(STAGED)) rmSync(join(folder, name), { force: true });
  }
}
