/** Who asks: accounts and their API keys. Money is the ledger's; this room knows names, keys and rights. */
import { type Clock, newId } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { asGatewayError, type GatewayError } from '../errors.ts';
import type { SqlExecutor } from '../ledger/database.ts';
import {
  type AccountRecord,
  type AccountStatus,
  AccountStore,
  type KeyRecord,
  type KeyStanding,
  type Page,
  type PageRequest,
} from './account-store.ts';
import { endsOf, generateKey, hashKey, isWellFormed } from './api-key.ts';
import { credentialsOf } from './credentials.ts';
import { KeyCache } from './key-cache.ts';
import { LastUsed } from './last-used.ts';
import {
  expiredKey,
  invalidField,
  malformedKey,
  malformedSecret,
  noSuchAccount,
  noSuchKey,
  revokedKey,
  secretInUse,
  suspendedAccount,
  tooManyKeys,
  tooManyLookups,
  twoAccounts,
  unknownKey,
} from './refusals.ts';

/** An authenticated key: what the rest of a request needs to know of who asks. */
export type Caller = {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  /** Whether a wallet that is short may draw on the other currency (default true). */
  readonly allowExchange: boolean;
};

export const MAX_NAME_CHARS = 100;
/** Far more than a team needs, and few enough that a runaway script is noticed. */
export const MAX_ACTIVE_KEYS = 1_000;
export const MAX_PAGE = 1_000;
export const DEFAULT_PAGE = 100;

export type AccountsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  /** Told when the times of last use could not be written; they are tried again a minute later. */
  readonly onLastUsedFailure: (thrown: unknown) => void;
};

export type NewAccount = { readonly name: string; readonly allowExchange?: boolean };
export type NewKey = {
  readonly name: string;
  /** Null or left out: never. */
  readonly expiresAtMs?: number | null;
  /** A key made elsewhere, such as by `modelgate key generate`. Left out: a new one is made. */
  readonly secret?: Secret;
};
/** The only time the secret is there to be shown. */
export type CreatedKey = { readonly record: KeyRecord; readonly secret: Secret };

/** Every method that asks the store @throws GatewayError `store_unavailable` when it does not answer. */
export class Accounts {
  readonly #clock: Clock;
  readonly #store: AccountStore;
  readonly #cache: KeyCache;
  readonly #lastUsed: LastUsed;

