/**
 * Records when backups succeeded and failed. Ensures that only one node at a time makes a scheduled
 * backup.
 */
import { integer, numberOrNull, textOrNull } from '../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';
import type { Backup } from './place.ts';

export type BackupState = {
  /** The time when the last attempt began; 0 before the first attempt. */
  readonly triedAtMs: number;
  /** The newest valid backup in the configured destination; null before the first. */
  readonly good: { readonly atMs: number; readonly file: string; readonly bytes: number } | null;
  /** The failures since the newest valid backup; null without failures. */
  readonly failed: {
    readonly atMs: number;
    readonly count: number;
    readonly why: string;
    /** The time of the next attempt. */
    readonly dueAtMs: number;
  } | null;
};

export const NEVER: BackupState = { triedAtMs: 0, good: null, failed: null };

/** Every method may throw GatewayError `store_unavailable`. */
export class BackupRecord {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = sql;
  }

  async read(): Promise<BackupState> {
    const [row] = await this.#sql.query(statement`SELECT * FROM backup_state WHERE id = 1`);
    return row === undefined ? NEVER : stateOf(row);
  }

  /**
   * Reserves the next backup for this node until `untilMs`.
   * @returns false when another node has reserved it, or has attempted a backup since `state` was
   *   read.
   */
  async claim(
    { triedAtMs, good, failed }: BackupState,
    nowMs: number,
    untilMs: number,
  ): Promise<boolean> {
    const claimed = await this.#sql.query(statement`INSERT INTO backup_state
      (id, claimed_until_ms, tried_at_ms) VALUES (1, ${untilMs}, ${nowMs})
      ON CONFLICT (id) DO UPDATE SET claimed_until_ms = ${untilMs}, tried_at_ms = ${nowMs}
      WHERE backup_state.claimed_until_ms <= ${nowMs} AND backup_state.tried_at_ms = ${triedAtMs}
      AND COALESCE(backup_state.good_at_ms, 0) = ${good?.atMs ?? 0}
      AND backup_state.failures = ${failed?.count ?? 0} RETURNING id`);
    return claimed.length > 0;
  }

  /** Extends the reservation of a running backup. */
  async prolong(untilMs: number): Promise<void> {
    await this.#sql.query(statement`UPDATE backup_state SET claimed_until_ms = ${untilMs}
      WHERE id = 1 RETURNING id`);
  }

  /** Records a valid backup, and ends the reservation if there is one. */
  async succeeded({ takenAtMs, file, bytes }: Backup): Promise<void> {
    await this.#sql.query(statement`INSERT INTO backup_state
      (id, tried_at_ms, good_at_ms, good_file, good_bytes)
      VALUES (1, ${takenAtMs}, ${takenAtMs}, ${file}, ${bytes})
      ON CONFLICT (id) DO UPDATE SET claimed_until_ms = 0, tried_at_ms = ${takenAtMs},
      good_at_ms = ${takenAtMs}, good_file = ${file}, good_bytes = ${bytes}, failed_at_ms = NULL,
      failures = 0, failure = NULL, due_at_ms = NULL RETURNING id`);
  }

  /** Records a failure, and ends the reservation if there is one. */
  async failed(why: string, nowMs: number, dueAtMs: number): Promise<void> {
    await this.#sql.query(statement`INSERT INTO backup_state
      (id, tried_at_ms, failed_at_ms, failures, failure, due_at_ms)
      VALUES (1, ${nowMs}, ${nowMs}, 1, ${why}, ${dueAtMs})
      ON CONFLICT (id) DO UPDATE SET claimed_until_ms = 0, failed_at_ms = ${nowMs},
      failures = backup_state.failures + 1, failure = ${why}, due_at_ms = ${dueAtMs} RETURNING id`);
  }
}

function stateOf(row: SqlRow): BackupState {
  const [goodAtMs, failedAtMs] = [
    numberOrNull(row, 'good_at_ms'),
    numberOrNull(row, 'failed_at_ms'),
  ];
  return {
    triedAtMs: Number(integer(row, 'tried_at_ms')),
    good:
      goodAtMs === null
        ? null
        : {
            atMs: goodAtMs,
            file: textOrNull(row, 'good_file') ?? '',
            bytes: numberOrNull(row, 'good_bytes') ?? 0,
          },
    failed:
      failedAtMs === null
        ? null
        : {
            atMs: failedAtMs,
            count: Number(integer(row, 'failures')),
            why: textOrNull(row, 'failure') ?? '',
            dueAtMs: numberOrNull(row, 'due_at_ms') ?? 0,
          },
  };
}
