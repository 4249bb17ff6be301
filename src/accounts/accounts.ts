/** Manages accounts and API keys: names, limits and status. The ledger manages their money. */
import { type Clock, newId } from '../clock.ts';
import type { HeldInMemory } from '../ledger/held-in-memory.ts';
import { auditEntry } from '../store/audit.ts';
import type { SqlExecutor } from '../store/sql.ts';
import {
  type AccountChange,
  type AccountRecord,
  type Actor,
  type Caller,
  type CreatedKey,
  MAX_KEYS,
  MAX_NEW_KEYS,
  type NewAccount,
  type NewKey,
} from './account.ts';
import {
  accountAction,
  accountState,
  accountTag,
  changed,
  checkedName,
  differences,
} from './account-change.ts';
import {
  malformedSecret,
  noSuchAccount,
  secretInUse,
  tooManyKeys,
  tooManyNewKeys,
} from './account-errors.ts';
import { AccountStore } from './account-store.ts';
import { isWellFormed } from './api-key.ts';
import { type AddressOf, Authenticator, callerOf, requireAddress } from './authentication.ts';
import { type Change, LOST } from './change-feed.ts';
import { ForeignKeys } from './foreign-keys.ts';
import { KeyCache } from './key-cache.ts';
import { KeyStore } from './key-store.ts';
import { Keys, newKey, requireFuture } from './keys.ts';
import { LastUsed } from './last-used.ts';
import { capsOf } from './limits/spend-windows.ts';
import { type IfMatch, nextRevision, requireMatch, retryOnConflict } from './optimistic-update.ts';
import { checkedPage, FIRST_PAGE, type Page, type PageRequest } from './page.ts';
import { type Player, PlaygroundKeys } from './playground-keys.ts';

export type AccountsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  readonly inMemory: HeldInMemory;
  /**
   * Called when the times of the keys' last use cannot be written. The write is retried after a
   * minute.
   */
  readonly onLastUsedFailure: (thrown: unknown) => void;
};

/** Every method that queries the store may throw GatewayError `store_unavailable`. */
export class Accounts {
  readonly #clock: Clock;
  readonly #store: AccountStore;
  readonly #keyStore: KeyStore;
  readonly #playground: PlaygroundKeys;
  readonly #cache: KeyCache;
  readonly #lastUsed: LastUsed;
  readonly #foreign: ForeignKeys;
  readonly #authenticator: Authenticator;

