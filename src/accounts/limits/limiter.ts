/**
 * Enforces the limits of key and account in memory, with integer leaky buckets on monotonic time.
 * Each of N live nodes gets 1/N of a rate limit and of a concurrency limit, but at least one
 * request. So a limit of 1 per minute first admits one request on each node, and a concurrency
 * limit below N can be exceeded, up to N.
 */
import type { Clock } from '../../clock.ts';
import type { GatewayError } from '../../errors.ts';
import type { Caller } from '../account.ts';
import {
  limitReached,
  notAllowedByList,
  rateTrackingFull,
  requestTooLarge,
} from '../account-errors.ts';
import {
  drain,
  type LeakyBucket,
  newBucket,
  remainingOf,
  resetMs,
  take,
  waitMs,
} from './leaky-bucket.ts';
import type { Limits } from './limits.ts';
import { NO_HEADERS, type RateDialect, type RateState, rateHeaders } from './rate-headers.ts';

/** The most keys and accounts tracked, about 20 MB. Owners without limits are not tracked. */
export const MAX_COUNTED = 100_000;
/** How often empty buckets are dropped. */
const SWEEP_MS = 60_000;
/** The `retry-after` at the concurrency limit, since nobody knows when another request will end. */
const CONCURRENCY_RETRY_MS = 1_000;

export type RateRequest = {
  readonly model: string;
  /** The channel that will serve the request. */
  readonly channel: string;
  /** The estimated input tokens. The actual count replaces the estimate at the end. */
  readonly tokens: number;
};

export type Permit = {
  /** Returns the current rate-limit headers; empty if neither key nor account has a rate limit. */
  headers(dialect: RateDialect): Readonly<Record<string, string>>;
  /** Ends the request. Only the first call counts. @param tokensUsed null if none were used. */
  end(tokensUsed: number | null): void;
};

/** The name of the limit on requests, for error messages. */
export type RequestLimit = 'requests_per_minute' | 'count_tokens_per_minute';

export type LimiterDeps = {
  readonly clock: Pick<Clock, 'monotonicMs' | 'nowMs'>;
  readonly requestLimit?: RequestLimit;
};

export type LimitOwner = 'key' | 'account';

/** The running requests and the buckets of one key or account. */
type Counted = { running: number; readonly requests: LeakyBucket; readonly tokens: LeakyBucket };
type Party = { readonly owner: LimitOwner; readonly limits: Limits; readonly counted: Counted };

const FREE: Permit = { headers: () => NO_HEADERS, end: () => undefined };

export class Limiter {
  readonly #clock: LimiterDeps['clock'];
  readonly #requestLimit: RequestLimit;
  readonly #counted = new Map<string, Counted>();
  #nodes = 1;
  #sweptMs = 0;

  constructor({ clock, requestLimit = 'requests_per_minute' }: LimiterDeps) {
    this.#clock = clock;
    this.#requestLimit = requestLimit;
  }

  /** The number of keys and accounts tracked; at most MAX_COUNTED. */
  get size(): number {
    return this.#counted.size;
  }

