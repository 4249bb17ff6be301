/**
 * Updates a row only if it still has the revision that was read. If the row was changed in between,
 * the update is retried, unless the client required the earlier settings with `If-Match`.
 */
import { createHash } from 'node:crypto';
import { type Clock, newId } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { changedMeanwhile } from './account-errors.ts';
import type { Revision } from './account-store.ts';

/** Maximum attempts of an update. An attempt fails only if the row was changed in between. */
const MAX_TRIES = 5;

/**
 * Attempts a change until it succeeds, at most MAX_TRIES times.
 * @param change returns null if the row was changed in between.
 * @throws GatewayError `conflict`.
 */
export async function retryOnConflict<Item>(change: () => Promise<Item | null>): Promise<Item> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const done = await change();
    if (done !== null) return done;
  }
  throw changedMeanwhile();
}

/**
 * A client's `If-Match` condition: returns whether settings with this entity tag may be changed.
 * Null if the client set no condition.
 */
export type IfMatch = ((etag: string) => boolean) | null;

const TAG_CHARS = 22;

/** Returns the entity tag of settings, in quotes. Equal settings have equal tags. */
export const entityTag = (settings: Readonly<Record<string, unknown>>): string => {
  const digest = createHash('sha256').update(JSON.stringify(settings)).digest('base64url');
  return `"${digest.slice(0, TAG_CHARS)}"`;
};

/** @throws GatewayError `revision_changed` if `ifMatch` does not accept `etag`. */
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