  constructor(deps: AccountsDeps) {
    this.#clock = deps.clock;
    this.#store = new AccountStore(deps.sql);
    this.#cache = new KeyCache(deps.clock);
    this.#lastUsed = new LastUsed({
      clock: deps.clock,
      write: (lastUsed) => this.#store.touchKeys(lastUsed),
      onFailure: deps.onLastUsedFailure,
    });
  }

  /**
   * The caller behind `Authorization: Bearer` or `x-api-key`. With both, the one that is valid counts,
   * since client libraries send a leftover of another service in one of them.
   *
   * @throws GatewayError `invalid_api_key` (none given, none valid, or two of different accounts),
   *   `not_allowed` (the account is suspended), `store_unavailable`.
   */
  async authenticateRequest(headers: Headers): Promise<Caller> {
    const [first, second] = credentialsOf(headers);
    if (second === undefined) return await this.authenticate(first);
    const results = await Promise.allSettled([this.authenticate(first), this.authenticate(second)]);
    const callers = results.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
    const refusals = results.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []));
    // Without the store nobody can say whether the two agree, nor whose money it would be.
    for (const refusal of refusals) if (asGatewayError(refusal).status >= 500) throw refusal;
    const [caller, other] = callers;
    if (caller === undefined) throw refusals[0];
    if (other !== undefined && other.accountId !== caller.accountId) throw twoAccounts();
    return caller;
  }

  /**
   * The caller behind a key. A malformed one is refused before the store is asked.
   * @throws GatewayError `invalid_api_key`, `not_allowed`, `store_unavailable`.
   */
  async authenticate(presented: string): Promise<Caller> {
    if (!isWellFormed(presented)) throw malformedKey(presented);
    const digest = hashKey(presented);
    const hash = hexOf(digest);
    let standing = this.#cache.peek(hash);
    if (standing === undefined) {
      const lookup = this.#cache.lookUp(hash, () => this.#store.standing(digest));
      if (lookup === 'busy') throw tooManyLookups();
      standing = await lookup;
    }
    if (standing === null) throw unknownKey();
    const caller = admit(standing, this.#clock.nowMs());
    this.#lastUsed.mark(caller.keyId);
    return caller;
  }

  /** @throws GatewayError `invalid_value` (name). */
  async createAccount(account: NewAccount): Promise<AccountRecord> {
    const record: AccountRecord = {
      id: newId(this.#clock, 'acc'),
      name: checkedName(account.name),
      status: 'active',
      allowExchange: account.allowExchange ?? true,
      createdAtMs: this.#clock.nowMs(),
    };
    await this.#store.insertAccount(record);
    return record;
  }

  /** @throws GatewayError `not_found`. */
  async getAccount(id: string): Promise<AccountRecord> {
    return (await this.#store.account(id)) ?? raise(noSuchAccount(id));
  }

  /** Oldest first. @throws GatewayError `invalid_value` (limit). */
  async listAccounts(page: PageRequest = FIRST_PAGE): Promise<Page<AccountRecord>> {
    return await this.#store.accounts(checkedPage(page));
  }

  /** Suspends or restores an account; in this process at once. @throws GatewayError `not_found`. */
  async setAccountStatus(id: string, status: AccountStatus): Promise<AccountRecord> {
    const account = await this.#store.setAccountStatus(id, status);
    this.#cache.forgetAccount(id);
    return account ?? raise(noSuchAccount(id));
  }

  /**
   * Gives an account a key.
   * @throws GatewayError `not_found` (account), `invalid_value` (name, expires_at, secret), `conflict`
   *   (the secret is in use, or the account has MAX_ACTIVE_KEYS).
   */
  async createKey(accountId: string, key: NewKey): Promise<CreatedKey> {
    const nowMs = this.#clock.nowMs();
    const name = checkedName(key.name);
    const expiresAtMs = key.expiresAtMs ?? null;
    if (expiresAtMs !== null && !(expiresAtMs > nowMs)) {
      throw invalidField(
        'expires_at',
        'expires_at has passed; give a time to come, or leave it out.',
      );
    }
    if (key.secret !== undefined && !isWellFormed(key.secret.reveal())) throw malformedSecret();
    const account = await this.getAccount(accountId);
    if ((await this.#store.countActiveKeys(account.id)) >= MAX_ACTIVE_KEYS)
      throw tooManyKeys(MAX_ACTIVE_KEYS);

    const secret = key.secret ?? generateKey(this.#clock);
    const hash = hashKey(secret.reveal());
    const id = newId(this.#clock, 'key');
    const row = { id, accountId, name, hash, createdAtMs: nowMs, expiresAtMs, ...endsOf(secret) };
    const record = await this.#store.insertKey(row);
    if (record === null) throw secretInUse();
    // It may have been tried before it was there.
    this.#cache.forgetKey(hexOf(hash));
    return { record, secret };
  }

  /** @throws GatewayError `not_found`. */
  async getKey(id: string): Promise<KeyRecord> {
    return this.#withLastUse((await this.#store.key(id)) ?? raise(noSuchKey(id)));
  }

  /** Keys of one account (null: of all), oldest first. @throws GatewayError `invalid_value` (limit). */
  async listKeys(
    accountId: string | null,
    page: PageRequest = FIRST_PAGE,
  ): Promise<Page<KeyRecord>> {
    const { items, next } = await this.#store.keys(accountId, checkedPage(page));
    return { items: items.map((key) => this.#withLastUse(key)), next };
  }

  /**
   * Revokes a key for good. In this process it is refused from now on; elsewhere no hold is given for
   * it from now on. Revoking twice changes nothing.
   * @throws GatewayError `not_found`.
   */
  async revokeKey(id: string): Promise<KeyRecord> {
    const hash = await this.#store.revokeKey(id, this.#clock.nowMs());
    if (hash === null) throw noSuchKey(id);
    this.#cache.forgetKey(hexOf(hash));
    return await this.getKey(id);
  }

  /** Writes the times of last use that wait, and stops. */
  async close(): Promise<void> {
    await this.#lastUsed.close();
  }

  #withLastUse(key: KeyRecord): KeyRecord {
    return { ...key, lastUsedAtMs: this.#lastUsed.latest(key.id, key.lastUsedAtMs) };
  }
}

const FIRST_PAGE: PageRequest = { limit: DEFAULT_PAGE, after: null };

/** The caller, when key and account are in good standing. The expiry is judged now, cached or not. */
function admit(standing: KeyStanding, nowMs: number): Caller {
  if (standing.keyStatus === 'revoked') throw revokedKey(standing.revokedAtMs);
  const { expiresAtMs } = standing;
  if (expiresAtMs !== null && expiresAtMs <= nowMs) throw expiredKey(expiresAtMs);
  if (standing.accountStatus === 'suspended') throw suspendedAccount();
  return {
    accountId: standing.accountId,
    keyId: standing.keyId,
    keyName: standing.keyName,
    allowExchange: standing.allowExchange,
  };
}

function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed.length >= 1 && trimmed.length <= MAX_NAME_CHARS && !/\p{Cc}/u.test(trimmed)) {
    return trimmed;
  }
  throw invalidField(
    'name',
    `name must be 1 to ${MAX_NAME_CHARS} characters of text, without line breaks.`,
  );
}

function checkedPage(page: PageRequest): PageRequest {
  if (Number.isInteger(page.limit) && page.limit >= 1 && page.limit <= MAX_PAGE) return page;
  throw invalidField('limit', `limit must be a whole number from 1 to ${MAX_PAGE}.`);
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function raise(error: GatewayError): never {
  throw error;
}
