/** Searches for a route that answers: decides after each attempt whether another follows. */
import type { Card } from '../catalogue/catalogue.ts';
import { asGatewayError, type ErrorCode, GatewayError } from '../errors.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';
import { NotSent, type UpstreamRequest } from '../upstreams/upstream.ts';
import type { CallSignal } from './call-abort.ts';
import { type AttemptResult, type RouteHealth, routeId, type Trial } from './route-health.ts';
import { type Destination, failureContext, isLastResort, noneFitNow } from './route-plan.ts';
import { upstreamFailure, withoutPlace } from './upstream-failure.ts';

/**
 * Maximum attempts of a request, enough for two channels of two routes. Callers would not wait for
 * more.
 */
export const MAX_ATTEMPTS = 5;

/**
 * The condition for another attempt after a failed one. `until_first_byte`: the failed attempt
 * received no first byte. `unless_begun`: the upstream cannot have begun to draw an image.
 */
export type RepeatRule = 'until_first_byte' | 'unless_begun';

export type CallTimes = {
  /** Milliseconds since the request was admitted. */
  readonly elapsedMs: number;
  readonly markFirstByte: () => void;
  readonly forgetFirstByte: () => void;
};

export type SearchOptions = {
  readonly health: RouteHealth;
  readonly times: CallTimes;
  readonly repeat: RepeatRule;
  readonly signal: CallSignal;
  readonly maxAttempts?: number;
};

type Failed<C extends Card> = {
  /** The route that failed; null when nothing was sent. */
  readonly to: Destination<C> | null;
  readonly failure: GatewayError;
};

export class RouteSearch<C extends Card> {
  /** The routes tried or skipped, in order. */
  readonly attempts: AttemptRecord[] = [];
  readonly #destinations: readonly Destination<C>[];
  readonly #options: SearchOptions;
  /**
   * The routes that were already chosen in the planned order. They are not chosen again as a last
   * resort.
   */
  readonly #candidates: Destination<C>[] = [];
  /** The index of the next destination to consider. */
  #at = 0;
  /**
   * The index of the next destination to try as a last resort; null before all destinations have
   * been considered in the planned order.
   */
  #lastResortAt: number | null = null;
  #sent = 0;
  /** The failure so far that helps the caller most. */
  #mostUseful: Failed<C> | null = null;
  #answering: Destination<C> | null = null;
  #failed: Failed<C> | null = null;

  constructor(destinations: readonly Destination<C>[], options: SearchOptions) {
    this.#destinations = destinations;
    this.#options = options;
  }

