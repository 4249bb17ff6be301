/**
 * Updates a row only if it still has the revision that was read. If another change came first, the
 * update is retried, unless its author required the earlier settings (`If-Match`).
 */
import { createHash } from 'node:crypto';
import { type Clock, newId } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { changedMeanwhile } from './account-errors.ts';
import type { Revision } from './account-store.ts';

/** Maximum tries of a change. A try fails only if another change of the row came first. */
const MAX_TRIES = 5;

/**
 * Tries a change until it succeeds, at most MAX_TRIES times.
 * @param change returns null if another change came first.
 * @throws GatewayError `conflict`.
 */
export async function retryOnConflict<Item>(change: () => Promise<Item | null>): Promise<Item> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const done = await change();
    if (done !== null) return done;
  }
  throw changedMeanwhile();
}

/** Returns whether the settings with this entity tag may be changed; null allows any. */
export type IfMatch = ((etag: string) => boolean) | null;

const TAG_CHARS = 22;

/** Returns the entity tag of settings, in quotes. It changes only with the settings. */
export const entityTag = (settings: Readonly<Record<string, unknown>>): string => {
  const digest = createHash('sha256').update(JSON.stringify(settings)).digest('base64url');
  return `"${digest.slice(0, TAG_CHARS)}"`;
};

/** @throws GatewayError `revision_changed` */
export function requireMatch(ifMatch: IfMatch, etag: string): void {
  if (ifMatch === null || ifMatch(etag)) return;
  throw new GatewayError(
    'revision_changed',
    'Somebody else changed these settings after you read them. Read them again, then repeat your change with their new etag in If-Match.',
    { param: 'If-Match' },
  );
}

export const nextRevision = (clock: Clock, was: { readonly revision: string }): Revision => ({
  from: was.revision,
  to: newId(clock, 'rev'),
});
