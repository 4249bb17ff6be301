/** The SQL of redeem codes. Each statement is correct under any race. */

import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { currencyOf, integer, millisOrNull, text } from '../store/row.ts';
import { raw, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';

export type BatchRecord = {
  readonly id: string;
  readonly currency: Currency;
  /** The amount of one code. */
  readonly amount: NanoAmount;
  readonly count: number;
  readonly reason: string;
  readonly createdAtMs: number;
  /** Null: never. */
  readonly expiresAtMs: number | null;
  readonly cancelledAtMs: number | null;
  readonly used: number;
  readonly cancelled: number;
};

/** Codes per statement, because stores limit the number of placeholders. */
const CODES_A_STATEMENT = 500;

export const insertBatch = (batch: BatchRecord): SqlStatement => statement`INSERT INTO redeem_batch
  (id, currency, amount, codes, reason, created_at_ms, expires_at_ms) VALUES (${batch.id},
  ${batch.currency}, ${batch.amount}, ${batch.count}, ${batch.reason}, ${batch.createdAtMs},
  ${batch.expiresAtMs}) RETURNING id`;

export function insertCodes(
  batchId: string,
  hashes: readonly Uint8Array[],
): readonly SqlStatement[] {
  const statements: SqlStatement[] = [];
  for (let at = 0; at < hashes.length; at += CODES_A_STATEMENT) {
    const some = hashes.slice(at, at + CODES_A_STATEMENT);
    const values = some.map((_, index) => `($1, $${index + 2})`).join(', ');
    const sql = `INSERT INTO redeem_code (batch_id, hash) VALUES ${values}`;
    statements.push({ sql, params: [batchId, ...some] });
  }
  return statements;
}

const BATCH = `SELECT redeem_batch.*,
    (SELECT COUNT(*) FROM redeem_code WHERE batch_id = redeem_batch.id AND state = 'claimed') AS used,
    (SELECT COUNT(*) FROM redeem_code WHERE batch_id = redeem_batch.id AND state = 'cancelled') AS cancelled
  FROM redeem_batch`;

export const batchById = (id: string): SqlStatement => statement`${raw(BATCH)} WHERE id = ${id}`;

export const batchesAfter = (after: string, rows: number): SqlStatement =>
  statement`${raw(BATCH)} WHERE id > ${after} ORDER BY id LIMIT ${rows}`;

/**
 * Whether a code is still open is decided by its own row, by whichever of a cancellation and a
 * claim comes first. Returns the batch when there was one to cancel.
 */
export const cancelBatch = (id: string, nowMs: number): readonly SqlStatement[] => [
  statement`UPDATE redeem_batch SET cancelled_at_ms = ${nowMs} WHERE id = ${id}
    AND cancelled_at_ms IS NULL RETURNING id`,
  statement`UPDATE redeem_code SET state = 'cancelled' WHERE batch_id = ${id} AND state = 'open'`,
];

export const claimCode = (claim: {
  readonly hash: Uint8Array;
  readonly accountId: string;
  readonly actor: string;
  readonly nowMs: number;
}): SqlStatement => statement`UPDATE redeem_code SET state = 'claimed',
  account_id = ${claim.accountId}, actor = ${claim.actor}, claimed_at_ms = ${claim.nowMs}
  WHERE hash = ${claim.hash} AND state = 'open' AND EXISTS (SELECT 1 FROM redeem_batch
  WHERE redeem_batch.id = redeem_code.batch_id AND (redeem_batch.expires_at_ms IS NULL
  OR redeem_batch.expires_at_ms > ${claim.nowMs})) RETURNING batch_id`;

/** The code's row, with its batch. */
export const standingCode = (hash: Uint8Array): SqlStatement => statement`SELECT redeem_batch.*,
  redeem_code.state, redeem_code.account_id, redeem_code.actor FROM redeem_code JOIN redeem_batch
  ON redeem_batch.id = redeem_code.batch_id WHERE redeem_code.hash = ${hash}`;

export const batchOf = (row: SqlRow): BatchRecord => ({
  id: text(row, 'id'),
  currency: currencyOf(row),
  amount: nano(integer(row, 'amount')),
  count: Number(integer(row, 'codes')),
  reason: text(row, 'reason'),
  createdAtMs: Number(integer(row, 'created_at_ms')),
  expiresAtMs: millisOrNull(row, 'expires_at_ms'),
  cancelledAtMs: millisOrNull(row, 'cancelled_at_ms'),
  used: Number(row['used'] ?? 0),
  cancelled: Number(row['cancelled'] ?? 0),
});
