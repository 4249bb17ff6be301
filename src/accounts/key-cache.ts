/** What is known of recently presented keys, so that a busy key costs the store one look in half a minute. */
import type { Clock } from '../clock.ts';
import type { KeyStanding } from './account.ts';
import { lookupTimedOut } from './account-errors.ts';

/** About 4 MB when full; an installation with more busy keys than this only asks its store more often. */
export const MAX_KNOWN_KEYS = 10_000;
/** A room of its own, so that a flood of invented keys pushes out no real one. */
export const MAX_UNKNOWN_KEYS = 10_000;
/**
 * How long a change may be missed when the control feed cannot tell of it. It cannot cost money: a hold
 * checks key and account again in the statement that takes it.
 */
export const KNOWN_FOR_MS = 30_000;
/** Short, since a key may be created right after a first try with it. */
export const UNKNOWN_FOR_MS = 5_000;
/** Lookups under way at once, each for another key. Beyond this the store is not keeping up. */
export const MAX_LOOKUPS = 1_000;
/**
 * How long a caller waits for a lookup; one takes milliseconds. A store that stands still keeps it for as
 * long as a statement may take, which no caller has to wait for.
 */
export const LOOKUP_TIMEOUT_MS = 2_000;

type Entry = { readonly standing: KeyStanding | null; readonly untilMs: number };

/** Keyed by the full SHA-256 in hex: part of a hash, or of a key, could be another key's. */
export class KeyCache {
  readonly #clock: Pick<Clock, 'monotonicMs' | 'after'>;
  readonly #known = new Map<string, Entry>();
  readonly #unknown = new Map<string, Entry>();
  readonly #lookups = new Map<string, Promise<KeyStanding | null>>();

  constructor(clock: Pick<Clock, 'monotonicMs' | 'after'>) {
    this.#clock = clock;
  }

  /** How many entries it holds; never above MAX_KNOWN_KEYS + MAX_UNKNOWN_KEYS. */
  get size(): number {
    return this.#known.size + this.#unknown.size;
  }

  /** The standing, null for a key that is known not to exist, undefined when nothing fresh is known. */
  peek(hash: string): KeyStanding | null | undefined {
    const entry = this.#known.get(hash) ?? this.#unknown.get(hash);
    if (entry === undefined || entry.untilMs <= this.#clock.monotonicMs()) return undefined;
    return entry.standing;
  }

  /**
   * Looks the key up; callers that ask for the same key meanwhile share the one lookup. A failure is
   * not kept. `busy` when too many lookups are under way already.
   * @throws GatewayError `store_unavailable` when it takes longer than LOOKUP_TIMEOUT_MS, and at once to
   *   those who come while it still runs; what it finds in the end is kept all the same.
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
    // Forgotten meanwhile: what the lookup read may have been written over since.
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
   * What was known of the key no longer holds, for each of its secrets; nor does what a lookup under way
   * may have read. One that is new was perhaps tried before it was there.
   */
  forgetKey(keyId: string): void {
    this.#forgetWhere((standing) => standing.keyId === keyId);
    this.#unknown.clear();
  }

  /** As `forgetKey`, for all keys of an account. */
  forgetAccount(accountId: string): void {
    this.#forgetWhere((standing) => standing.accountId === accountId);
  }

  #forgetWhere(isMeant: (standing: KeyStanding) => boolean): void {
    for (const [hash, { standing }] of this.#known) {
      if (standing !== null && isMeant(standing)) this.#known.delete(hash);
    }
    // Whose key a lookup will find is not known yet, so none of them may be kept.
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

/** A map lists its oldest entry first, which is also the one that ends soonest. */
function makeRoom(entries: Map<string, Entry>, max: number): void {
  if (entries.size < max) return;
  const oldest = entries.keys().next();
  if (!oldest.done) entries.delete(oldest.value);
}
