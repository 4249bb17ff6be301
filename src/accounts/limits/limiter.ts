/**
 * Enforces the limits of key and account in memory, with integer leaky buckets on monotonic time.
 * Several nodes share one count (`shared-count.ts`). While the store is unavailable, each of N
 * nodes gets 1/N of every rate limit and concurrency limit, but at least one request.
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
import { drain, take } from './leaky-bucket.ts';
import type { Limits } from './limits.ts';
import {
  type Counted,
  type Full,
  fullHere,
  isCounted,
  isIdle,
  type LimitOwner,
  limitOf,
  type Need,
  nameOf,
  needsOf,
  newCounted,
  type Party,
  share,
  sharedCounts,
  statesOf,
} from './party.ts';
import { NO_HEADERS, type RateDialect, type RateState, rateHeaders } from './rate-headers.ts';
import type { SharedLimits } from './shared-limits.ts';

/** Maximum number of tracked keys and accounts, about 20 MB. Only those with limits are tracked. */
export const MAX_COUNTED = 100_000;
/** The interval at which the counts of keys and accounts without recent use are dropped. */
const SWEEP_MS = 60_000;
/** How long a request waits at a reached concurrency limit before its only retry. */
const RELEASE_MS = 50;

export type RateRequest = {
  readonly model: string;
  /** The name of the channel that will serve the request. */
  readonly channel: string;
  /** The estimated input tokens. The actual count replaces them when the request ends. */
  readonly tokens: number;
};

export type Permit = {
  /** Returns the current rate-limit headers; empty if neither key nor account has rate limits. */
  headers(dialect: RateDialect): Readonly<Record<string, string>>;
  /**
   * Ends the request. Only the first call has an effect.
   * @param tokensUsed the actual token count; null if the request used no tokens.
   */
  end(tokensUsed: number | null): void;
};

/** The name of the limit on requests per minute, as error messages show it. */
export type RequestLimit = 'requests_per_minute' | 'count_tokens_per_minute';

export type LimiterDeps = {
  readonly clock: Pick<Clock, 'monotonicMs' | 'nowMs' | 'sleep'>;
  readonly requestLimit?: RequestLimit;
  /** Shares limits with the other nodes; null if there can be no other node. */
  readonly shared?: SharedLimits | null;
};

/** A request that asks for a permit. `parties`: its key and its account, if they have limits. */
type Asked = {
  readonly caller: Caller;
  readonly parties: readonly Party[];
  readonly tokens: number;
  readonly nowMs: number;
};

const OWNERS: readonly LimitOwner[] = ['key', 'account'];
const FREE: Permit = { headers: () => NO_HEADERS, end: () => undefined };

export class Limiter {
  readonly #clock: LimiterDeps['clock'];
  readonly #requestLimit: RequestLimit;
  readonly #shared: SharedLimits | null;
  readonly #counted = new Map<string, Counted>();
  #nodes = 1;
  #isShared = false;
  #sweptMs = 0;

  constructor({ clock, requestLimit = 'requests_per_minute', shared = null }: LimiterDeps) {
    this.#clock = clock;
    this.#requestLimit = requestLimit;
    this.#shared = shared;
  }

  /** The number of keys and accounts tracked; at most MAX_COUNTED. */
  get size(): number {
    return this.#counted.size;
  }

