/** Runs all queries for API key rows. Makes no decisions. */

import type { Clock } from '../clock.ts';
import type { HeldInMemory } from '../ledger/held-in-memory.ts';
import { DAY_MS } from '../money/calendar.ts';
import type { AuditEntry } from '../store/audit.ts';
import { integer, numberOrNull, text, textOrNull } from '../store/row.ts';
import {
  andEquals,
  raw,
  type SqlExecutor,
  type SqlRow,
  type SqlStatement,
  statement,
} from '../store/sql.ts';
import {
  type KeyPurpose,
  type KeyRecord,
  type KeyStanding,
  type KeyStatus,
  MAX_KEYS,
  MAX_NEW_KEYS,
} from './account.ts';
import { accountStatus, type LimitedUpdate, type Revision, setCaps } from './account-store.ts';
import { type KeyEnds, maskOf } from './api-key.ts';
import { type Limits, limitsOf, limitsText, type SpendCaps } from './limits/limits.ts';
import { meterOf, spendWindows } from './limits/spend-windows.ts';
import { type Page, type PageRequest, pageOf } from './page.ts';
import { type Scope, scopeBits, scopesOf, scopesText } from './scopes.ts';

export type NewKeyRow = KeyEnds & {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  readonly hash: Uint8Array;
  readonly createdAtMs: number;
  readonly expiresAtMs: number | null;
  readonly limits: Limits;
  readonly caps: SpendCaps;
  readonly scopes: readonly Scope[];
  readonly revision: string;
  readonly purpose: KeyPurpose | null;
  readonly createdBy: string | null;
};
export type KeyFilter = { readonly accountId: string | null; readonly createdBy: string | null };
export type KeyUpdate = LimitedUpdate & { readonly scopes: readonly Scope[] };
export type NewSecret = KeyEnds & { readonly hash: Uint8Array; readonly previousUntilMs: number };
/** The id of a key, and its account. If `accountId` is null, the key may be in any account. */
export type KeyPlace = { readonly id: string; readonly accountId: string | null };
/**
 * Selects a key that the gateway created for a person and a purpose, such as the playground.
 * @param creatorId the person; null for the key that all people shared before schema 40.
 */
export type PurposePlace = {
  readonly accountId: string;
  readonly purpose: KeyPurpose;
  readonly creatorId: string | null;
};

const KEYS = `SELECT *, (SELECT person.name FROM person WHERE person.id = api_key.created_by)
  AS created_by_name FROM api_key JOIN spend_meter ON spend_meter.owner_id = api_key.id`;
const STANDINGS = `SELECT api_key.id AS key_id, api_key.name AS key_name, api_key.status,
    api_key.expires_at_ms, api_key.revoked_at_ms, api_key.limits, api_key.scopes, api_key.hash,
    api_key.previous_until_ms, account.id AS account_id, account.status AS account_status,
    account.allow_exchange, account.price_list, account.limits AS account_limits,
    account.expires_at_ms AS account_expires_at_ms
  FROM api_key JOIN account ON account.id = api_key.account_id`;

/**
 * Every method may throw GatewayError `store_unavailable`. A call that changes no row writes no
 * audit entry.
 */
export class KeyStore {
  readonly #executor: SqlExecutor;
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #inMemory: HeldInMemory;

  constructor(executor: SqlExecutor, clock: Pick<Clock, 'nowMs'>, inMemory: HeldInMemory) {
    this.#executor = executor;
    this.#clock = clock;
    this.#inMemory = inMemory;
  }

