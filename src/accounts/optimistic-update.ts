/** How a key or an account is changed: on the revision that was read, with its entry in the audit log. */
import { type Clock, newId } from '../clock.ts';
import type { AuditAction, AuditDetail, AuditEntry } from '../ledger/audit.ts';
import { changedMeanwhile } from './account-errors.ts';
import type { Revision } from './account-store.ts';
import type { Actor } from './accounts.ts';

/** Of changes to one key or account at the same time, so many are made one after the other. */
const MAX_TRIES = 5;

/**
 * @param change null: somebody else changed it between the reading and the writing.
 * @throws GatewayError `conflict` when others change it all the time, and what `change` throws.
 */
export async function retried<Item>(change: () => Promise<Item | null>): Promise<Item> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const done = await change();
    if (done !== null) return done;
  }
  throw changedMeanwhile();
}

export const nextRevision = (clock: Clock, was: { readonly revision: string }): Revision => ({
  from: was.revision,
  to: newId(clock, 'rev'),
});

export const auditEntry = (
  clock: Pick<Clock, 'nowMs'>,
  actor: Actor,
  action: AuditAction,
  subject: string,
  detail: AuditDetail,
): AuditEntry => ({ atMs: clock.nowMs(), actor, action, subject, detail });
