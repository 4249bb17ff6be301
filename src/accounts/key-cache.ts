/** Caches recently presented keys, so that a busy key costs one query per 30 seconds. */
import type { Clock } from '../clock.ts';
import type { KeyStanding } from './account.ts';
import { lookupTimedOut } from './account-errors.ts';

/** The most existing keys in the cache, about 4 MB. With more, the store is queried more often. */
export const MAX_KNOWN_KEYS = 10_000;
/** The most unknown keys in the cache, a separate limit so that made-up keys evict no real ones. */
export const MAX_UNKNOWN_KEYS = 10_000;
/**
 * How long an existing key stays cached. If the change feed fails, a revocation takes effect only
 * after this time. No money is at risk: the statement that places a hold checks key and account
 * again.
 */
export const KNOWN_FOR_MS = 30_000;
/** How long an unknown key stays cached. Short, since it may be created after the lookup. */
export const UNKNOWN_FOR_MS = 5_000;
/** The most concurrent lookups of different keys. With more, the store counts as overloaded. */
export const MAX_LOOKUPS = 1_000;
/** How long a caller waits for a lookup. A query to a store that hangs may take much longer. */
export const LOOKUP_TIMEOUT_MS = 2_000;

type Entry = { readonly standing: KeyStanding | null; readonly untilMs: number };

/**
 * Entries are found by the full SHA-256 of a key in hex, because the hashes of two keys may share a
 * prefix.
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

  /** Returns the cached key: null if there is no such key, undefined without a fresh entry. */
  peek(hash: string): KeyStanding | null | undefined {
    const entry = this.#known.get(hash) ?? this.#unknown.get(hash);
    if (entry === undefined || entry.untilMs <= this.#clock.monotonicMs()) return undefined;
    return entry.standing;
  }

  /**
   * Looks up a key. Concurrent callers share one lookup. Returns `busy` when there are too many
   * lookups.
   * @throws GatewayError `store_unavailable` after LOOKUP_TIMEOUT_MS. Until the lookup ends, later
   *   callers get this error at once. A failure is not cached, but a result that comes later is.
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
    // The result of an invalidated lookup is not cached: it may be older than the change.
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

  /** Invalidates a key, all running lookups, and all unknown keys, since the key may be new. */
  forgetKey(keyId: string): void {
    this.#forgetWhere((standing) => standing.keyId === keyId);
    this.#unknown.clear();
  }

  /** Invalidates all keys of an account, and all running lookups. */
  forgetAccount(accountId: string): void {
    this.#forgetWhere((standing) => standing.accountId === accountId);
  }

  #forgetWhere(isMeant: (standing: KeyStanding) => boolean): void {
    for (const [hash, { standing }] of this.#known) {
      if (standing !== null && isMeant(standing)) this.#known.delete(hash);
    }
    // A running lookup may be of a changed key, which is unknown until it ends, so all are dropped.
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

/** A map iterates in insertion order, so its first entry is the oldest and expires first. */
function makeRoom(entries: Map<string, Entry>, max: number): void {
  if (entries.size < max) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
