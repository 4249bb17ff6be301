/** Whether a charge that waited on disk may be taken: no repeat under its key has run meanwhile. */
import type { Clock } from '../clock.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { RETENTION_MS } from './idempotency-keys.ts';
import { chargeClaim } from './idempotency-statements.ts';

type Deps = { readonly sql: SqlExecutor; readonly clock: Pick<Clock, 'nowMs'> };

/**
 * Marks the key as charged, before the charge. So either the repeat runs and is charged, or the
 * first request is charged, and the repeat refused. Nothing is promised of a key that has expired.
 * @param atMs when the request ended
 * @returns false if the key was freed, and may have been claimed again
 */
export async function mayCharge(
  { sql, clock }: Deps,
  claimId: string,
  atMs: number,
): Promise<boolean> {
  const standing = await sql.query(chargeClaim(claimId));
  return standing.length > 0 || clock.nowMs() - atMs >= RETENTION_MS;
}