  /** Sets how many nodes share the limits. The used part of each limit stays the same. */
  setShare(nodes: number): void {
    if (!Number.isSafeInteger(nodes) || nodes < 1)
      throw new RangeError('the number of nodes must be at least 1');
    if (nodes === this.#nodes) return;
    for (const { requests, tokens } of this.#counted.values()) {
      for (const bucket of [requests, tokens]) {
        bucket.debt = Math.ceil((bucket.debt / this.#nodes) * nodes);
      }
    }
    this.#nodes = nodes;
  }

  /**
   * Admits a request; a refusal changes no count. @throws GatewayError `not_allowed` (model or
   * channel), `rate_limit_exceeded` with the time to retry.
   */
  admit(caller: Caller, request: RateRequest): Permit {
    const { key, account } = caller.limits;
    requirePermitted(caller, request);
    if (!isCounted(key) && !isCounted(account)) return FREE;
    const nowMs = this.#nowMs();
    this.#sweep(nowMs);
    const parties = [
      ...this.#party('key', caller.keyId, key, nowMs),
      ...this.#party('account', caller.accountId, account, nowMs),
    ];
    const estimate = Math.max(0, Math.ceil(request.tokens));
    for (const party of parties) this.#require(party, estimate, nowMs);
    return this.#permit(caller, parties, estimate);
  }

  #permit(caller: Caller, parties: readonly Party[], estimate: number): Permit {
    for (const { counted, limits } of parties) {
      counted.running += 1;
      if (limits.requestsPerMinute !== null) take(counted.requests, 1, this.#nodes);
      if (limits.tokensPerMinute !== null) take(counted.tokens, estimate, this.#nodes);
    }
    for (const { owner, counted } of parties) {
      this.#counted.set(nameOf(owner, owner === 'key' ? caller.keyId : caller.accountId), counted);
    }
    let hasEnded = false;
    return {
      headers: (dialect) => {
        const states = this.#states(parties, this.#nowMs());
        return rateHeaders(states, dialect, this.#clock.nowMs());
      },
      end: (tokensUsed) => {
        if (hasEnded) return;
        hasEnded = true;
        const difference = Math.max(0, Math.ceil(tokensUsed ?? 0)) - estimate;
        const endedMs = this.#nowMs();
        for (const { counted, limits } of parties) {
          counted.running -= 1;
          if (limits.tokensPerMinute === null) continue;
          drain(counted.tokens, limits.tokensPerMinute, endedMs);
          take(counted.tokens, difference, this.#nodes);
        }
      },
    };
  }

  /** Returns the owner's current counts; empty without limits. `#permit` stores new counts. */
  #party(owner: LimitOwner, id: string, limits: Limits, nowMs: number): readonly Party[] {
    if (!isCounted(limits)) return [];
    const known = this.#counted.get(nameOf(owner, id));
    if (known === undefined && this.#counted.size >= MAX_COUNTED - 1) throw rateTrackingFull();
    const counted = known ?? { running: 0, requests: newBucket(nowMs), tokens: newBucket(nowMs) };
    drain(counted.requests, limits.requestsPerMinute, nowMs);
    drain(counted.tokens, limits.tokensPerMinute, nowMs);
    return [{ owner, limits, counted }];
  }

  #require({ owner, limits, counted }: Party, tokens: number, nowMs: number): void {
    const { concurrency, requestsPerMinute, tokensPerMinute } = limits;
    if (concurrency !== null && counted.running >= this.#atOnce(concurrency)) {
      throw this.#reached(owner, limits, counted, 'concurrency', CONCURRENCY_RETRY_MS, nowMs);
    }
    if (requestsPerMinute !== null) {
      const ms = waitMs(counted.requests, 1, requestsPerMinute, this.#nodes);
      if (ms > 0) throw this.#reached(owner, limits, counted, this.#requestLimit, ms, nowMs);
    }
    if (tokensPerMinute === null) return;
    if (tokens > tokensPerMinute) throw requestTooLarge(owner, tokensPerMinute, tokens);
    const ms = waitMs(counted.tokens, tokens, tokensPerMinute, this.#nodes);
    if (ms > 0) throw this.#reached(owner, limits, counted, 'tokens_per_minute', ms, nowMs);
  }

  #reached(
    owner: LimitOwner,
    limits: Limits,
    counted: Counted,
    limit: 'concurrency' | 'tokens_per_minute' | RequestLimit,
    afterMs: number,
    nowMs: number,
  ): GatewayError {
    const most = {
      concurrency: limits.concurrency,
      requests_per_minute: limits.requestsPerMinute,
      count_tokens_per_minute: limits.requestsPerMinute,
      tokens_per_minute: limits.tokensPerMinute,
    }[limit];
    const states = this.#states([{ owner, limits, counted }], nowMs);
    const wallMs = this.#clock.nowMs();
    // The headers of both protocols are set. The HTTP edge, which knows the caller's protocol,
    // selects.
    const headers = {
      ...rateHeaders(states, 'openai', wallMs),
      ...rateHeaders(states, 'anthropic', wallMs),
    };
    return limitReached({ owner, limit, most: most ?? 0, afterMs, headers });
  }

  /** Returns the state of the key or account with less left, for requests and for tokens. */
  #states(parties: readonly Party[], nowMs: number): RateState {
    const least = (kind: 'requests' | 'tokens'): RateState['requests'] => {
      let state: RateState['requests'] = null;
      for (const { limits, counted } of parties) {
        const limit = limits[`${kind}PerMinute`];
        if (limit === null) continue;
        const bucket = counted[kind];
        drain(bucket, limit, nowMs);
        const remaining = remainingOf(bucket, limit, this.#nodes);
        if (state === null || remaining < state.remaining) {
          state = { limit, remaining, resetMs: resetMs(bucket, limit) };
        }
      }
      return state;
    };
    return { requests: least('requests'), tokens: least('tokens') };
  }

  #atOnce(concurrency: number): number {
    return concurrency === 0 ? 0 : Math.max(1, Math.floor(concurrency / this.#nodes));
  }

  /** Drops the counts of keys and accounts without running requests and with empty buckets. */
  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < SWEEP_MS && this.#counted.size < MAX_COUNTED - 1) return;
    if (nowMs === this.#sweptMs) return;
    this.#sweptMs = nowMs;
    for (const [name, { running, requests, tokens }] of this.#counted) {
      if (running > 0) continue;
      if (isIdle(requests, nowMs) && isIdle(tokens, nowMs)) this.#counted.delete(name);
    }
  }

  /** Returns whole milliseconds, which keep the arithmetic exact. */
  #nowMs(): number {
    return Math.floor(this.#clock.monotonicMs());
  }
}

const isCounted = (limits: Limits): boolean =>
  limits.requestsPerMinute !== null ||
  limits.tokensPerMinute !== null ||
  limits.concurrency !== null;

const nameOf = (owner: LimitOwner, id: string): string => `${owner}:${id}`;

/** Returns whether the bucket is empty by now, drained by its last known limit. */
function isIdle(bucket: LeakyBucket, nowMs: number): boolean {
  return bucket.debt <= bucket.perMs * (nowMs - bucket.atMs);
}

/** @throws GatewayError `not_allowed` when the key or its account excludes the model or channel. */
export function requirePermitted(
  { limits }: Pick<Caller, 'limits'>,
  { model, channel }: Pick<RateRequest, 'model' | 'channel'>,
): void {
  for (const owner of ['key', 'account'] as const) {
    requireListed(owner, 'model', limits[owner].models, model);
    requireListed(owner, 'channel', limits[owner].channels, channel);
  }
}

function requireListed(
  owner: LimitOwner,
  param: 'model' | 'channel',
  list: readonly string[] | null,
  value: string,
): void {
  if (list !== null && !list.includes(value)) throw notAllowedByList(owner, param, list);
}