  /** Returns the next attempt; null when none may follow. Then `failure` has the reason. */
  next(): RouteAttempt<C> | null {
    if (this.#failed !== null) return null;
    const { signal, maxAttempts = MAX_ATTEMPTS } = this.#options;
    if (this.#sent < maxAttempts && !signal.aborted) {
      const to = this.#nextCandidate();
      if (to !== null) return new RouteAttempt(to, this.#options);
    }
    this.#failed = this.#conclusion();
    return null;
  }

  /**
   * Records that the attempt's answer is used. The caller of this method must end the returned
   * trial.
   */
  answered(attempt: RouteAttempt<C>): Trial {
    this.#record(attempt, String(attempt.status), attempt.answeredMs);
    this.#answering = attempt.to;
    return attempt.trial;
  }

  /**
   * Records a failed attempt. If a GatewayError was thrown before anything was sent, the route is
   * only skipped, without effect on its health. If the request was sent and refused as the caller's
   * mistake, the search ends, because other routes would also refuse it.
   * @throws any other error that was thrown before sending, since that is a bug.
   */
  failed(attempt: RouteAttempt<C>, thrown: unknown): void {
    attempt.abandon();
    if (attempt.isSent) this.#sentAndFailed(attempt, asGatewayError(thrown));
    else if (thrown instanceof GatewayError) {
      if (!attempt.isMoot) this.#record(attempt, thrown.code);
      this.#mostUseful = moreUseful(this.#mostUseful, { to: null, failure: thrown });
    } else throw thrown;
  }

  /**
   * Records a refused attempt. Returns another attempt on the same route, for a changed request. If
   * no other attempt is allowed, returns null and records nothing; then call `failed`.
   */
  again(attempt: RouteAttempt<C>, refused: GatewayError): RouteAttempt<C> | null {
    const { signal, maxAttempts = MAX_ATTEMPTS } = this.#options;
    if (!attempt.isSent || signal.aborted || this.#sent + 1 >= maxAttempts) return null;
    attempt.abandon();
    this.#record(attempt, attempt.refusal === null ? refused.code : String(attempt.refusal.status));
    attempt.trial.end({ kind: 'unknown' });
    this.#sent += 1;
    return new RouteAttempt(attempt.to, this.#options);
  }

  #sentAndFailed(attempt: RouteAttempt<C>, failure: GatewayError): void {
    const { signal, repeat } = this.#options;
    const { to, trial, refusal } = attempt;
    if (signal.aborted) {
      const reason = asGatewayError(signal.reason);
      this.#record(attempt, reason.code);
      trial.end({ kind: 'unknown' });
      this.#failed = { to: failure instanceof NotSent ? null : to, failure: reason };
      return;
    }
    this.#record(attempt, refusal === null ? failure.code : String(refusal.status));
    trial.end(attemptResult(failure, refusal));
    if (!mayRepeat(failure, refusal, repeat)) {
      this.#failed = { to, failure };
      return;
    }
    this.#sent += 1;
    this.#mostUseful = moreUseful(this.#mostUseful, { to, failure });
  }

  /** Ends the search after a failed attempt whose caller has disconnected. */
  giveUp(failure: GatewayError): void {
    this.#failed ??= { to: null, failure };
  }

  /** The route that answered, or the route that caused `failure`; null when there is neither. */
  get destination(): Destination<C> | null {
    return this.#answering ?? this.#failed?.to ?? null;
  }

  /**
   * The reason why `next` returned null: the failure that helps the caller most, or the abort's
   * reason.
   */
  get failure(): GatewayError {
    if (this.#failed === null) throw new Error('the search has not failed');
    return this.#failed.failure;
  }

  #conclusion(): Failed<C> {
    const { signal, health } = this.#options;
    if (signal.aborted) return { to: null, failure: asGatewayError(signal.reason) };
    if (this.#mostUseful !== null) return this.#mostUseful;
    const waits = this.#destinations.map(({ route }) => health.fitness(routeId(route)).waitMs);
    return { to: null, failure: noneFitNow(Math.min(...waits)) };
  }

  /**
   * Returns the next route that may be tried now. If no route is left and nothing was sent yet,
   * returns a route with an open breaker, as a last resort; null if there is no such route either.
   */
  #nextCandidate(): Destination<C> | null {
    const { health } = this.#options;
    const all = this.#destinations;
    while (this.#at < all.length) {
      const to = all[this.#at++];
      if (to === undefined || health.fitness(routeId(to.route)).waitMs > 0) continue;
      this.#candidates.push(to);
      return to;
    }
    this.#lastResortAt ??= this.#sent > 0 ? all.length : 0;
    while (this.#lastResortAt < all.length) {
      const to = all[this.#lastResortAt++];
      if (to === undefined || this.#candidates.includes(to)) continue;
      if (isLastResort(health.fitness(routeId(to.route)))) return to;
    }
    return null;
  }

  #record(attempt: RouteAttempt<C>, result: string, untilMs?: number): void {
    const { startMs, to } = attempt;
    const endMs = Math.round(untilMs ?? this.#options.times.elapsedMs);
    this.attempts.push({
      channel: to.channel.name,
      upstream: to.route.upstream,
      model: to.route.model,
      result,
      startMs,
      durationMs: Math.max(0, endMs - startMs),
    });
  }
}

/** The details of a refusal that decide whether another route may be tried. */
type Refusal = {
  readonly status: number;
  readonly hasRetryAfter: boolean;
  /** Whether the body is JSON. The server itself sends JSON; a proxy in front of it sends HTML. */
  readonly isJson: boolean;
};

/** One request to one route. The search's signal aborts the attempt or its running answer. */
export class RouteAttempt<C extends Card> {
  readonly to: Destination<C>;
  readonly startMs: number;
  /** How the upstream refused the request. Null when it sent no status, or a status of success. */
  refusal: Refusal | null = null;
  status = 0;
  /** Milliseconds from the request's admission to the status line. */
  answeredMs = 0;
  /** Whether the search was aborted before this attempt sent anything. */
  isMoot = false;
  readonly #options: SearchOptions;
  readonly #controller = new AbortController();
  readonly #follow = (): void => this.#controller.abort(this.#options.signal.reason);
  #trial: Trial | null = null;

  constructor(to: Destination<C>, options: SearchOptions) {
    this.to = to;
    this.#options = options;
    const { signal, times } = options;
    this.startMs = Math.round(times.elapsedMs);
    times.forgetFirstByte();
    signal.addEventListener('abort', this.#follow);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Aborts the request or its running answer. */
  readonly abort = (reason: GatewayError): void => this.#controller.abort(reason);

  get isSent(): boolean {
    return this.#trial !== null;
  }

  get trial(): Trial {
    if (this.#trial === null) throw new Error('the attempt was not sent');
    return this.#trial;
  }

  /** @throws GatewayError when the upstream refuses the request; otherwise as `Upstream.send`. */
  send(request: UpstreamRequest): Promise<Response> {
    const { to } = this;
    const { signal, health } = this.#options;
    if (signal.aborted) {
      this.isMoot = true;
      return Promise.reject(asGatewayError(signal.reason));
    }
    const form = request.stream ? 'stream' : 'whole';
    this.#trial = health.begin(routeId(to.route), form, this.abort);
    // The function that waits does not get the request, because it would keep the body.
    return this.#accepted(to.upstream.send(request));
  }

  async #accepted(sending: Promise<Response>): Promise<Response> {
    const { to } = this;
    const response = await sending;
    const { status, ok, headers } = response;
    this.status = status;
    this.answeredMs = this.#options.times.elapsedMs;
    if (ok) return response;
    const failure = await upstreamFailure(response, failureContext(to));
    const isJson = headers.get('content-type')?.includes('json') ?? false;
    this.refusal = { status, hasRetryAfter: headers.has('retry-after'), isJson };
    throw to.isTranslated ? withoutPlace(failure, promptField(to)) : failure;
  }

  firstByte(): void {
    this.#trial?.firstByte();
    this.#options.times.markFirstByte();
  }

  /** Ends an attempt whose answer is not used. Aborts the answer, since it may be endless. */
  abandon(): void {
    this.#options.signal.removeEventListener('abort', this.#follow);
    this.#controller.abort();
  }
}

const isCallersFault = (failure: GatewayError): boolean => failure.status < 500;

/**
 * Whether the failure says nothing about the route, because it concerns only this request: a bug,
 * or a request that alone exceeds the rate limit.
 */
const isOfThisRequest = ({ code, retryable }: GatewayError): boolean =>
  code === 'internal_error' || (code === 'upstream_overloaded' && !retryable);

function attemptResult(failure: GatewayError, refusal: Refusal | null): AttemptResult {
  if (isCallersFault(failure) || isOfThisRequest(failure)) return { kind: 'unknown' };
  const isPause = refusal?.status === 429 || refusal?.hasRetryAfter === true;
  // The code is checked as well as the status, because a 429 may also report an empty account,
  // which no pause fixes.
  if (failure.code === 'upstream_overloaded' && isPause) {
    return { kind: 'overloaded', retryAfterMs: (failure.retryAfterSeconds ?? 1) * 1000 };
  }
  const { cause } = failure;
  return {
    kind: 'failure',
    code: failure.code,
    cause: cause instanceof Error ? cause.message : null,
  };
}

/** Statuses that prove that no image was begun: bad key, balance, permission or rate limit. */
const NOT_BEGUN: ReadonlySet<number> = new Set([401, 402, 403, 429]);

function mayRepeat(failure: GatewayError, refusal: Refusal | null, repeat: RepeatRule): boolean {
  if (isCallersFault(failure)) return false;
  if (repeat === 'until_first_byte') return true;
  if (failure instanceof NotSent) return true;
  if (refusal === null) return false;
  // A 503 with a JSON body proves that no image was begun. A 503 without JSON may come from a proxy
  // whose server failed while drawing.
  return refusal.status === 503 ? refusal.isJson : NOT_BEGUN.has(refusal.status);
}

/** Error codes, the most helpful to the caller first. A retry can fix the first ones. */
const MOST_USEFUL: readonly ErrorCode[] = [
  'upstream_overloaded',
  'upstream_timeout',
  'upstream_truncated',
  'upstream_failed',
  'internal_error',
  'upstream_refused_us',
];

function moreUseful<C extends Card>(known: Failed<C> | null, next: Failed<C>): Failed<C> {
  if (known === null) return next;
  const byRank = rank(next) - rank(known);
  if (byRank !== 0) return byRank < 0 ? next : known;
  const sooner = (failed: Failed<C>): number => failed.failure.retryAfterSeconds ?? 0;
  return sooner(next) < sooner(known) ? next : known;
}

function rank<C extends Card>({ to, failure }: Failed<C>): number {
  const place = MOST_USEFUL.indexOf(failure.code);
  const unlisted = place < 0 ? MOST_USEFUL.length : place;
  // The failure of a route that was skipped comes last: it helps the caller least.
  return to === null ? unlisted + MOST_USEFUL.length + 1 : unlisted;
}

/** The field of the caller's request that contains the conversation. */
const promptField = ({ callerFormat }: Destination): string =>
  callerFormat === 'responses' ? 'input' : 'messages';
