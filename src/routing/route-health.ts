/** Keeps the health of routes in memory. Disconnects and invalid requests do not affect it. */
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import { Breaker, type Pass, type Standing } from './breaker.ts';
import { GenerationRate, USUAL_TOKENS_PER_SECOND } from './generation-rate.ts';
import {
  type AnswerForm,
  MovingAverage,
  RecentFigures,
  type Summary,
  summaryOf,
} from './recent-figures.ts';

/** A route's id: its upstream's name and the model's name there, as in `anthropic/claude-x`. */
export type RouteId = string;

type Named = { readonly upstream: string; readonly model: string };

/** Caches the id of each route, so that requests do not build and hash its text again. */
const ids = new WeakMap<Named, RouteId>();

export function routeId(route: Named): RouteId {
  let id = ids.get(route);
  if (id === undefined) {
    id = `${route.upstream}/${route.model}`;
    ids.set(route, id);
  }
  return id;
}

export type AttemptResult =
  | { readonly kind: 'success' }
  /** The upstream failed. `code` and `cause` are for the operator. */
  | { readonly kind: 'failure'; readonly code: string; readonly cause: string | null }
  | { readonly kind: 'overloaded'; readonly retryAfterMs: number }
  /**
   * A result that says nothing about the route: a disconnect, or a request that any route refuses.
   */
  | { readonly kind: 'unknown' };

/** One attempt on a route, in flight from `begin` to `end`. */
export interface Trial {
  /** Records the first byte of the body. Only the first call counts. */
  firstByte(): void;
  /** Records how the attempt ended. Only the first call counts. */
  end(result: AttemptResult): void;
}

/** The properties of a route that decide whether it is chosen. */
export type Fitness = {
  /** The state of the breaker, or `off` if an operator has taken the route out of service. */
  readonly standing: Standing | 'off';
  /** How long until the route may be tried, in milliseconds; 0 when it may be tried now. */
  readonly waitMs: number;
  readonly inFlight: number;
  /** Average ms to the first byte: of streams, or else of other answers; null if unknown. */
  readonly firstByteMs: number | null;
};

export interface RouteHealth {
  fitness(route: RouteId): Fitness;
  /** Begins an attempt. @param abort ends the attempt when an operator disables the route. */
  begin(route: RouteId, form: AnswerForm, abort?: Abort): Trial;
}

export type Abort = (reason: GatewayError) => void;

/** How fast routes generate tokens. */
export interface GenerationRates {
  /**
   * Records an answer's output tokens, and the time from sending the request to the answer's end.
   */
  generated(route: RouteId, tokens: number, tookMs: number): void;
  /** Returns the output tokens per second that the route generates. */
  tokensPerSecond(route: RouteId): number;
}

export type LastFailure = {
  readonly code: string;
  readonly cause: string | null;
  /** Unix milliseconds. */
  readonly atMs: number;
};

export type RouteReport = Summary &
  Pick<Fitness, 'waitMs' | 'inFlight'> & {
    readonly standing: Standing;
    /** When the state last changed, in Unix milliseconds; null if never in this process. */
    readonly sinceMs: number | null;
    readonly lastFailure: LastFailure | null;
  };

export type StandingChange = Pick<RouteReport, 'waitMs' | 'lastFailure'> & {
  readonly route: RouteId;
  readonly from: Standing;
  readonly to: Standing;
};

export type RouteHealthOptions = {
  readonly clock: Pick<Clock, 'monotonicMs' | 'nowMs'>;
  /** Called once for every state change of a route. */
  readonly onChange: (change: StandingChange) => void;
  /** Whether, after an outage of this length, a probe must succeed before callers' requests. */
  readonly isProbed: (route: RouteId, outageMs: number) => boolean;
};

const DISABLED = 'The provider was taken out of service. Retry the request.';
const UNTRIED: Fitness = { standing: 'closed', waitMs: 0, inFlight: 0, firstByteMs: null };
/** The wait that is reported for a route that is out of service or blocked. */
const WITHHELD_WAIT_MS = 60_000;
const OFF: Fitness = { standing: 'off', waitMs: WITHHELD_WAIT_MS, inFlight: 0, firstByteMs: null };
const BLOCKED: Fitness = { ...OFF, standing: 'open' };

/** The reason why a route cannot work with the current settings, such as a missing credential. */
export type Blocked = { readonly cause: string; readonly atMs: number };

export class RouteHealthBook implements RouteHealth, GenerationRates {
  readonly #options: RouteHealthOptions;
  readonly #records = new Map<RouteId, RouteRecord>();
  readonly #onEnd = (route: RouteId): void => this.#forgetIfDone(route);
  /** The configured routes; the health of all others is deleted. If null, no health is deleted. */
  #kept: ReadonlySet<RouteId> | null = null;
  #blocked: ReadonlyMap<RouteId, Blocked> = new Map();
  #off: ReadonlySet<RouteId> = new Set();

