/**
 * The SQL of Idempotency-Keys. It is correct under concurrent requests on both SQLite and
 * PostgreSQL.
 */
import { raw, type SqlStatement, statement } from '../store/sql.ts';

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

/** The `operation` of changes in the console or by administrators. Changes have no receipts. */
export const CHANGE = 'console';

/**
 * Condition: the request was charged. It is always true for a change, because no receipt shows
 * whether a change ran.
 */
const IS_DONE = raw(`(idempotency.operation = '${CHANGE}' OR EXISTS (SELECT 1 FROM receipt
    WHERE receipt.request_id = idempotency.request_id AND receipt.charge > 0))`);
/** Condition: a row of the ledger holds money for the request. */
const IS_HELD = raw(`EXISTS (SELECT 1 FROM pending_hold
    WHERE pending_hold.id = idempotency.request_id)`);

/**
 * How long the keys of a process without a lease stay in doubt, because charges may wait on its
 * disk. Most processes restart within this time and then send these charges.
 */
export const IN_DOUBT_MS = 5 * 60_000;

/** Condition: at `time`, the process of the claim has a lease that has not ended. */
const hasLeaseAt = (time: SqlStatement): SqlStatement => statement`EXISTS (SELECT 1 FROM node
    WHERE node.epoch = idempotency.epoch AND node.lease_until_ms > ${time})`;

/**
 * Condition: the claim is still marked as running, but its own lease or its process's lease has
 * ended.
 */
const isLeft = (now: SqlStatement): SqlStatement => statement`(idempotency.state = 'running'
    AND (idempotency.lease_until_ms <= ${now} OR NOT ${hasLeaseAt(now)}))`;

/**
 * Condition: `isLeft`, and no charge can follow: the claim's process still has its own lease, or
 * lost it more than `IN_DOUBT_MS` ago.
 */
const isOrphan = (now: SqlStatement): SqlStatement => statement`(${isLeft(now)}
    AND (${hasLeaseAt(now)} OR NOT ${hasLeaseAt(statement`${now} - ${IN_DOUBT_MS}`)}))`;

/**
 * Claims a key that is unclaimed or expired, or whose claim is an orphan (`isOrphan`) without a
 * hold or a charge. Returns the claim's id, or no row if another claim has the key. An ended lease
 * alone does not free a key: a request that holds money may still run, and a process may die after
 * it has charged.
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

/**
 * Selects the existing claim. If `isLeft` is true and no row holds money for the request, the
 * returned state is `spent` if the request was charged, and otherwise `in_doubt`.
 */
export const standingClaim = (
  row: Pick<ClaimRow, 'ownerId' | 'operation' | 'keyHash' | 'nowMs'>,
): SqlStatement => statement`
  SELECT claim_id, meaning, request_id, answer,
    CASE WHEN NOT ${isLeft(statement`${row.nowMs}`)} OR ${IS_HELD} THEN state
      WHEN ${IS_DONE} THEN 'spent' ELSE 'in_doubt' END AS state
  FROM idempotency
  WHERE owner_id = ${row.ownerId} AND operation = ${row.operation} AND key_hash = ${row.keyHash}`;

/**
 * Marks a claim as charged, whatever its state. Returns no row if it was released or another claim
 * has replaced it.
 */
export const chargeClaim = (claimId: string): SqlStatement => statement`
  UPDATE idempotency SET state = CASE state WHEN 'running' THEN 'spent' ELSE state END
  WHERE claim_id = ${claimId} RETURNING claim_id`;

export const spendClaim = (claimId: string): SqlStatement => statement`
  UPDATE idempotency SET state = 'spent' WHERE claim_id = ${claimId} AND state = 'running'
  RETURNING claim_id`;

export const releaseClaim = (claimId: string): SqlStatement => statement`DELETE FROM idempotency
  WHERE claim_id = ${claimId} AND state = 'running' RETURNING claim_id`;
