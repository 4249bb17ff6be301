/**
 * The SQL of Idempotency-Keys. Every statement runs on both engines and is correct under any race:
 * one guarded insert claims a key.
 */
import { andEquals, raw, type SqlStatement, statement } from '../store/sql.ts';

/** A claim to insert. */
export type ClaimRow = {
  readonly ownerId: string;
  readonly operation: string;
  readonly keyHash: Uint8Array;
  readonly claimId: string;
  readonly meaning: Uint8Array;
  readonly requestId: string;
  readonly epoch: string;
  readonly leaseUntilMs: number;
  readonly nowMs: number;
  readonly expiresAtMs: number;
};

/** The operation of changes by people and administrators, which write no receipt. */
export const CHANGE = 'console';

/**
 * Money was charged for the request. The ledger does not record changes, so those count as done.
 */
const IS_DONE = raw(`(idempotency.operation = '${CHANGE}' OR EXISTS (SELECT 1 FROM receipt
    WHERE receipt.request_id = idempotency.request_id AND receipt.charge > 0))`);
/** Money is held for it. */
const IS_HELD = raw(`EXISTS (SELECT 1 FROM hold
    WHERE hold.id = idempotency.request_id AND hold.state = 'pending')`);

/** Whether the process that claimed the key is gone, at the time `now`. */
const isOrphan = (now: SqlStatement): SqlStatement => statement`(idempotency.state = 'running' AND (
    idempotency.lease_until_ms <= ${now}
    OR NOT EXISTS (SELECT 1 FROM node
      WHERE node.epoch = idempotency.epoch AND node.lease_until_ms > ${now})))`;

/**
 * Returns the claim's id when the key was free: unclaimed, expired, or claimed by a process that is
 * gone without having charged or changed anything. The ledger decides rather than clocks alone.
 * While the first request holds money it may still run, whatever a node's clock says; and a process
 * that died after its settlement has charged.
 */
export const claimKey = (row: ClaimRow): SqlStatement => statement`
  INSERT INTO idempotency (owner_id, operation, key_hash, claim_id, meaning, request_id, epoch,
    lease_until_ms, created_at_ms, expires_at_ms, state)
  VALUES (${row.ownerId}, ${row.operation}, ${row.keyHash}, ${row.claimId}, ${row.meaning},
    ${row.requestId}, ${row.epoch}, ${row.leaseUntilMs}, ${row.nowMs}, ${row.expiresAtMs}, 'running')
  ON CONFLICT (owner_id, operation, key_hash) DO UPDATE SET
    claim_id = excluded.claim_id, meaning = excluded.meaning, request_id = excluded.request_id,
    epoch = excluded.epoch, lease_until_ms = excluded.lease_until_ms,
    created_at_ms = excluded.created_at_ms, expires_at_ms = excluded.expires_at_ms,
    state = 'running', answer = NULL, answer_bytes = 0
  WHERE idempotency.expires_at_ms <= excluded.created_at_ms
    OR (${isOrphan(raw('excluded.created_at_ms'))} AND NOT ${IS_HELD} AND NOT ${IS_DONE})
  RETURNING claim_id`;

/** The existing claim. `state` is also `spent` when its process died after it had charged. */
export const standingClaim = (
  row: Pick<ClaimRow, 'ownerId' | 'operation' | 'keyHash' | 'nowMs'>,
): SqlStatement => statement`
  SELECT claim_id, meaning, request_id, answer,
    CASE WHEN ${isOrphan(statement`${row.nowMs}`)} AND ${IS_DONE} THEN 'spent' ELSE state END AS state
  FROM idempotency
  WHERE owner_id = ${row.ownerId} AND operation = ${row.operation} AND key_hash = ${row.keyHash}`;

export const keepAnswer = (
  claimId: string,
  sealed: Uint8Array,
): SqlStatement => statement`UPDATE idempotency
  SET state = 'kept', answer = ${sealed}, answer_bytes = ${sealed.byteLength} WHERE claim_id = ${claimId} AND state = 'running' RETURNING claim_id`;

export const spendClaim = (claimId: string): SqlStatement => statement`
  UPDATE idempotency SET state = 'spent' WHERE claim_id = ${claimId} AND state = 'running' RETURNING claim_id`;

export const releaseClaim = (claimId: string): SqlStatement => statement`DELETE FROM idempotency
  WHERE claim_id = ${claimId} AND state = 'running' RETURNING claim_id`;

/** The first salt of an installation stays. */
export const offerSalt = (salt: Uint8Array): SqlStatement => statement`INSERT INTO idempotency_salt
  (id, salt) VALUES (1, ${salt}) ON CONFLICT (id) DO NOTHING`;
export const readSalt: SqlStatement = statement`SELECT salt FROM idempotency_salt`;

/** Deletes the oldest expired keys, at most `rows`, and stops after `bytes`. Returns their rows. */
export const forgetExpired = (
  nowMs: number,
  rows: number,
  bytes: number,
): SqlStatement => statement`DELETE FROM idempotency WHERE claim_id IN (SELECT claim_id FROM (
    SELECT claim_id,
      SUM(answer_bytes) OVER (ORDER BY expires_at_ms, claim_id) - answer_bytes AS earlier
    FROM (SELECT claim_id, expires_at_ms, answer_bytes FROM idempotency
      WHERE expires_at_ms <= ${nowMs} ORDER BY expires_at_ms, claim_id LIMIT ${rows}) AS due
  ) AS weighed WHERE earlier < ${bytes}) RETURNING claim_id`;

/** The owner of the answers; null: all. */
type Whose = string | null;

/** The number of kept answers, and their bytes. */
export const keptInAll = (whose: Whose): SqlStatement => statement`
  SELECT COUNT(*) AS answers, COALESCE(SUM(answer_bytes), 0) AS bytes
  FROM idempotency WHERE state = 'kept' ${andEquals('owner_id', whose)}`;

export const oldestKept = (whose: Whose, rows: number): SqlStatement => statement`
  SELECT claim_id, answer_bytes FROM idempotency WHERE state = 'kept'
    ${andEquals('owner_id', whose)} ORDER BY created_at_ms, claim_id LIMIT ${rows}`;

/** Drops answers. Their keys stay marked as charged. */
export const dropAnswers = (claimIds: readonly string[]): SqlStatement => ({
  sql: `UPDATE idempotency SET state = 'spent', answer = NULL, answer_bytes = 0
  WHERE state = 'kept' AND claim_id IN (${claimIds.map((_, at) => `$${at + 1}`).join(', ')})`,
  params: claimIds,
});

/** Picks the one node that does shared upkeep. */
export const firstNode = (nowMs: number): SqlStatement => statement`SELECT MIN(epoch) AS epoch
  FROM node WHERE lease_until_ms > ${nowMs}`;
