/**
 * The search for a route that answers. Its owner takes one attempt after the other, sends, and reports
 * how it went; the search records it, updates the route's health and decides whether another may follow.
 */
import type { Card } from '../catalogue/catalogue.ts';
import { asGatewayError, type ErrorCode, GatewayError } from '../errors.ts';
import type { AttemptRecord } from '../ledger/ledger.ts';
import { NotSent, type UpstreamRequest } from '../upstreams/upstream.ts';
import { type AttemptResult, type RouteHealth, routeId, type Trial } from './health.ts';
import { type Destination, failureContext, isLastResort, noneFitNow } from './route-plan.ts';
import { upstreamFailure, withoutPlace } from './upstream-failure.ts';

/** More attempts would outlast a caller's patience; two channels of two routes fit in. */
export const MAX_ATTEMPTS = 5;

/**
 * Which failures allow another attempt: for text all before its first byte; for an image only those
 * after which the upstream has provably begun nothing.
 */
export type RepeatRule = 'until_first_byte' | 'unless_begun';

/** The times of the request that the search serves. */
export type CallTimes = {
  /** Since the request was admitted, milliseconds. */
  readonly elapsedMs: number;
  readonly markFirstByte: () => void;
  readonly forgetFirstByte: () => void;
};

export type SearchOptions = {
  readonly health: RouteHealth;
  readonly times: CallTimes;
  readonly repeat: RepeatRule;
  /** The caller's side; aborts all. */
  readonly signal: AbortSignal;
  readonly maxAttempts?: number;
};

type Failed<C extends Card> = {
  /** Null: nothing was sent there. */
  readonly to: Destination<C> | null;
  readonly failure: GatewayError;
};

export class RouteSearch<C extends Card> {
  /** What was tried or passed over, in order. */
  readonly attempts: AttemptRecord[] = [];
  readonly #destinations: readonly Destination<C>[];
  readonly #options: SearchOptions;
  readonly #candidates: Generator<Destination<C>>;
  #sent = 0;
  /** The failure so far that helps the caller most. */
  #mostUseful: Failed<C> | null = null;
  #answering: Destination<C> | null = null;
  #failed: Failed<C> | null = null;

  constructor(destinations: readonly Destination<C>[], options: SearchOptions) {
    this.#destinations = destinations;
    this.#options = options;
    this.#candidates = this.#inTurn();
  }

