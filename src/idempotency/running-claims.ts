/**
 * The claims of Idempotency-Keys by requests of this process. A key cannot be claimed again while
 * the request of its claim holds money or was charged and no row of the store shows this yet. The
 * claim's lease alone does not ensure this: a jump of the clock, or a long outage of the store, may
 * end the lease too early.
 */
import { timingSafeEqual } from 'node:crypto';
import type { ClaimRow } from './idempotency-statements.ts';

export type KeyedRequest = {
  /** The Idempotency-Key as it was sent. */
  readonly key: string;
  /** The owner of the Idempotency-Key: an account's id, a person's id, or `admin`. */
  readonly ownerId: string;
  /** The operation: an endpoint's path without its prefix, or `CHANGE`. */
  readonly operation: string;
  /** A hash (32 bytes) of the request's content. A repeat must have the same hash. */
  readonly meaning: Uint8Array;
  readonly requestId: string;
};

/** The permission to run a request. The caller must end it by `keep`, `spend` or `release`. */
export type Granted = Pick<KeyedRequest, 'key' | 'ownerId'> & {
  readonly claimId: string;
  readonly requestId: string;
  /** Owner, operation and key in one string, by which claims are found. */
  readonly place: string;
};

export type Claimed =
  | { readonly kind: 'granted'; readonly granted: Granted }
  /** The request already ran, and its answer was stored. */
  | { readonly kind: 'kept'; readonly requestId: string; readonly answer: Uint8Array }
  /** The request already ran and was charged, but its answer was not stored. */
  | { readonly kind: 'spent'; readonly requestId: string }
  | { readonly kind: 'running' }
  /** The process that ran the request has no lease, and a charge may wait on its disk. */
  | { readonly kind: 'in_doubt' }
  /** The key was already used for a request with different content. */
  | { readonly kind: 'reused' };

/**
 * Maximum claims in memory, more than the requests that can run at a time. Any further claim relies
 * only on its lease.
 */
const MAX_RUNNING = 10_000;

export class RunningClaims {
  /** The claims by owner, operation and key. */
  readonly #claims = new Map<string, ClaimRow>();
  /**
   * The ids of claims whose requests were charged, although the store has not recorded that yet.
   */
  readonly #charged = new Set<string>();
  /** The claims by request id. */
  readonly #byRequest = new Map<string, ClaimRow>();
  readonly #isHeld: (requestId: string) => boolean;

  constructor(isHeld: (requestId: string) => boolean) {
    this.#isHeld = isHeld;
  }

  /** Remembers a granted claim. */
  begin(request: KeyedRequest, row: ClaimRow): Granted {
    const { key, ownerId, requestId } = request;
    const { claimId } = row;
    const place = placeOf(request);
    if (this.#claims.size < MAX_RUNNING) this.#claims.set(place, row);
    if (this.#byRequest.size < MAX_RUNNING) this.#byRequest.set(requestId, row);
    return { key, ownerId, requestId, claimId, place };
  }

  /** Returns the claim under which a request runs; null for a request without a key. */
  claimOf(requestId: string): ClaimRow | null {
    return this.#byRequest.get(requestId) ?? null;
  }

  end({ place, claimId, requestId }: Granted): void {
    this.#charged.delete(claimId);
    this.#byRequest.delete(requestId);
    if (this.#claims.get(place)?.claimId === claimId) this.#claims.delete(place);
  }

  /** Remembers that a claim's request was charged, until `end` is called. */
  charged({ place, claimId }: Granted): void {
    if (this.#claims.get(place)?.claimId === claimId) this.#charged.add(claimId);
  }

  /**
   * Returns `running` or `reused` for a request whose key cannot be claimed again yet; null for any
   * other request.
   */
  answerTo(request: KeyedRequest): Claimed | null {
    const running = this.#claims.get(placeOf(request));
    if (running === undefined) return null;
    if (!this.#charged.has(running.claimId) && !this.#isHeld(running.requestId)) return null;
    return { kind: timingSafeEqual(running.meaning, request.meaning) ? 'running' : 'reused' };
  }
}

const placeOf = ({ ownerId, operation, key }: KeyedRequest): string =>
  JSON.stringify([ownerId, operation, key]);