  /**
   * Inserts a key. Returns false if another key has the same hash, or if the account already has
   * MAX_KEYS keys, or created MAX_NEW_KEYS within a day. A key with a `purpose` does not count. For
   * such a key, returns false if its creator already has a key for this purpose in the account.
   * @param onlyFirst whether to return false if any account has a key already.
   */
  async insertKey(key: NewKeyRow, audit: AuditEntry, onlyFirst = false): Promise<boolean> {
    // The insert statement itself counts the keys, so concurrent inserts cannot exceed the limit.
    const isAmongMost = statement`(SELECT COUNT(*) FROM api_key WHERE account_id =
      ${key.accountId} AND status <> 'revoked' AND purpose IS NULL) < ${MAX_KEYS}
      AND (SELECT COUNT(*) FROM api_key WHERE account_id = ${key.accountId}
      AND created_at_ms > ${key.createdAtMs - DAY_MS} AND purpose IS NULL) < ${MAX_NEW_KEYS}`;
    const insert = statement`INSERT INTO api_key (id, account_id, name, hash, prefix, last4,
      revision, purpose, created_by, status, created_at_ms, expires_at_ms, scopes, limits) SELECT ${key.id},
      ${key.accountId}, ${key.name}, ${key.hash}, ${key.prefix}, ${key.last4}, ${key.revision},
      ${key.purpose}, ${key.createdBy}, 'active', ${key.createdAtMs}, ${key.expiresAtMs},
      ${scopesText(key.scopes)}, ${limitsText(key.limits)}
      WHERE ${key.purpose === null ? isAmongMost : raw('1 = 1')}
      ${raw(onlyFirst ? 'AND NOT EXISTS (SELECT 1 FROM api_key)' : '')}
      ON CONFLICT DO NOTHING RETURNING id`;
    const [inserted = []] = await this.#executor.transaction(
      [insert, setCaps(key.id, key.caps, null)],
      audit,
    );
    return inserted.length > 0;
  }

  async key({ id, accountId }: KeyPlace): Promise<KeyRecord | null> {
    const [row] = await this.#executor.query(statement`${raw(KEYS)}
      WHERE api_key.id = ${id} ${andEquals('api_key.account_id', accountId)}`);
    return row === undefined ? null : keyOf(row, this.#clock.nowMs(), this.#inMemory);
  }

  /** Lists keys that match the filter. A filter field that is null matches all keys. */
  async keys(
    { accountId, createdBy }: KeyFilter,
    { limit, after }: PageRequest,
  ): Promise<Page<KeyRecord>> {
    const nowMs = this.#clock.nowMs();
    const rows = await this.#executor.query(statement`${raw(KEYS)}
      WHERE api_key.id > ${after ?? ''} ${andEquals('api_key.account_id', accountId)}
      ${andEquals('api_key.created_by', createdBy)}
      ORDER BY api_key.id LIMIT ${limit + 1}`);
    const keys = rows.map((row) => keyOf(row, nowMs, this.#inMemory));
    return pageOf(keys, limit);
  }

  /**
   * Returns the numbers of the account's keys that count toward MAX_KEYS (`standing`) and toward
   * MAX_NEW_KEYS (`fresh`).
   */
  async countKeys(
    accountId: string,
  ): Promise<{ readonly standing: number; readonly fresh: number }> {
    const [row] = await this.#executor.query(statement`SELECT
      COUNT(CASE WHEN status <> 'revoked' THEN 1 END) AS standing,
      COUNT(CASE WHEN created_at_ms > ${this.#clock.nowMs() - DAY_MS} THEN 1 END) AS fresh
      FROM api_key WHERE account_id = ${accountId} AND purpose IS NULL`);
    return { standing: Number(row?.['standing'] ?? 0), fresh: Number(row?.['fresh'] ?? 0) };
  }

  /** Returns the formats of the foreign keys in the store. */
  async forms(): Promise<readonly string[]> {
    const rows = await this.#executor.query(statement`SELECT form FROM key_form`);
    return rows.map((row) => text(row, 'form'));
  }

  /** Returns the state of the key whose current or previous secret has this hash, or null. */
  async standing(hash: Uint8Array): Promise<KeyStanding | null> {
    const [row] = await this.#executor.query(statement`${raw(STANDINGS)} WHERE api_key.hash =
      ${hash} OR api_key.previous_hash = ${hash}`);
    if (row === undefined) return null;
    const newest = row['hash'];
    return standingOf(row, newest instanceof Uint8Array && Buffer.from(newest).equals(hash));
  }

  /** Returns the state of the unrevoked key that `place` selects; null if it selects no key. */
  async standingFor(place: PurposePlace): Promise<KeyStanding | null> {
    const [row] = await this.#executor.query(statement`${raw(STANDINGS)} ${whereIs(place)}`);
    return row === undefined ? null : standingOf(row, true);
  }

  /** Returns the unrevoked key that `place` selects; null if it selects no key. */
  async keyFor(place: PurposePlace): Promise<KeyRecord | null> {
    const [row] = await this.#executor.query(statement`${raw(KEYS)} ${whereIs(place)}`);
    return row === undefined ? null : keyOf(row, this.#clock.nowMs(), this.#inMemory);
  }

  /** Updates a key. Returns false when no unrevoked key with this id has revision `from`. */
  async updateKey(
    place: KeyPlace,
    revision: Revision,
    { name, expiresAtMs, limits, caps, scopes }: KeyUpdate,
    audit: AuditEntry,
  ): Promise<boolean> {
    const set = statement`name = ${name}, expires_at_ms = ${expiresAtMs},
      limits = ${limitsText(limits)}, scopes = ${scopesText(scopes)},
      revision = ${revision.to}`;
    const setsCaps = setCaps(place.id, caps, { table: 'api_key', revision });
    return await this.#change([updateOf(place, set, revision), setsCaps], audit);
  }

  /**
   * Stores a new secret. The current secret becomes the previous one. Returns false when no
   * unrevoked key with this id has revision `from`.
   */
  async rotateKey(
    place: KeyPlace,
    revision: Revision,
    { hash, prefix, last4, previousUntilMs }: NewSecret,
    audit: AuditEntry,
  ): Promise<boolean> {
    // SQL evaluates `previous_hash = hash` with the values before the update, so `previous_hash`
    // becomes the replaced hash.
    const set = statement`previous_hash = hash, hash = ${hash}, prefix = ${prefix},
      last4 = ${last4}, previous_until_ms = ${previousUntilMs}, revision = ${revision.to}`;
    return await this.#change([updateOf(place, set, revision)], audit);
  }

  /** Disables or enables a key; false if no unrevoked key with this id has revision `from`. */
  async setKeyStatus(
    place: KeyPlace,
    revision: Revision,
    status: 'active' | 'disabled',
    audit: AuditEntry,
  ): Promise<boolean> {
    const set = statement`status = ${status}, revision = ${revision.to}`;
    return await this.#change([updateOf(place, set, revision)], audit);
  }

  /** Revokes a key. Returns false if the key is unknown or was already revoked. */
  async revokeKey(place: KeyPlace, atMs: number, audit: AuditEntry): Promise<boolean> {
    const set = statement`status = 'revoked', revoked_at_ms = ${atMs}`;
    return await this.#change([updateOf(place, set, null)], audit);
  }

  /** Writes the times of the keys' last use in one transaction. Never replaces a later time. */
  async writeLastUsed(lastUsed: ReadonlyMap<string, number>): Promise<void> {
    await this.#executor.transaction(
      [...lastUsed].map(
        ([id, atMs]) => statement`UPDATE api_key SET last_used_at_ms = ${atMs} WHERE id = ${id}
          AND (last_used_at_ms IS NULL OR last_used_at_ms < ${atMs})`,
      ),
    );
  }

  /**
   * Runs the statements in one transaction. Returns whether the first statement changed a row. If
   * the first statement changes nothing, all later statements must change nothing either.
   */
  async #change(statements: readonly SqlStatement[], audit: AuditEntry): Promise<boolean> {
    const [changed = []] = await this.#executor.transaction(statements, audit);
    return changed.length > 0;
  }
}

/** Returns an UPDATE of an unrevoked key. @param revision the required revision; null for any. */
const updateOf = (
  { id, accountId }: KeyPlace,
  set: SqlStatement,
  revision: Revision | null,
): SqlStatement => statement`UPDATE api_key SET ${set} WHERE id = ${id} AND status <> 'revoked'
  ${andEquals('account_id', accountId)} ${andEquals('revision', revision?.from ?? null)}
  RETURNING id`;

/**
 * Returns a WHERE clause that selects the key. It repeats the expressions of the index
 * `api_key_of_purpose`, so that the database uses this index.
 */
const whereIs = ({ accountId, purpose, creatorId }: PurposePlace): SqlStatement =>
  statement`WHERE api_key.account_id = ${accountId} AND api_key.purpose = ${purpose}
    AND COALESCE(api_key.created_by, '') = ${creatorId ?? ''} AND api_key.status <> 'revoked'`;

function keyOf(row: SqlRow, nowMs: number, inMemory: HeldInMemory): KeyRecord {
  const previousUntilMs = numberOrNull(row, 'previous_until_ms');
  const held = inMemory.meter(text(row, 'account_id'), text(row, 'id'));
  return {
    id: text(row, 'id'),
    accountId: text(row, 'account_id'),
    name: text(row, 'name'),
    masked: maskOf({ prefix: text(row, 'prefix'), last4: text(row, 'last4') }),
    status: keyStatus(row),
    createdAtMs: Number(integer(row, 'created_at_ms')),
    expiresAtMs: numberOrNull(row, 'expires_at_ms'),
    revokedAtMs: numberOrNull(row, 'revoked_at_ms'),
    lastUsedAtMs: numberOrNull(row, 'last_used_at_ms'),
    previousSecretUntilMs:
      previousUntilMs !== null && previousUntilMs > nowMs ? previousUntilMs : null,
    purpose: row['purpose'] === 'playground' ? 'playground' : null,
    createdBy: textOrNull(row, 'created_by'),
    createdByName: textOrNull(row, 'created_by_name'),
    limits: limitsOf(text(row, 'limits')),
    scopes: scopesOf(text(row, 'scopes')),
    spend: spendWindows(meterOf(row, held), nowMs),
    revision: text(row, 'revision'),
  };
}

/** @param isNewest whether the request presents the newest secret instead of the previous one. */
const standingOf = (row: SqlRow, isNewest: boolean): KeyStanding => ({
  keyId: text(row, 'key_id'),
  keyName: text(row, 'key_name'),
  keyStatus: keyStatus(row),
  expiresAtMs: numberOrNull(row, 'expires_at_ms'),
  revokedAtMs: numberOrNull(row, 'revoked_at_ms'),
  secretUntilMs: isNewest ? null : (numberOrNull(row, 'previous_until_ms') ?? 0),
  limits: limitsOf(text(row, 'limits')),
  scopes: scopeBits(scopesOf(text(row, 'scopes'))),
  accountId: text(row, 'account_id'),
  accountStatus: accountStatus(row, 'account_status'),
  accountExpiresAtMs: numberOrNull(row, 'account_expires_at_ms'),
  accountLimits: limitsOf(text(row, 'account_limits')),
  allowExchange: integer(row, 'allow_exchange') !== 0n,
  priceList: textOrNull(row, 'price_list'),
});

function keyStatus(row: SqlRow): KeyStatus {
  const status = text(row, 'status');
  if (status === 'active' || status === 'disabled' || status === 'revoked') return status;
  throw new Error(`an API key has the unknown status ${status}`);
}
