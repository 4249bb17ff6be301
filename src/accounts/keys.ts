/**
 * Manages the API keys of one account or of all accounts. Every SQL statement checks the account.
 */
import { type Clock, newId } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { DAY_MS } from '../money/calendar.ts';
import { type AuditEntry, auditEntry } from '../store/audit.ts';
import {
  type Actor,
  type CreatedKey,
  type KeyChange,
  type KeyPurpose,
  type KeyRecord,
  type NewKey,
  personIn,
} from './account.ts';
import { changed, differences, keyAction, keyState, keyTag } from './account-change.ts';
import {
  invalidField,
  keyIsRevoked,
  keyOfPlayground,
  keyOfSomebodyElse,
  manageNeedsOwner,
  noSuchKey,
  stillOverlapping,
} from './account-errors.ts';
import { endsOf, generateKey, hashKey, maskOf } from './api-key.ts';
import type { KeyCache } from './key-cache.ts';
import type { KeyPlace, KeyStore, NewKeyRow } from './key-store.ts';
import type { LastUsed } from './last-used.ts';
import { changedCaps, changedLimits, NO_CAPS, NO_LIMITS } from './limits/limits.ts';
import { capsOf } from './limits/spend-windows.ts';
import { type IfMatch, nextRevision, requireMatch, retryOnConflict } from './optimistic-update.ts';
import { checkedPage, FIRST_PAGE, MAX_PAGE, type Page, type PageRequest } from './page.ts';
import { DEFAULT_SCOPES, type Scope } from './scopes.ts';

/**
 * The default time for which the old secret still works after a rotation, so that clients can
 * switch.
 */
export const DEFAULT_OVERLAP_MS = DAY_MS;
export const MAX_OVERLAP_MS = 30 * DAY_MS;

export type KeysDeps = {
  readonly clock: Clock;
  readonly store: KeyStore;
  readonly cache: Pick<KeyCache, 'forgetKey'>;
  readonly lastUsed: Pick<LastUsed, 'latest'>;
};

/**
 * The methods that list and change API keys. A change takes effect in this process at once, and in
 * other processes within half a second. Every method may throw GatewayError `store_unavailable` or
 * `not_found` (also for a key of another account). With a `creatorId`, changes throw `not_allowed`
 * for another creator's key, for a playground key, and for granting or enabling `manage`.
 */
export class Keys {
  readonly #deps: KeysDeps;
  readonly #accountId: string | null;
  readonly #creatorId: string | null;

  /**
   * @param accountId the account of the keys; null for all accounts (administrators only).
   * @param creatorId the person whose keys can be changed; null for all keys of the account.
   */
  constructor(deps: KeysDeps, accountId: string | null, creatorId: string | null) {
    this.#deps = deps;
    this.#accountId = accountId;
    this.#creatorId = creatorId;
  }