  /** Sets how many nodes share the limits. The used fraction of each limit does not change. */
  setShare(nodes: number): void {
    if (!Number.isSafeInteger(nodes) || nodes < 1)
      throw new RangeError('the number of nodes must be at least 1');
    const isShared = this.#shared?.isOn === true;
    if (nodes === this.#nodes && isShared === this.#isShared) return;
    for (const [name, counted] of this.#counted) {
      for (const bucket of [counted.requests, counted.tokens]) {
        bucket.debt = Math.ceil((bucket.debt / this.#nodes) * nodes);
      }
      if (!isShared) counted.shared = null;
      else if (counted.shared === null) {
        this.#share(counted, name, nodes);
        this.#report(counted);
      }
    }
    this.#nodes = nodes;
    this.#isShared = isShared;
  }

  /**
   * Admits a request. A refused request changes no count. Returns a promise only if other nodes may
   * have used up the limit.
   * @throws GatewayError `not_allowed` (model or channel), `rate_limit_exceeded` with a retry time.
   */
  admit(caller: Caller, request: RateRequest): Permit | Promise<Permit> {
    const { key, account } = caller.limits;
    requirePermitted(caller, request);
    if (!isCounted(key) && !isCounted(account)) return FREE;
    const nowMs = this.#nowMs();
    this.#sweep(nowMs);
    const parties = [
      ...this.#party('key', caller, key, nowMs),
      ...this.#party('account', caller, account, nowMs),
    ];
    const tokens = Math.max(0, Math.ceil(request.tokens));
    for (const party of parties) requireSmall(party, tokens);
    const asked = { caller, parties, tokens, nowMs };
    const isShared = this.#shared?.isOn === true && this.#shared.isReachable;
    return isShared ? this.#admitShared(this.#shared, asked, true) : this.#admitHere(asked);
  }

  #admitHere({ caller, parties, tokens, nowMs }: Asked): Permit {
    const full = fullHere(parties, tokens, this.#nodes);
    if (full !== null) throw this.#reached(full, nowMs);
    for (const { of, count } of needsOf(parties, tokens)) of.take(count);
    return this.#permit(caller, parties, tokens);
  }

  #admitShared(shared: SharedLimits, asked: Asked, isFirst: boolean): Permit | Promise<Permit> {
    const { caller, parties, tokens, nowMs } = asked;
    for (const { owner, counted } of parties) {
      // Stores the counts before any wait, so that requests in the meantime use the same counts.
      this.#counted.set(nameOf(owner, caller), counted);
      this.#share(counted, nameOf(owner, caller), this.#nodes);
    }
    const doubtful: Need[] = [];
    const sure: Need[] = [];
    for (const need of needsOf(parties, tokens)) {
      const { limit, of, count } = need;
      const verdict = of.judge(count, { limit, nodes: shared.nodes, nowMs });
      if (typeof verdict === 'object') {
        if (need.kind === 'concurrency' && isFirst) return this.#again(shared, asked);
        throw this.#reached({ ...need, ...verdict }, nowMs);
      }
      (verdict === 'fits' ? sure : doubtful).push(need);
    }
    for (const { of, count } of sure) of.take(count);
    if (doubtful.length === 0) return this.#permit(caller, parties, tokens);
    return this.#ask(shared, asked, { doubtful, sure, isFirst });
  }

  /** Retries once after a delay, because a request on another node may have just ended. */
  async #again(shared: SharedLimits, asked: Asked): Promise<Permit> {
    await this.#clock.sleep(RELEASE_MS);
    return await this.#admitShared(shared, { ...asked, nowMs: this.#nowMs() }, false);
  }

  /** Asks the store for the `doubtful` limits. If one is not granted, reverts all counts. */
  async #ask(
    shared: SharedLimits,
    asked: Asked,
    { doubtful, sure, isFirst }: Record<'doubtful' | 'sure', Need[]> & { isFirst: boolean },
  ): Promise<Permit> {
    const answers = await Promise.all(doubtful.map(({ of, count }) => shared.ask(of, count)));
    const again = { ...asked, nowMs: this.#nowMs() };
    if (answers.every((each) => each === 'granted')) {
      return this.#permit(asked.caller, asked.parties, asked.tokens);
    }
    for (const { of, count } of [
      ...sure,
      ...doubtful.filter((_, at) => answers[at] === 'granted'),
    ]) {
      of.take(-count);
      shared.changed(of);
    }
    if (answers.includes('away')) return this.#admitHere(again);
    const full = doubtful.find((_, at) => answers[at] === 'full') ?? doubtful[0];
    if (full?.kind === 'concurrency' && isFirst) return await this.#again(shared, asked);
    if (full === undefined)
      throw new Error('the limit store refused a request, but no limit is reached');
    const { limit, of, count } = full;
    const verdict = of.judge(count, { limit, nodes: shared.nodes, nowMs: again.nowMs });
    const waitMs = typeof verdict === 'object' ? verdict.waitMs : 0;
    throw this.#reached({ ...full, waitMs }, again.nowMs);
  }

  /** Starts a request. Its use of the shared limits must already be counted. */
  #permit(caller: Caller, parties: readonly Party[], estimate: number): Permit {
    for (const { owner, counted, limits } of parties) {
      counted.running += 1;
      if (limits.requestsPerMinute !== null) take(counted.requests, 1, this.#nodes);
      if (limits.tokensPerMinute !== null) take(counted.tokens, estimate, this.#nodes);
      if (limits.concurrency !== null) counted.shared?.concurrency.take(-1);
      this.#counted.set(nameOf(owner, caller), counted);
      this.#report(counted);
    }
    let hasEnded = false;
    return {
      headers: (dialect) =>
        rateHeaders(statesOf(parties, this.#nodes, this.#nowMs()), dialect, this.#clock.nowMs()),
      end: (tokensUsed) => {
        if (hasEnded) return;
        hasEnded = true;
        const difference = Math.max(0, Math.ceil(tokensUsed ?? 0)) - estimate;
        const endedMs = this.#nowMs();
        for (const { counted, limits } of parties) {
          counted.running -= 1;
          if (limits.tokensPerMinute !== null) {
            drain(counted.tokens, limits.tokensPerMinute, endedMs);
            take(counted.tokens, difference, this.#nodes);
            counted.shared?.tokens.take(difference);
          }
          this.#report(counted);
        }
      },
    };
  }

  /** Returns a list of the key or account with its counts; empty if it has no limits. */
  #party(owner: LimitOwner, caller: Caller, limits: Limits, nowMs: number): readonly Party[] {
    if (!isCounted(limits)) return [];
    const known = this.#counted.get(nameOf(owner, caller));
    if (known === undefined && this.#counted.size >= MAX_COUNTED - 1) throw rateTrackingFull();
    const counted = known ?? newCounted(limits, nowMs);
    counted.limits = limits;
    drain(counted.requests, limits.requestsPerMinute, nowMs);
    drain(counted.tokens, limits.tokensPerMinute, nowMs);
    return [{ owner, limits, counted }];
  }

  #share(counted: Counted, name: string, nodes: number): void {
    share(counted, `${this.#requestLimit}:${name}`, nodes, this.#nowMs());
  }

  /** Reports changed counts to the store, which shares them with the other nodes. */
  #report(counted: Counted): void {
    for (const each of sharedCounts(counted)) if (each.hasChanged) this.#shared?.changed(each);
  }

  #reached(full: Full, nowMs: number): GatewayError {
    const states = statesOf([full], this.#nodes, nowMs);
    return limitError(full, states, { requests: this.#requestLimit, wallMs: this.#clock.nowMs() });
  }

  /** Drops the counts of keys and accounts without running requests or recent use. */
  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptMs < SWEEP_MS && this.#counted.size < MAX_COUNTED - 1) return;
    if (nowMs === this.#sweptMs) return;
    this.#sweptMs = nowMs;
    for (const [name, counted] of this.#counted) {
      if (isIdle(counted, nowMs)) this.#counted.delete(name);
    }
  }

  /** Returns whole milliseconds, which keep the arithmetic exact. */
  #nowMs(): number {
    return Math.floor(this.#clock.monotonicMs());
  }
}

/**
 * @throws GatewayError `rate_limit_exceeded` for a request that needs more tokens than the limit
 *   allows in a minute, so that no retry can succeed.
 */
function requireSmall({ owner, limits: { tokensPerMinute } }: Party, tokens: number): void {
  if (tokensPerMinute === null || tokens <= tokensPerMinute) return;
  throw requestTooLarge(owner, tokensPerMinute, tokens);
}

function limitError(
  { owner, kind, limits, waitMs: afterMs }: Full,
  states: RateState,
  { requests, wallMs }: { readonly requests: RequestLimit; readonly wallMs: number },
): GatewayError {
  // Sets the headers of both protocols. The HTTP edge knows the request's protocol, and sends only
  // the headers of this protocol.
  const headers = {
    ...rateHeaders(states, 'openai', wallMs),
    ...rateHeaders(states, 'anthropic', wallMs),
  };
  const names = { concurrency: 'concurrency', requests, tokens: 'tokens_per_minute' } as const;
  const most = limitOf(limits, kind) ?? 0;
  return limitReached({ owner, limit: names[kind], most, afterMs, headers });
}

/** @throws GatewayError `not_allowed` when the key or its account excludes the model or channel. */
export function requirePermitted(
  { limits }: Pick<Caller, 'limits'>,
  { model, channel }: Pick<RateRequest, 'model' | 'channel'>,
): void {
  for (const owner of OWNERS) {
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
