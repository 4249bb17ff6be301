/** Whether this node has the console key that the store's people are signed in with. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { type SqlExecutor, statement } from '../store/sql.ts';

export type ConsoleKeyDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs'>;
  /** This node's own lease, which tells it from the nodes that run beside it. */
  readonly epoch: string;
};

export type ConsoleKeyComparison = 'same' | 'changed' | 'differs_from_running_nodes';

/**
 * Compares the key's fingerprint with that in the store. A node that runs alone stores the
 * fingerprint of a changed key: the operator changed it on purpose, or the old one is lost.
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
  await sql.query(statement`UPDATE console_key SET fingerprint = ${own}`);
  return 'changed';
}
