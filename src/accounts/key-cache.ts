/** Caches recently presented keys, so that a frequently used key costs one query per 30 seconds. */
import type { Clock } from '../clock.ts';
import type { KeyStanding } from './account.ts';
import { lookupTimedOut } from './account-errors.ts';

/**
 * The maximum number of existing keys in the cache, about 4 MB. With more keys in use, the store is
 * queried more often.
 */
export const MAX_KNOWN_KEYS = 10_000;
/**
 * The maximum number of unknown keys in the cache. Unknown keys have their own limit, so that they
 * evict no existing keys.
 */
export const MAX_UNKNOWN_KEYS = 10_000;
/**
 * How long an existing key stays cached. If the change feed fails, a revocation takes effect only
 * after this time. This risks no money, since the ledger checks key and account again before each
 * hold.
 */
export const KNOWN_FOR_MS = 30_000;
/**
 * How long an unknown key stays cached. This is short, since the key may be created after the
 * lookup.
 */
export const UNKNOWN_FOR_MS = 5_000;
/** The maximum number of concurrent lookups. When it is reached, the store counts as overloaded. */
export const MAX_LOOKUPS = 1_000;
/** How long a caller waits for a lookup. A query to a hanging store may take much longer. */
export const LOOKUP_TIMEOUT_MS = 2_000;

type Entry = { readonly standing: KeyStanding | null; readonly untilMs: number };

/**
 * Caches entries by the full SHA-256 of a key in hex. A prefix of the hash is not enough, since two
 * keys may share it.
 */
export class KeyCache {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'after'>;
  readonly #known = new Map<string, Entry>();
  readonly #unknown = new Map<string, Entry>();
  readonly #lookups = new Map<string, Promise<KeyStanding | null>>();

  constructor(clock: Pick<Clock, 'monotonicMs' | 'after'>) {
    this.#clock = clock;
  }

  /** The number of entries; at most MAX_KNOWN_KEYS + MAX_UNKNOWN_KEYS. */
  get size(): number {
    return this.#known.size + this.#unknown.size;
  }

  /** Returns the state of a key; null if the key does not exist, undefined if it is not cached. */
  peek(hash: string): KeyStanding | null | undefined {
    const entry = this.#known.get(hash) ?? this.#unknown.get(hash);
    if (entry === undefined || entry.untilMs <= this.#clock.monotonicMs()) return undefined;
    return entry.standing;
  }

  /**
   * Looks up a key. Concurrent callers share one lookup. Returns `busy` if MAX_LOOKUPS lookups are
   * already running.
   * @throws GatewayError `store_unavailable` after LOOKUP_TIMEOUT_MS. While the lookup is still
   *   running, later callers get this error at once. If the lookup succeeds later, its result is
   *   cached.
   */
  lookUp(
    hash: string,
    load: () => Promise<KeyStanding | null>,
  ): Promise<KeyStanding | null> | 'busy' {
    const underWay = this.#lookups.get(hash);
    if (underWay !== undefined) return underWay;
    if (this.#lookups.size >= MAX_LOOKUPS) return 'busy';
    const { promise: result, resolve, reject } = Promise.withResolvers<KeyStanding | null>();
    const deadline = this.#clock.after(LOOKUP_TIMEOUT_MS, () => reject(lookupTimedOut()));
    this.#lookups.set(hash, result);
    // Drops the result if a change has invalidated the lookup, because the result may be older than
    // the change.
    const finish = (standing: KeyStanding | null | undefined): void => {
      deadline.cancel();
      if (this.#lookups.get(hash) !== result) return;
      this.#lookups.delete(hash);
      if (standing !== undefined) this.#keep(hash, standing);
    };
    load().then(
      (standing) => {
        finish(standing);
        resolve(standing);
      },
      (thrown: unknown) => {
        finish(undefined);
        reject(thrown);
      },
    );
    return result;
  }

  /**
   * Invalidates a key and all running lookups. Also invalidates all unknown keys, because the
   * change may be the creation of a key that is cached as unknown.
   */
  forgetKey(keyId: string): void {
    this.#forgetWhere((standing) => standing.keyId === keyId);
    this.#unknown.clear();
  }

  /** Invalidates all keys of an account, and all running lookups. */
  forgetAccount(accountId: string): void {
    this.#forgetWhere((standing) => standing.accountId === accountId);
  }

  /** Invalidates all keys, and all running lookups. */
  forgetAll(): void {
    this.#forgetWhere(() => true);
    this.#unknown.clear();
  }

  #forgetWhere(isMeant: (standing: KeyStanding) => boolean): void {
    for (const [hash, { standing }] of this.#known) {
      if (standing !== null && isMeant(standing)) this.#known.delete(hash);
    }
    // Any running lookup may be a lookup of a changed key, so all lookups are dropped.
    this.#lookups.clear();
  }

  #keep(hash: string, standing: KeyStanding | null): void {
    this.#known.delete(hash);
    this.#unknown.delete(hash);
    const nowMs = this.#clock.monotonicMs();
    if (standing === null) {
      makeRoom(this.#unknown, MAX_UNKNOWN_KEYS);
      this.#unknown.set(hash, { standing, untilMs: nowMs + UNKNOWN_FOR_MS });
    } else {
      makeRoom(this.#known, MAX_KNOWN_KEYS);
      this.#known.set(hash, { standing, untilMs: nowMs + KNOWN_FOR_MS });
    }
  }
}

/** Drops the oldest entry of a full map. Maps iterate in insertion order. */
function makeRoom(entries: Map<string, Entry>, max: number): void {
  if (entries.size < max) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