  /** The next attempt; null when no other route may be asked, and `failure` says why. */
  next(): RouteAttempt<C> | null {
    if (this.#failed !== null) return null;
    const { signal, maxAttempts = MAX_ATTEMPTS } = this.#options;
    if (this.#sent < maxAttempts && !signal.aborted) {
      const { value: to } = this.#candidates.next();
      if (to !== undefined) return new RouteAttempt(to, this.#options);
    }
    this.#failed = this.#conclusion();
    return null;
  }

  /** The attempt's answer is used: its trial, which is ended with the answer. */
  answered(attempt: RouteAttempt<C>): Trial {
    this.#record(attempt, String(attempt.status), attempt.answeredMs);
    this.#answering = attempt.to;
    return attempt.trial;
  }

  /**
   * The attempt failed. A GatewayError from before it was sent passes the route over: it is recorded
   * with its code and leaves no mark on the route's health. A failure that is the caller's own ends the
   * search, since other routes would refuse the request as well.
   * @throws what is no GatewayError and came before anything was sent: a fault of ours.
   */
  failed(attempt: RouteAttempt<C>, thrown: unknown): void {
    attempt.abandon();
    if (attempt.isSent) this.#sentAndFailed(attempt, asGatewayError(thrown));
    else if (thrown instanceof GatewayError) {
      if (!attempt.isMoot) this.#record(attempt, thrown.code);
      this.#mostUseful = moreUseful(this.#mostUseful, { to: null, failure: thrown });
    } else throw thrown;
  }

  #sentAndFailed(attempt: RouteAttempt<C>, failure: GatewayError): void {
    const { signal, repeat } = this.#options;
    const { to, trial, refusal } = attempt;
    if (signal.aborted) {
      const reason = asGatewayError(signal.reason);
      this.#record(attempt, reason.code);
      trial.end({ kind: 'unknown' });
      this.#failed = { to, failure: reason };
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

  /**
   * The route that answered, or whose failure `failure` is; null when nothing was sent anywhere, or the
   * caller's side aborted between two attempts.
   */
  get destination(): Destination<C> | null {
    return this.#answering ?? this.#failed?.to ?? null;
  }

  /** Once `next` has returned null: the failure that helps the caller most, or why the signal aborted. */
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
   * Routes that are fit when their turn comes; then, if nothing was sent, those with an open breaker as
   * the last resort. All others are passed over without a record.
   */
  *#inTurn(): Generator<Destination<C>, undefined> {
    const { health } = this.#options;
    const seen = new Set<Destination<C>>();
    for (const to of this.#destinations) {
      if (health.fitness(routeId(to.route)).waitMs > 0) continue;
      seen.add(to);
      yield to;
    }
    if (this.#sent > 0) return;
    for (const to of this.#destinations) {
      if (!seen.has(to) && isLastResort(health.fitness(routeId(to.route)))) yield to;
    }
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

/** What a refusal says beside its failure. */
type Refusal = {
  readonly status: number;
  /** Whether the upstream itself said how long to wait. */
  readonly hasRetryAfter: boolean;
  /** Whether it is JSON, as the server's own refusals are, and not a page of a proxy before it. */
  readonly isJson: boolean;
};

/** One request to one route. Listens to the caller's side for as long as the attempt, or its answer, lasts. */
export class RouteAttempt<C extends Card> {
  readonly to: Destination<C>;
  readonly startMs: number;
  /** Of a refusal; null when no status came, or a good one whose answer cannot be used. */
  refusal: Refusal | null = null;
  status = 0;
  /** When the status line came. */
  answeredMs = 0;
  /** The caller's side was aborted before anything was sent. */
  isMoot = false;
  readonly #options: SearchOptions;
  readonly #abort = new AbortController();
  readonly #follow: () => void;
  #trial: Trial | null = null;

  constructor(to: Destination<C>, options: SearchOptions) {
    this.to = to;
    this.#options = options;
    const { signal, times } = options;
    this.startMs = Math.round(times.elapsedMs);
    times.forgetFirstByte();
    this.#follow = () => this.#abort.abort(signal.reason);
    signal.addEventListener('abort', this.#follow, { once: true });
  }

  /** For the request: of this attempt alone, aborts when it is given up. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get isSent(): boolean {
    return this.#trial !== null;
  }

  get trial(): Trial {
    if (this.#trial === null) throw new Error('the attempt was not sent');
    return this.#trial;
  }

  /**
   * Resolves with an answer that has a success status.
   * @throws GatewayError what the upstream's refusal means to the caller, and what `Upstream.send` throws.
   */
  async send(request: UpstreamRequest): Promise<Response> {
    const { to } = this;
    const { signal, health, times } = this.#options;
    if (signal.aborted) {
      this.isMoot = true;
      throw asGatewayError(signal.reason);
    }
    this.#trial = health.begin(routeId(to.route), request.stream ? 'stream' : 'whole');
    const response = await to.upstream.send(request);
    const { status, ok, headers } = response;
    this.status = status;
    this.answeredMs = times.elapsedMs;
    if (ok) return response;
    const failure = await upstreamFailure(response, failureContext(to));
    const isJson = headers.get('content-type')?.includes('json') ?? false;
    this.refusal = { status, hasRetryAfter: headers.has('retry-after'), isJson };
    throw to.isTranslated ? withoutPlace(failure) : failure;
  }

  /** The first byte of the answer's body came. */
  firstByte(): void {
    this.#trial?.firstByte();
    this.#options.times.markFirstByte();
  }

  /** Stops the answer, which may be endless and which nobody takes. */
  abandon(): void {
    this.#options.signal.removeEventListener('abort', this.#follow);
    this.#abort.abort();
  }
}

const isCallersFault = (failure: GatewayError): boolean => failure.status < 500;

/**
 * Whether one caller's peculiar request causes it while all others are served: a fault of ours, or more
 * in one request than the upstream ever takes from us.
 */
const isOfThisRequest = ({ code, retryable }: GatewayError): boolean =>
  code === 'internal_error' || (code === 'upstream_overloaded' && !retryable);

function attemptResult(failure: GatewayError, refusal: Refusal | null): AttemptResult {
  if (isCallersFault(failure) || isOfThisRequest(failure)) return { kind: 'unknown' };
  const isPause = refusal?.status === 429 || refusal?.hasRetryAfter === true;
  // A 429 may also say that our account there is empty, and no pause helps that.
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

/** Refusals after which an upstream has certainly not begun to draw: no key, no money, no right, its rate. */
const NOT_BEGUN: ReadonlySet<number> = new Set([401, 402, 403, 429]);

function mayRepeat(failure: GatewayError, refusal: Refusal | null, repeat: RepeatRule): boolean {
  if (isCallersFault(failure)) return false;
  if (repeat === 'until_first_byte') return true;
  if (failure instanceof NotSent) return true;
  if (refusal === null) return false;
  // A proxy says 503 also of a server that fell while it drew.
  return refusal.status === 503 ? refusal.isJson : NOT_BEGUN.has(refusal.status);
}

/** The failures that say most to a caller: first what a retry can help, with the time it takes. */
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
  // A route that was passed over, unasked, says least of all.
  return to === null ? unlisted + MOST_USEFUL.length + 1 : unlisted;
}