  async get(id: string): Promise<KeyRecord> {
    const key = await this.#deps.store.key(this.#at(id));
    if (key === null) throw noSuchKey(id);
    return withLastUse(key, this.#deps.lastUsed);
  }

  /**
   * Lists the keys, oldest first.
   * @param createdBy the person who created the keys; null for all keys.
   * @throws GatewayError `invalid_value` (limit).
   */
  async list(
    page: PageRequest = FIRST_PAGE,
    createdBy: string | null = null,
  ): Promise<Page<KeyRecord>> {
    const filter = { accountId: this.#accountId, createdBy };
    const { items, next } = await this.#deps.store.keys(filter, checkedPage(page));
    return { items: items.map((key) => withLastUse(key, this.#deps.lastUsed)), next };
  }

  /**
   * Returns the person's unrevoked keys, including those that the gateway created for the person.
   */
  async createdBy(personId: string): Promise<readonly KeyRecord[]> {
    const found: KeyRecord[] = [];
    let after: string | null = null;
    do {
      const page: Page<KeyRecord> = await this.list({ limit: MAX_PAGE, after }, personId);
      found.push(...page.items.filter(({ status }) => status !== 'revoked'));
      after = page.next;
    } while (after !== null);
    return found;
  }

  /**
   * Changes a key. A new cap may be below the amount already spent. In that case, new requests are
   * refused at once.
   * @throws GatewayError `invalid_value` (name, expires_at), `conflict` (revoked, or repeated
   *   concurrent changes), `revision_changed` (`ifMatch`).
   */
  async update(
    id: string,
    change: KeyChange,
    actor: Actor,
    ifMatch: IfMatch = null,
  ): Promise<KeyRecord> {
    const { store, clock } = this.#deps;
    requireFuture(change.expiresAtMs ?? null, clock);
    return await retryOnConflict(async () => {
      const was = await this.#notRevoked(id);
      requireMatch(ifMatch, keyTag(was));
      const { scopes = was.scopes } = change;
      if (!was.scopes.includes('manage')) this.requireGrantable(scopes);
      const update = { ...changed(was, change), scopes };
      const detail = differences(keyState({ ...was, caps: capsOf(was.spend) }), keyState(update));
      if (detail === null) return was;
      const entry = auditEntry(clock, actor, keyAction(change), id, detail);
      return await this.#after(
        id,
        await store.updateKey(this.#at(id), nextRevision(clock, was), update, entry),
      );
    });
  }

  /**
   * Gives a key a new secret. The current secret works for another `overlapMs`. If the secret
   * before the current one still works, `overlapMs` must be 0, and both old secrets stop working at
   * once.
   * @throws GatewayError `invalid_value` (overlap), `conflict` (the key is revoked, the secret
   *   before the current one still works, concurrent changes).
   */
  async rotate(id: string, overlapMs: number, actor: Actor): Promise<CreatedKey> {
    if (!(Number.isSafeInteger(overlapMs) && overlapMs >= 0 && overlapMs <= MAX_OVERLAP_MS)) {
      throw invalidField('overlap', 'overlap must be a duration from 0s to 30d, such as "24h".');
    }
    const { clock, store } = this.#deps;
    const secret = generateKey(clock);
    const hash = hashKey(secret.reveal());
    const record = await retryOnConflict(async () => {
      const was = await this.#notRevoked(id);
      const { previousSecretUntilMs: promisedMs } = was;
      if (overlapMs > 0 && promisedMs !== null) throw stillOverlapping(promisedMs);
      const previousUntilMs = clock.nowMs() + overlapMs;
      const row = { ...endsOf(secret), hash, previousUntilMs };
      const entry = auditEntry(clock, actor, 'key.rotate', id, {
        before: was.masked,
        after: maskOf(row),
        overlap_ends_at: new Date(previousUntilMs).toISOString(),
      });
      return await this.#after(
        id,
        await store.rotateKey(this.#at(id), nextRevision(clock, was), row, entry),
      );
    });
    return { record, secret };
  }

  /**
   * Disables a key. It gets no new holds, so its new requests are refused.
   * @throws GatewayError `conflict` (revoked), `revision_changed` (`ifMatch`).
   */
  async disable(id: string, actor: Actor, ifMatch: IfMatch = null): Promise<KeyRecord> {
    return await this.#turn(id, 'disabled', actor, ifMatch);
  }

  /** Enables a disabled key. @throws GatewayError as `disable`; `not_allowed` with `manage`. */
  async enable(id: string, actor: Actor, ifMatch: IfMatch = null): Promise<KeyRecord> {
    return await this.#turn(id, 'active', actor, ifMatch);
  }

  /** Revokes a key, which is final. Does nothing if the key is already revoked. */
  async revoke(id: string, actor: Actor = 'system'): Promise<KeyRecord> {
    const { clock, store, cache } = this.#deps;
    const was = await this.#managed(id);
    const entry = auditEntry(clock, actor, 'key.revoke', id, {
      before: was.status,
      after: 'revoked',
    });
    await store.revokeKey(this.#at(id), clock.nowMs(), entry);
    cache.forgetKey(id);
    return await this.get(id);
  }

  async #turn(
    id: string,
    status: 'active' | 'disabled',
    actor: Actor,
    ifMatch: IfMatch,
  ): Promise<KeyRecord> {
    const { clock, store } = this.#deps;
    return await retryOnConflict(async () => {
      const was = await this.#notRevoked(id);
      requireMatch(ifMatch, keyTag(was));
      if (was.status === status) return was;
      if (status === 'active') this.requireGrantable(was.scopes);
      const action = status === 'active' ? 'key.enable' : 'key.disable';
      const detail = { before: was.status, after: status };
      const entry = auditEntry(clock, actor, action, id, detail);
      return await this.#after(
        id,
        await store.setKeyStatus(this.#at(id), nextRevision(clock, was), status, entry),
      );
    });
  }

  /** Refuses to let a person who is not an owner grant `manage`. @throws `not_allowed`. */
  requireGrantable(scopes: readonly Scope[]): void {
    if (this.#creatorId !== null && scopes.includes('manage')) throw manageNeedsOwner();
  }

  /**
   * Removes the key from the cache. Returns the changed key; null if `isMade` is false, because a
   * concurrent change prevented this change.
   */
  async #after(id: string, isMade: boolean): Promise<KeyRecord | null> {
    this.#deps.cache.forgetKey(id);
    return isMade ? await this.get(id) : null;
  }

  async #notRevoked(id: string): Promise<KeyRecord> {
    const key = await this.#managed(id);
    if (key.status === 'revoked') throw keyIsRevoked();
    return key;
  }

  /**
   * Returns a key, or throws if the person `#creatorId` may not change it. The check needs no
   * transaction, since a key's creator never changes.
   */
  async #managed(id: string): Promise<KeyRecord> {
    const key = await this.get(id);
    if (this.#creatorId === null) return key;
    if (key.createdBy !== this.#creatorId) throw keyOfSomebodyElse();
    // The creator must not change a playground key, because an owner may have set limits on it.
    if (key.purpose !== null) throw keyOfPlayground();
    return key;
  }

  #at(id: string): KeyPlace {
    return { id, accountId: this.#accountId };
  }
}

/**
 * Returns the row of a new key, the audit entry of its creation, and its secret. The values in
 * `key` must already be validated.
 */
export function newKey(
  clock: Clock,
  accountId: string,
  key: NewKey,
  purpose: KeyPurpose | null,
  actor: Actor,
): { readonly row: NewKeyRow; readonly entry: AuditEntry; readonly secret: Secret } {
  const secret = key.secret ?? generateKey(clock);
  const id = newId(clock, 'key');
  const set = {
    name: key.name,
    expiresAtMs: key.expiresAtMs ?? null,
    limits: changedLimits(NO_LIMITS, key.limits ?? {}),
    caps: changedCaps(NO_CAPS, key.limits ?? {}),
    scopes: key.scopes ?? DEFAULT_SCOPES,
  };
  const row: NewKeyRow = {
    id,
    accountId,
    ...set,
    purpose,
    createdBy: personIn(actor),
    hash: hashKey(secret.reveal()),
    createdAtMs: clock.nowMs(),
    revision: newId(clock, 'rev'),
    ...endsOf(secret),
  };
  const after = JSON.stringify(keyState(set));
  const detail = { account_id: accountId, masked: maskOf(row), after };
  return { row, entry: auditEntry(clock, actor, 'key.create', id, detail), secret };
}

/** Requires that the expiry is in the future or null. @throws `invalid_value` (expires_at). */
export function requireFuture(expiresAtMs: number | null, clock: Pick<Clock, 'nowMs'>): void {
  if (expiresAtMs === null || expiresAtMs > clock.nowMs()) return;
  const message = 'expires_at must be in the future. Change it, or leave it out.';
  throw invalidField('expires_at', message);
}

function withLastUse(key: KeyRecord, lastUsed: Pick<LastUsed, 'latest'>): KeyRecord {
  const minuteMs = lastUsed.latest(key.id, key.lastUsedAtMs);
  // The time of use is rounded down to the minute, which may be before the key's creation.
  return { ...key, lastUsedAtMs: minuteMs === null ? null : Math.max(minuteMs, key.createdAtMs) };
}