  constructor(options: RouteHealthOptions) {
    this.#options = options;
  }

  fitness(route: RouteId): Fitness {
    if (this.#off.size > 0 && this.#off.has(route)) {
      return { ...OFF, inFlight: this.#records.get(route)?.inFlight ?? 0 };
    }
    if (this.#blocked.size > 0 && this.#blocked.has(route)) return BLOCKED;
    return this.#records.get(route)?.fitness() ?? UNTRIED;
  }

  begin(route: RouteId, form: AnswerForm, abort: Abort = () => undefined): Trial {
    let record = this.#records.get(route);
    if (record === undefined) {
      record = new RouteRecord(route, this.#options);
      this.#records.set(route, record);
    }
    return new RouteTrial(record, form, abort, this.#onEnd);
  }

  generated(route: RouteId, tokens: number, tookMs: number): void {
    this.#records.get(route)?.rate.add(tokens, tookMs);
  }

  tokensPerSecond(route: RouteId): number {
    return this.#records.get(route)?.rate.tokensPerSecond ?? USUAL_TOKENS_PER_SECOND;
  }

  /** Returns the report of a route; null before its first attempt. */
  report(route: RouteId): RouteReport | null {
    const blocked = this.#blocked.get(route);
    if (blocked !== undefined) return blockedReport(blocked);
    return this.#records.get(route)?.report() ?? null;
  }

  /** Returns the routes whose pause is over and that now need a probe. */
  dueForProbe(): readonly RouteId[] {
    const due: RouteId[] = [];
    for (const [route, record] of this.#records) {
      if (this.#blocked.has(route) || this.#off.has(route)) continue;
      if (record.breaker.isProbeDue(this.#nowMs)) due.push(route);
    }
    return due;
  }

  /** Records a probe. After a success callers may try the route; a failure extends its pause. */
  probed(route: RouteId, failure: Omit<LastFailure, 'atMs'> | null): void {
    this.#records.get(route)?.probed(failure);
  }

  /** Deletes the health of all routes except `routes`: at once, or after their running attempts. */
  keepOnly(routes: Iterable<RouteId>): void {
    this.#kept = new Set(routes);
    for (const route of this.#records.keys()) this.#forgetIfDone(route);
  }

  /**
   * Blocks exactly these routes: they are reported with an open breaker, so that requests avoid
   * them. Deletes the health of unblocked routes, because the old settings caused their failures.
   */
  block(routes: ReadonlyMap<RouteId, string>): void {
    const atMs = this.#options.clock.nowMs();
    for (const route of this.#blocked.keys()) if (!routes.has(route)) this.#records.delete(route);
    this.#blocked = new Map(
      [...routes].map(([route, cause]) => [
        route,
        { cause, atMs: this.#blocked.get(route)?.atMs ?? atMs },
      ]),
    );
  }

  /**
   * Takes the routes in `off` out of service, and puts all other routes into service. Aborts the
   * running attempts of the routes in `disabled`, a subset of `off`. The aborts do not affect the
   * health of these routes.
   */
  takeOut(off: ReadonlySet<RouteId>, disabled: Iterable<RouteId>): void {
    this.#off = off;
    for (const route of disabled) this.#records.get(route)?.abortAll();
  }

  get #nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  #forgetIfDone(route: RouteId): void {
    if (this.#kept === null || this.#kept.has(route)) return;
    if (this.#records.get(route)?.inFlight === 0) this.#records.delete(route);
  }
}

const blockedReport = ({ cause, atMs }: Blocked): RouteReport => ({
  ...summaryOf(new RecentFigures().tally(0)),
  standing: 'open',
  waitMs: WITHHELD_WAIT_MS,
  inFlight: 0,
  sinceMs: atMs,
  lastFailure: { code: 'upstream_failed', cause, atMs },
});

class RouteRecord {
  readonly figures = new RecentFigures();
  readonly rate = new GenerationRate();
  readonly breaker: Breaker;
  readonly route: RouteId;
  readonly #options: RouteHealthOptions;
  readonly running = new Set<RouteTrial>();
  #lastFailure: LastFailure | null = null;
  readonly #average: Readonly<Record<AnswerForm, MovingAverage>> = {
    stream: new MovingAverage(),
    whole: new MovingAverage(),
  };
  #standing: Standing = 'closed';
  #sinceMs: number | null = null;

  constructor(route: RouteId, options: RouteHealthOptions) {
    this.route = route;
    this.#options = options;
    this.breaker = new Breaker((outageMs) => options.isProbed(route, outageMs));
  }

  get nowMs(): number {
    return this.#options.clock.monotonicMs();
  }

  get inFlight(): number {
    return this.running.size;
  }

  abortAll(): void {
    for (const trial of [...this.running]) trial.abort();
  }

  fitness(): Fitness & { readonly standing: Standing } {
    const { nowMs } = this;
    this.notice(nowMs);
    return {
      standing: this.#standing,
      waitMs: this.breaker.waitMs(nowMs),
      inFlight: this.inFlight,
      firstByteMs: this.#average.stream.at(nowMs) ?? this.#average.whole.at(nowMs),
    };
  }

  report(): RouteReport {
    const { standing, waitMs, inFlight } = this.fitness();
    const summary = summaryOf(this.figures.tally(this.nowMs));
    const sinceMs = this.#sinceMs;
    return { ...summary, standing, waitMs, inFlight, sinceMs, lastFailure: this.#lastFailure };
  }

  firstByte(form: AnswerForm, tookMs: number, nowMs: number): void {
    this.#average[form].add(tookMs, nowMs);
    this.figures.firstByte(form, tookMs, nowMs);
  }

  setFailure(code: string, cause: string | null): void {
    this.#lastFailure = { code, cause, atMs: this.#options.clock.nowMs() };
  }

  probed(failure: Omit<LastFailure, 'atMs'> | null): void {
    if (failure !== null) this.setFailure(failure.code, failure.cause);
    this.breaker.probed(failure === null, this.nowMs);
    this.notice();
  }

  notice(nowMs = this.nowMs): void {
    const from = this.#standing;
    const to = this.breaker.standing(nowMs);
    if (from === to) return;
    this.#standing = to;
    this.#sinceMs = this.#options.clock.nowMs();
    const waitMs = this.breaker.waitMs(nowMs);
    const lastFailure = this.#lastFailure;
    this.#options.onChange({ route: this.route, from, to, waitMs, lastFailure });
  }
}

class RouteTrial implements Trial {
  readonly #record: RouteRecord;
  readonly #form: AnswerForm;
  readonly #abort: Abort;
  readonly #pass: Pass;
  readonly #startMs: number;
  readonly #onEnd: (route: RouteId) => void;
  #arrived = false;
  #ended = false;
  /** Whether this attempt already counted as failed for being slow. It must not count twice. */
  #blamed = false;

  constructor(
    record: RouteRecord,
    form: AnswerForm,
    abort: Abort,
    onEnd: (route: RouteId) => void,
  ) {
    this.#record = record;
    this.#form = form;
    this.#abort = abort;
    this.#onEnd = onEnd;
    this.#startMs = record.nowMs;
    this.#pass = record.breaker.begin(this.#startMs);
    record.running.add(this);
    record.notice();
  }

  firstByte(): void {
    if (this.#arrived || this.#ended) return;
    this.#arrived = true;
    const { nowMs } = this.#record;
    this.#blameIfSlow(nowMs);
    this.#record.firstByte(this.#form, nowMs - this.#startMs, nowMs);
    this.#record.breaker.arrived(this.#pass);
    this.#record.notice();
  }

  end(result: AttemptResult): void {
    if (this.#ended) return;
    const record = this.#record;
    const { nowMs } = record;
    // The caller disconnected before the first byte, perhaps because the route was slow.
    if (!this.#arrived && result.kind === 'unknown') this.#blameIfSlow(nowMs);
    this.#ended = true;
    record.running.delete(this);
    record.breaker.arrived(this.#pass);
    this.#count(result, nowMs);
    record.notice();
    this.#onEnd(record.route);
  }

  abort(): void {
    this.end({ kind: 'unknown' });
    this.#abort(new GatewayError('upstream_failed', DISABLED));
  }

  #count(result: AttemptResult, nowMs: number): void {
    const { breaker, figures } = this.#record;
    switch (result.kind) {
      case 'success':
        figures.ended(true, nowMs);
        if (!this.#blamed) breaker.succeeded(this.#pass, nowMs);
        return;
      case 'failure':
        figures.ended(false, nowMs);
        this.#record.setFailure(result.code, result.cause);
        if (!this.#blamed) breaker.failed(this.#pass, nowMs);
        return;
      case 'overloaded': {
        const seconds = Math.ceil(result.retryAfterMs / 1000);
        figures.ended(false, nowMs);
        this.#record.setFailure('upstream_overloaded', `it asked for a pause of ${seconds} s`);
        breaker.cool(result.retryAfterMs, nowMs);
        return;
      }
      case 'unknown':
        return;
    }
  }

  #blameIfSlow(nowMs: number): void {
    if (this.#form === 'whole') return;
    const tookMs = nowMs - this.#startMs;
    const usualMs = this.#record.figures.usualIfSlow(tookMs, nowMs);
    if (usualMs === null) return;
    this.#blamed = true;
    this.#record.setFailure(
      'slow_first_byte',
      `no first byte for ${Math.round(tookMs)} ms; usually it comes within ${usualMs} ms`,
    );
    this.#record.breaker.failed(this.#pass, nowMs);
  }
}
