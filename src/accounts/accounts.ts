/** Who asks: accounts and their API keys. Money is the ledger's; this room knows names, keys and rights. */
import { type Clock, newId } from '../clock.ts';
import type { Secret } from '../config/secret.ts';
import { asGatewayError, type GatewayError } from '../errors.ts';
import type { SqlExecutor } from '../ledger/database.ts';
import type {
  AccountRecord,
  AccountStatus,
  KeyPurpose,
  KeyRecord,
  KeyStanding,
} from './account.ts';
import { accountAction, changed, checkedName, checkedPage } from './account-change.ts';
import {
  malformedKey,
  malformedSecret,
  noSuchAccount,
  secretInUse,
  tooManyKeys,
  tooManyLookups,
  twoAccounts,
  unknownKey,
} from './account-errors.ts';
import { AccountStore, type NewKeyRow, type Page, type PageRequest } from './account-store.ts';
import { endsOf, generateKey, hashKey, isWellFormed, maskOf } from './api-key.ts';
import { credentialsOf } from './authentication.ts';
import { accountState, differences, stateOf, text } from './change-detail.ts';
import type { Change } from './change-feed.ts';
import { KeyCache } from './key-cache.ts';
import { Keys, requireToCome } from './keys.ts';
import { LastUsed } from './last-used.ts';
import { admit, requireAddress } from './limits/admission.ts';
import {
  changedCaps,
  changedLimits,
  type Limits,
  type LimitsChange,
  NO_CAPS,
  NO_LIMITS,
} from './limits/limits.ts';
import { capsOf } from './limits/spend-windows.ts';
import { auditEntry, nextRevision, retried } from './optimistic-update.ts';

/** An authenticated key: what the rest of a request needs to know of who asks. */
export type Caller = {
  readonly accountId: string;
  readonly keyId: string;
  readonly keyName: string;
  /** Whether a wallet that is short may draw on the other currency (default true). */
  readonly allowExchange: boolean;
  readonly limits: CallerLimits;
};
/** Both hold; the ledger judges spending caps, `Limiter` the rest but addresses, which are judged here. */
export type CallerLimits = { readonly key: Limits; readonly account: Limits };

export const MAX_NAME_CHARS = 100;
/** Far more than a team needs, and few enough that a runaway script is noticed. */
export const MAX_KEYS = 1_000;
/** What the key of the console's playground is called. */
const PLAYGROUND_KEY = 'Playground';
export const MAX_PAGE = 1_000;
export const DEFAULT_PAGE = 100;

export type AccountsDeps = {
  readonly sql: SqlExecutor;
  readonly clock: Clock;
  /** Told when the times of last use could not be written; they are tried again a minute later. */
  readonly onLastUsedFailure: (thrown: unknown) => void;
};

/** Who ordered a change, as the audit log names them: `admin`, `system`, `key_...`, `usr_...`. */
export type Actor = string;