  constructor(deps: AccountsDeps) {
    this.#clock = deps.clock;
    this.#store = new AccountStore(deps.sql, deps.clock, deps.inMemory);
    this.#keyStore = new KeyStore(deps.sql, deps.clock, deps.inMemory);
    this.#playground = new PlaygroundKeys({ clock: deps.clock, store: this.#keyStore });
    this.#cache = new KeyCache(deps.clock);
    this.#foreign = new ForeignKeys(() => this.#keyStore.forms());
    this.#lastUsed = new LastUsed({
      clock: deps.clock,
      write: (lastUsed) => this.#keyStore.writeLastUsed(lastUsed),
      onFailure: deps.onLastUsedFailure,
    });
    this.#authenticator = new Authenticator({ ...this.#keyDeps(), foreign: this.#foreign });
  }

  /**
   * Authenticates a request by `Authorization: Bearer`, `x-api-key`, `api-key` or `x-goog-api-key`.
   * If a request has two keys, one valid key is enough, since a client library may add a key that
   * was configured for another service.
   * @throws GatewayError `invalid_api_key` (no valid key, or keys of two accounts), `not_allowed`
   *   (a suspended or expired account, or an address outside the IP ranges), `store_unavailable`.
   */
  async authenticateRequest(headers: Headers, address: AddressOf): Promise<Caller> {
    return await this.#authenticator.request(headers, address);
  }

  /**
   * Like `authenticateRequest`, but synchronous. Returns null unless the request has exactly one
   * key and the cache knows that this key exists. If null, call `authenticateRequest`.
   */
  knownCaller(headers: Headers, address: AddressOf): Caller | null {
    return this.#authenticator.known(headers, address);
  }

  /**
   * Returns the caller for the person's playground key in the account. Creates the key if it is
   * missing.
   * @throws GatewayError as `authenticateRequest`, and as `PlaygroundKeys.of`.
   */
  async playgroundOf(accountId: string, person: Player, address: AddressOf): Promise<Caller> {
    const caller = callerOf(await this.#playground.of(accountId, person), this.#clock.nowMs());
    requireAddress(caller, address);
    this.#lastUsed.mark(caller.keyId);
    return caller;
  }

  /** Authenticates a key. @throws GatewayError `invalid_api_key`, `not_allowed`. */
  async authenticate(presented: string): Promise<Caller> {
    return await this.#authenticator.key(presented);
  }

  /**
   * Creates an account. With `onlyFirst`, returns the oldest account if there is one.
   * @throws GatewayError `invalid_value` (name).
   */
  async createAccount(account: NewAccount, actor: Actor = 'system'): Promise<AccountRecord> {
    const id = newId(this.#clock, 'acc');
    const row = {
      id,
      name: checkedName(account.name),
      allowExchange: account.allowExchange ?? true,
      createdAtMs: this.#clock.nowMs(),
      revision: newId(this.#clock, 'rev'),
    };
    const after = { name: row.name, allow_exchange: row.allowExchange };
    const entry = auditEntry(this.#clock, actor, 'account.create', id, after);
    if (await this.#store.insertAccount(row, entry, account.onlyFirst ?? false))
      return await this.getAccount(id);
    const { items } = await this.#store.accounts({ limit: 1, after: null });
    return items[0] ?? (await this.getAccount(id));
  }

  /** Returns an account. @throws GatewayError `not_found`. */
  async getAccount(id: string): Promise<AccountRecord> {
    const account = await this.#store.account(id);
    if (account === null) throw noSuchAccount(id);
    return account;
  }

  /** Lists accounts, oldest first. @throws GatewayError `invalid_value` (limit). */
  async listAccounts(page: PageRequest = FIRST_PAGE): Promise<Page<AccountRecord>> {
    return await this.#store.accounts(checkedPage(page));
  }

  /**
   * Changes an account. The change takes effect in this process at once, in others within 0.5 s.
   * @throws GatewayError `not_found`, `invalid_value` (name), `conflict` (concurrent changes),
   *   `revision_changed` (`ifMatch`).
   */
  async updateAccount(
    id: string,
    change: AccountChange,
    actor: Actor,
    ifMatch: IfMatch = null,
  ): Promise<AccountRecord> {
    return await retryOnConflict(async () => {
      const was = await this.getAccount(id);
      requireMatch(ifMatch, accountTag(was));
      const update = {
        ...changed(was, change),
        status: change.status ?? was.status,
        allowExchange: change.allowExchange ?? was.allowExchange,
        priceList: change.priceList === undefined ? was.priceList : change.priceList,
      };
      const before = accountState({ ...was, caps: capsOf(was.spend) });
      const after = accountState(update);
      const detail = differences(before, after);
      if (detail === null) return was;
      const action = accountAction(was.status, update.status, change);
      const entry = auditEntry(this.#clock, actor, action, id, detail);
      const isMade = await this.#store.updateAccount(
        id,
        nextRevision(this.#clock, was),
        update,
        entry,
      );
      this.#cache.forgetAccount(id);
      return isMade ? await this.getAccount(id) : null;
    });
  }

  /**
   * Creates a key.
   * @throws GatewayError `not_found` (account), `invalid_value` (name, expires_at, secret),
   *   `conflict` (the secret is in use, or MAX_KEYS or MAX_NEW_KEYS is reached).
   */
  async createKey(accountId: string, key: NewKey, actor: Actor = 'system'): Promise<CreatedKey> {
    const name = checkedName(key.name);
    requireFuture(key.expiresAtMs ?? null, this.#clock);
    if (key.secret !== undefined && !isWellFormed(key.secret.reveal())) throw malformedSecret();
    await this.getAccount(accountId);
    const { row, entry, secret } = newKey(this.#clock, accountId, { ...key, name }, null, actor);
    if (!(await this.#keyStore.insertKey(row, entry, key.onlyFirst ?? false))) {
      const { standing, fresh } = await this.#keyStore.countKeys(accountId);
      if (standing >= MAX_KEYS) throw tooManyKeys(MAX_KEYS);
      throw fresh >= MAX_NEW_KEYS ? tooManyNewKeys(MAX_NEW_KEYS) : secretInUse();
    }
    this.#cache.forgetKey(row.id);
    return { record: await this.keysOf(accountId).get(row.id), secret };
  }

  /**
   * Returns access to the keys of one account or of all accounts.
   * @param accountId the account of the keys; null for all accounts (administrators only).
   * @param creatorId the person whose keys can be changed; null for all keys of the account.
   */
  keysOf(accountId: string | null, creatorId: string | null = null): Keys {
    return new Keys(this.#keyDeps(), accountId, creatorId);
  }

  #keyDeps() {
    return {
      clock: this.#clock,
      store: this.#keyStore,
      cache: this.#cache,
      lastUsed: this.#lastUsed,
    };
  }

  /**
   * Loads the formats of the foreign keys in the store. Foreign keys are API keys of other
   * gateways. Before the first call, all foreign keys are refused.
   * @throws GatewayError `store_unavailable`.
   */
  async findForeignKeys(): Promise<void> {
    await this.#foreign.refresh();
  }

  /** Removes from the cache a key or account that another process has changed. */
  forget(change: Change): void {
    const { action, subject } = change;
    if (change === LOST) this.#cache.forgetAll();
    if (action.startsWith('key.')) this.#cache.forgetKey(subject);
    if (action.startsWith('account.')) this.#cache.forgetAccount(subject);
  }

  /**
   * Stops the background writes of the keys' last use, and writes the times that are still pending.
   */
  async close(): Promise<void> {
    await this.#lastUsed.close();
  }
}
