/**
 * Decides whether a charge that waited on disk may be booked. It must not be booked after a repeat
 * of its request has run.
 */
import type { Clock } from '../clock.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { RETENTION_MS } from './idempotency-keys.ts';
import { chargeClaim } from './idempotency-statements.ts';

type Deps = { readonly sql: SqlExecutor; readonly clock: Pick<Clock, 'nowMs'> };

/**
 * Marks the Idempotency-Key as charged before the charge is booked. As a result, either the repeat
 * is charged, or the first request is charged and the repeat is refused. An expired key does not
 * prevent the charge.
 * @param atMs the time when the request ended
 * @returns false if the key was freed, so that a repeat may have claimed it
 */
export async function mayCharge(
  { sql, clock }: Deps,
  claimId: string,
  atMs: number,
): Promise<boolean> {
  const standing = await sql.query(chargeClaim(claimId));
  return standing.length > 0 || clock.nowMs() - atMs >= RETENTION_MS;
}
