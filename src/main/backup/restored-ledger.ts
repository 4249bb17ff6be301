/**
 * Verifies a restored ledger. Reports its content, and the key files that are missing from the data
 * folder.
 */
import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Clock } from '../../clock.ts';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../ledger/database.ts';
import { integer, numberOrNull, textOrNull } from '../../store/row.ts';
import { type SqlRow, statement } from '../../store/sql.ts';
import { CONSOLE_KEY_FILE, SECRETS_KEY_FILE } from '../secrets.ts';

export type RestoreDeps = {
  readonly clock: Clock;
  readonly print: (text: string) => void;
};

/**
 * Facts about a database. A restore compares the facts of the backup with those of the database
 * that it replaces.
 */
export type Facts = {
  /** The hash of the first audit entry, unique to an installation; null without entries. */
  readonly origin: string | null;
  readonly receipts: bigint;
  readonly lastReceiptMs: number | null;
  /** The time of the newest audit entry or receipt. The backup was made at this time or later. */
  readonly untilMs: number;
  readonly secrets: bigint;
};

const ORIGINS = { sqlite: 'HEX(hash)', postgres: "ENCODE(hash, 'hex')" } as const;

export const factsQuery = (engine: Database['engine']): string => `SELECT
  (SELECT ${ORIGINS[engine]} FROM audit WHERE id = 1) AS origin,
  (SELECT COUNT(*) FROM receipt) AS receipts,
  (SELECT MAX(settled_at_ms) FROM receipt) AS last_receipt,
  (SELECT MAX(at_ms) FROM audit) AS last_entry,
  (SELECT COUNT(*) FROM secret) AS secrets`;

/**
 * Verifies the ledger, then records the restore in the audit log. The returned facts do not include
 * that audit entry. If invariants are violated, prints them and returns null.
 */
export async function verifyRestored(
  { ledger, sql, engine }: Database,
  file: string,
  { clock, print }: RestoreDeps,
): Promise<Facts | null> {
  const breaches = await ledger.verify();
  for (const { invariant, subject, detail } of breaches) {
    print(`broken: ${invariant}: ${subject}: ${detail}\n`);
  }
  if (breaches.length > 0) {
    print(`The ledger in ${file} is not sound.\n`);
    return null;
  }
  const [row] = await sql.query({ sql: factsQuery(engine), params: [] });
  if (row === undefined) throw new Error('the query of the backup returned no row');
  await sql.transaction([statement`SELECT 1 AS audited`], {
    ...{ atMs: clock.nowMs(), actor: 'system', action: 'backup.restore' },
    ...{ subject: basename(file), detail: {} },
  });
  return factsOf(row);
}

export function factsOf(row: SqlRow): Facts {
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

const receiptsOf = (count: bigint): string => `${count} ${count === 1n ? 'receipt' : 'receipts'}`;

/** Describes the content of a verified ledger in a sentence. */
export function soundness({ receipts, lastReceiptMs }: Facts): string {
  const last = lastReceiptMs === null ? '' : `, the newest from ${timeOf(lastReceiptMs)}`;
  return `The ledger is sound: ${receiptsOf(receipts)}${last}.`;
}

export const timeOf = (ms: number): string => new Date(ms).toISOString();

export const AS_IT_WAS =
  'API keys, sessions and prices are again as they were at that time: later changes are lost.';

/**
 * Returns a line for each missing key file that the gateway needs, unless a setting replaces it.
 */
export function missingKeys(
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
        `decrypted. Copy it from where you keep it into ${folder}, before you start the gateway.`,
    );
  }
  if (secret === null && isMissing(CONSOLE_KEY_FILE)) {
    lines.push(
      `${CONSOLE_KEY_FILE} is missing. The gateway creates a new one, and everybody must sign in again.`,
    );
  }
  return lines.map((line) => `${line}\n`).join('');
}
