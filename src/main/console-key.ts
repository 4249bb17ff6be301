/** Whether this node has the console's key that the store's people are signed in with. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import type { SqlExecutor } from '../ledger/database.ts';
import type { Log } from '../telemetry/log.ts';

export type ConsoleKeyDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
  /** This node's own lease: the others are those that run beside it. */
  readonly epoch: string;
};

const REMEDY =
  'give every node the same file console.key in its data folder, or the same setting console.secret';
const OTHER_KEY = `the console key of this node is not that of the nodes that run: whoever signs in on one is not signed in on the other, and authenticators cannot be read. Stop this node, and ${REMEDY}`;
const NEW_KEY =
  'the console key is another than before: everybody has to sign in again, and authenticators that were set up under the old one cannot be read. Bring the old key back, or run `modelgate people reset-link EMAIL --clear-totp` for whoever has one';

/**
 * Says it in the log when the key differs from the one that the store knows. A node that runs alone has its
 * key known from then on: it was changed on purpose, or the old one is lost. The gateway sells either way.
 */
export async function compareConsoleKey(key: Secret, deps: ConsoleKeyDeps): Promise<void> {
  const { sql, clock, log, epoch } = deps;
  const own = createHmac('sha256', key.reveal()).update('console key').digest();
  const [, rows = []] = await sql.transaction([
    {
      sql: 'INSERT INTO console_key (id, fingerprint) VALUES (1, $1) ON CONFLICT DO NOTHING',
      params: [own],
    },
    {
      sql: `SELECT fingerprint, (SELECT COUNT(*) FROM node
          WHERE epoch <> $1 AND lease_until_ms > $2) AS others FROM console_key`,
      params: [epoch, clock.nowMs()],
    },
  ]);
  const [row] = rows;
  const known = row?.['fingerprint'];
  if (known instanceof Uint8Array && own.equals(known)) return;
  if (Number(row?.['others']) > 0) {
    log.error(OTHER_KEY);
    return;
  }
  log.warn(NEW_KEY);
  await sql.query({ sql: 'UPDATE console_key SET fingerprint = $1', params: [own] });
}
