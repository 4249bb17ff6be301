/** Checks that this node has the same console key as the other nodes that use the store. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { type SqlExecutor, statement } from '../store/sql.ts';

export type ConsoleKeyDeps = {
  readonly sql: SqlExecutor;
  /** The clock that all nodes share, because the leases of other nodes are judged by it. */
  readonly clock: Pick<Clock, 'nowMs'>;
  /**
   * The epoch (unique id) of this node's lease. The query excludes it, to count only other nodes.
   */
  readonly epoch: string;
};

export type ConsoleKeyComparison = 'same' | 'changed' | 'differs_from_running_nodes';

/**
 * Compares the fingerprint of this node's console key with the stored one. Stores the node's
 * fingerprint if the store has none, or if the two differ and no other node is running.
 */
export async function compareConsoleKey(
  key: Secret,
  { sql, clock, epoch }: ConsoleKeyDeps,
): Promise<ConsoleKeyComparison> {
  const own = createHmac('sha256', key.reveal()).update('console key').digest();
  const [, rows = []] = await sql.transaction([
    statement`INSERT INTO console_key (id, fingerprint) VALUES (1, ${own}) ON CONFLICT DO NOTHING`,
    statement`SELECT fingerprint, (SELECT COUNT(*) FROM node WHERE epoch <> ${epoch}
      AND lease_until_ms > ${clock.nowMs()}) AS others FROM console_key`,
  ]);
  const [row] = rows;
  const known = row?.['fingerprint'];
  if (known instanceof Uint8Array && own.equals(known)) return 'same';
  if (Number(row?.['others']) > 0) return 'differs_from_running_nodes';
  // No other node is running, so the operator has changed the key on purpose or has lost the old
  // one.
  await sql.query(statement`UPDATE console_key SET fingerprint = ${own}`);
  return 'changed';
}