export type NewAccount = { readonly name: string; readonly allowExchange?: boolean };
export type NewKey = {
  readonly name: string;
  /** Null or left out: never. */
  readonly expiresAtMs?: number | null;
  readonly limits?: LimitsChange | undefined;
  /** A key made elsewhere, such as by `modelgate key generate`. Left out: a new one is made. */
  readonly secret?: Secret;
};
/** What is left out stays as it is. */
export type KeyChange = {
  readonly name?: string | undefined;
  readonly expiresAtMs?: number | null | undefined;
  readonly limits?: LimitsChange | undefined;
};
export type AccountChange = KeyChange & {
  readonly status?: AccountStatus | undefined;
  readonly allowExchange?: boolean | undefined;
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
    this.#store = new AccountStore(deps.sql, deps.clock);
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
   *   `not_allowed` (the account is suspended or has expired, or the address is not within the ranges
   *   of key and account), `store_unavailable`.
   */
  async authenticateRequest(headers: Headers, address: () => string | null): Promise<Caller> {
    const caller = await this.#authenticated(headers);
    requireAddress(caller, address);
    return caller;
  }

  /**
   * The key that the account has for its playground; one is made when there is none, or none any more. No
   * one ever sees its secret, so nobody else can use it.
   * @param actor who wants to use it, and makes it.
   * @throws GatewayError as `authenticateRequest`, and `conflict` (the account has MAX_KEYS).
   */
  async playgroundOf(
    accountId: string,
    actor: Actor,
    address: () => string | null,
  ): Promise<Caller> {
    const standing =
      (await this.#store.standingFor(accountId, 'playground')) ??
      (await this.#makePlayground(accountId, actor));
    const caller = admit(standing, this.#clock.nowMs());
    requireAddress(caller, address);
    this.#lastUsed.mark(caller.keyId);
    return caller;
  }

  /** Of two that make it at once, one does, and both get it. */
  async #makePlayground(accountId: string, actor: Actor): Promise<KeyStanding> {
    const { row, entry } = this.#newKey(accountId, { name: PLAYGROUND_KEY }, 'playground', actor);
    await this.#store.insertKey(row, MAX_KEYS, entry);
    const standing = await this.#store.standingFor(accountId, 'playground');
    return standing ?? raise(tooManyKeys(MAX_KEYS));
  }

  async #authenticated(headers: Headers): Promise<Caller> {
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
    await this.#store.insertAccount(
      row,
      auditEntry(this.#clock, actor, 'account.create', id, after),
    );
    return await this.getAccount(id);
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
  async setAccountStatus(
    id: string,
    status: AccountStatus,
    actor: Actor = 'system',
  ): Promise<AccountRecord> {
    return await this.updateAccount(id, { status }, actor);
  }

  /**
   * Changes an account; in this process at once, elsewhere within half a second.
   * @throws GatewayError `not_found`, `invalid_value` (name), `conflict` (others change it all the time).
   */
  async updateAccount(id: string, change: AccountChange, actor: Actor): Promise<AccountRecord> {
    return await retried(async () => {
      const was = await this.getAccount(id);
      const update = {
        ...changed(was, change),
        status: change.status ?? was.status,
        allowExchange: change.allowExchange ?? was.allowExchange,
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
   * Gives an account a key.
   * @throws GatewayError `not_found` (account), `invalid_value` (name, expires_at, secret), `conflict`
   *   (the secret is in use, or the account has MAX_KEYS).
   */
  async createKey(accountId: string, key: NewKey, actor: Actor = 'system'): Promise<CreatedKey> {
    const name = checkedName(key.name);
    requireToCome(key.expiresAtMs ?? null, this.#clock);
    if (key.secret !== undefined && !isWellFormed(key.secret.reveal())) throw malformedSecret();
    await this.getAccount(accountId);
    const { row, entry, secret } = this.#newKey(accountId, { ...key, name }, null, actor);
    if (!(await this.#store.insertKey(row, MAX_KEYS, entry))) {
      const keys = await this.#store.countKeys(accountId);
      throw keys >= MAX_KEYS ? tooManyKeys(MAX_KEYS) : secretInUse();
    }
    this.#cache.forgetKey(row.id);
    return { record: await this.keysOf(accountId).get(row.id), secret };
  }

  #newKey(accountId: string, key: NewKey, purpose: KeyPurpose | null, actor: Actor) {
    const secret = key.secret ?? generateKey(this.#clock);
    const id = newId(this.#clock, 'key');
    const set = {
      name: key.name,
      expiresAtMs: key.expiresAtMs ?? null,
      limits: changedLimits(NO_LIMITS, key.limits ?? {}),
      caps: changedCaps(NO_CAPS, key.limits ?? {}),
    };
    const row: NewKeyRow = {
      id,
      accountId,
      ...set,
      purpose,
      hash: hashKey(secret.reveal()),
      createdAtMs: this.#clock.nowMs(),
      revision: newId(this.#clock, 'rev'),
      ...endsOf(secret),
    };
    const detail = { account_id: accountId, masked: maskOf(row), after: text(stateOf(set)) };
    return { row, entry: auditEntry(this.#clock, actor, 'key.create', id, detail), secret };
  }

  /** @param accountId null: the keys of all accounts, which are for administrators alone. */
  keysOf(accountId: string | null): Keys {
    const deps = { clock: this.#clock, store: this.#store };
    return new Keys({ ...deps, cache: this.#cache, lastUsed: this.#lastUsed }, accountId);
  }

  /** What another process changed, by its entry in the audit log, is read anew. */
  forget({ action, subject }: Change): void {
    if (action.startsWith('key.')) this.#cache.forgetKey(subject);
    if (action.startsWith('account.')) this.#cache.forgetAccount(subject);
  }

  /** Writes the times of last use that wait, and stops. */
  async close(): Promise<void> {
    await this.#lastUsed.close();
  }
}

export const FIRST_PAGE: PageRequest = { limit: DEFAULT_PAGE, after: null };

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

function raise(error: GatewayError): never {
  throw error;
}
