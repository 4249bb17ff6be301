/** Identifies the caller of a request by its API key, and decides whether the key may be used. */
import type { Clock } from '../clock.ts';
import { asGatewayError } from '../errors.ts';
import type { Caller, KeyStanding } from './account.ts';
import {
  addressNotAllowed,
  disabledKey,
  expiredAccount,
  expiredKey,
  malformedKey,
  missingKey,
  missingScope,
  replacedSecret,
  revokedKey,
  suspendedAccount,
  tooManyLookups,
  twoAccounts,
  unknownKey,
  wrongScheme,
} from './account-errors.ts';
import { hashHex, hashKey, isWellFormed, KEY_CHARS } from './api-key.ts';
import type { ForeignKeys } from './foreign-keys.ts';
import type { KeyCache } from './key-cache.ts';
import type { KeyStore } from './key-store.ts';
import type { LastUsed } from './last-used.ts';
import { isWithin, parseAddress } from './limits/ip-range.ts';
import { includesScope, type NeededScope, scopesIn } from './scopes.ts';

/** The headers in which clients of Anthropic, Azure and Google send their key. */
const API_KEY_HEADERS = ['x-api-key', 'api-key', 'x-goog-api-key'];
const BEARER = /^Bearer[ \t]+(\S+)[ \t]*$/i;

/** Returns the client's IP address; null when it is unknown. */
export type AddressOf = () => string | null;

export type AuthenticatorDeps = {
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly store: Pick<KeyStore, 'standing'>;
  readonly cache: Pick<KeyCache, 'peek' | 'lookUp'>;
  readonly lastUsed: Pick<LastUsed, 'mark'>;
  readonly foreign: Pick<ForeignKeys, 'mayExist'>;
};

export class Authenticator {
  readonly #deps: AuthenticatorDeps;

  constructor(deps: AuthenticatorDeps) {
    this.#deps = deps;
  }

  /** Implements `Accounts.authenticateRequest`. */
  async request(headers: Headers, address: AddressOf): Promise<Caller> {
    const [first, second] = keysIn(headers);
    const caller = await (second === undefined ? this.key(first) : this.#either(first, second));
    requireAddress(caller, address);
    return caller;
  }

  /** Implements `Accounts.knownCaller`. */
  known(headers: Headers, address: AddressOf): Caller | null {
    const [presented, other] = keysIn(headers);
    if (other !== undefined) return null;
    // This check of the format is enough: the cache contains only well-formed and foreign keys.
    if (presented.length !== KEY_CHARS && !this.#deps.foreign.mayExist(presented)) return null;
    const standing = this.#deps.cache.peek(hashHex(presented)) ?? null;
    if (standing === null) return null;
    const caller = this.#used(standing);
    requireAddress(caller, address);
    return caller;
  }

  /** Implements `Accounts.authenticate`. */
  async key(presented: string): Promise<Caller> {
    const { store, cache, foreign } = this.#deps;
    if (!isWellFormed(presented) && !foreign.mayExist(presented)) throw malformedKey(presented);
    const hash = hashHex(presented);
    let standing = cache.peek(hash);
    if (standing === undefined) {
      const lookup = cache.lookUp(hash, () => store.standing(hashKey(presented)));
      if (lookup === 'busy') throw tooManyLookups();
      standing = await lookup;
    }
    if (standing === null) throw unknownKey();
    return this.#used(standing);
  }

  #used(standing: KeyStanding): Caller {
    const { clock, lastUsed } = this.#deps;
    const caller = callerOf(standing, clock.nowMs());
    lastUsed.mark(caller.keyId);
    return caller;
  }

  async #either(first: string, second: string): Promise<Caller> {
    const results = await Promise.allSettled([this.key(first), this.key(second)]);
    const callers = results.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
    const refusals = results.flatMap((it) => (it.status === 'rejected' ? [it.reason] : []));
    // If the store failed for one of the two keys, the account of that key is unknown. The request
    // must fail, because it is allowed only if both keys belong to the same account.
    for (const refusal of refusals) if (asGatewayError(refusal).status >= 500) throw refusal;
    const [caller, other] = callers;
    if (caller === undefined) throw refusals[0];
    if (other !== undefined && other.accountId !== caller.accountId) throw twoAccounts();
    return caller;
  }
}

/**
 * Returns the one or two different keys of a request: first the one in `Authorization: Bearer`,
 * then the one in the first header of `API_KEY_HEADERS` that is present. If a header of
 * `API_KEY_HEADERS` is present, an `Authorization` header with another scheme is ignored.
 * Otherwise, such a header is refused.
 * @throws GatewayError `invalid_api_key`.
 */
function keysIn(headers: Headers): readonly [string, string?] {
  const authorization = headers.get('authorization') ?? '';
  const bearer = BEARER.exec(authorization)?.[1];
  let apiKey = '';
  for (const name of API_KEY_HEADERS) if (apiKey === '') apiKey = headers.get(name)?.trim() ?? '';
  if (apiKey === '') {
    if (bearer !== undefined) return [bearer];
    throw authorization === '' ? missingKey() : wrongScheme();
  }
  return bearer === undefined || bearer === apiKey ? [apiKey] : [bearer, apiKey];
}

/** Returns the caller of a usable key. @throws GatewayError `invalid_api_key`, `not_allowed`. */
export function callerOf(standing: KeyStanding, nowMs: number): Caller {
  if (standing.keyStatus === 'revoked') throw revokedKey(standing.revokedAtMs);
  if (standing.keyStatus === 'disabled') throw disabledKey();
  const { expiresAtMs, secretUntilMs, accountExpiresAtMs } = standing;
  if (expiresAtMs !== null && expiresAtMs <= nowMs) throw expiredKey(expiresAtMs);
  if (secretUntilMs !== null && secretUntilMs <= nowMs) throw replacedSecret(secretUntilMs);
  if (standing.accountStatus === 'suspended') throw suspendedAccount();
  if (accountExpiresAtMs !== null && accountExpiresAtMs <= nowMs) {
    throw expiredAccount(accountExpiresAtMs);
  }
  let caller = callers.get(standing);
  if (caller === undefined) {
    caller = {
      accountId: standing.accountId,
      keyId: standing.keyId,
      keyName: standing.keyName,
      allowExchange: standing.allowExchange,
      priceList: standing.priceList,
      limits: { key: standing.limits, account: standing.accountLimits },
      scopes: standing.scopes,
    };
    callers.set(standing, caller);
  }
  return caller;
}

/** Caches the `Caller` of each `KeyStanding`, so that it is built only once. */
const callers = new WeakMap<KeyStanding, Caller>();
const LIMIT_OWNERS = ['key', 'account'] as const;

/** Requires that the key has the scope. @throws GatewayError `not_allowed`. */
export function requireScope({ scopes }: Pick<Caller, 'scopes'>, needed: NeededScope): void {
  if (!includesScope(scopes, needed)) throw missingScope(scopesIn(scopes), needed);
}

/** Checks the caller's address against the IP ranges. @throws GatewayError `not_allowed`. */
export function requireAddress({ limits }: Caller, address: AddressOf): void {
  for (const owner of LIMIT_OWNERS) {
    const ranges = limits[owner].ipRanges;
    if (ranges === null) continue;
    const seen = address();
    const parsed = seen === null ? null : parseAddress(seen);
    if (parsed === null || !ranges.some((range) => isWithin(parsed, range))) {
      throw addressNotAllowed(owner, seen);
    }
  }
}
