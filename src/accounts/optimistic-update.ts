/** Updates a row only in the revision that was read. After a lost race, the update is retried. */
import { type Clock, newId } from '../clock.ts';
import { changedMeanwhile } from './account-errors.ts';
import type { Revision } from './account-store.ts';

/** The maximum tries of a change. A try fails only because another change to the row succeeded. */
const MAX_TRIES = 5;

/** @param change returns null if the row changed meanwhile. @throws GatewayError `conflict`. */
export async function retryOnConflict<Item>(change: () => Promise<Item | null>): Promise<Item> {
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
