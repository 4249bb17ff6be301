/** Sells one request after its hold: tries its routes one after another, and settles once. */
import type { Caller } from '../accounts/account.ts';
import type { Permit } from '../accounts/limits/limiter.ts';
import type { Card, Channel } from '../catalogue/catalogue.ts';
import { nextTurn } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { AttemptRecord, RequestOutcome } from '../ledger/ledger.ts';
import { tokensIn, tokensOf } from '../money/usage.ts';
import { type TraceContext, traceparent } from '../protocols/trace-context.ts';
import {
  type GenerationRates,
  type RouteHealth,
  routeId,
  type Trial,
} from '../routing/route-health.ts';
import type { Destination } from '../routing/route-plan.ts';
import { type RouteAttempt, RouteSearch } from '../routing/route-search.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { type FailureWatch, reportFailed } from './failed-attempt.ts';
import type { AnswerHeaders, Goods, Metered, StreamedGoods } from './goods.ts';
import type { CallScope } from './in-flight.ts';
import { attemptResultOf, callerLeft, outcomeOf } from './outcome.ts';
import type { Consumption, Metering, Purchase, Settled } from './purchase.ts';
import type { OpenedStream } from './upstream-answer.ts';

/** A request whose money is held, so it may be sent. */
export type Held = FailureWatch & {
  readonly purchase: Purchase;
  readonly permit: Permit;
  readonly scope: CallScope;
  readonly health: RouteHealth & GenerationRates;
  readonly caller: Pick<Caller, 'accountId'>;
  readonly trace: TraceContext;
};

const SUCCESS = { kind: 'success' } as const;
const UNKNOWN = { kind: 'unknown' } as const;

const LONG_BODY_BYTES = 1024 * 1024;

/** Whether a body is so long that other requests must run between writing it and sending it. */
export const isLongToSend = ({ byteLength }: Uint8Array): boolean => byteLength > LONG_BODY_BYTES;

export class Sale<C extends Card, Answer> implements Metering {
  readonly #held: Held;
  readonly #goods: Goods<C, Answer>;
  /** The route that answered, or whose failure is reported; null while nothing was sent. */
  #destination: Destination<C> | null = null;
  #attempts: readonly AttemptRecord[] = [];
  /** The number of calls so far, which is also the index of the next attempt's trace span. */
  #asked = 0;
  #trial: Trial | null = null;
  #answer: Answer | null = null;

  constructor(held: Held, goods: Goods<C, Answer>) {
    this.#held = held;
    this.#goods = goods;
    goods.price.sellBy(goods.price.channel, held.purchase);
  }

  /** Returns the first usable answer. @throws GatewayError when no route gave one. */
  async send(routes: readonly Destination<C>[]): Promise<Answer> {
    const goods = this.#goods;
    const { purchase, scope, health } = this.#held;
    const { signal } = scope;
    const search = new RouteSearch(routes, { health, times: scope, repeat: goods.repeat, signal });
    let answer: Answer | null = null;
    try {
      let attempt = search.next();
      while (attempt !== null && answer === null) {
        try {
          goods.prepare(attempt.to);
          if (attempt.to.channel !== goods.price.channel)
            await purchase.moveTo(attempt.to.channel, goods.price, this);
          const response = await this.#sendTo(attempt, goods.bodyFor(attempt.to));
          answer = await goods.open(response, attempt, scope);
          this.#trial = search.answered(attempt);
        } catch (thrown) {
          const failed = attempt;
          attempt = nextAfter(search, failed, thrown, goods, scope);
          reportFailed(this.#held, scope.requestId, search, failed, thrown);
        }
      }
    } finally {
      goods.release();
    }
    this.#destination = search.destination;
    this.#attempts = search.attempts;
    if (answer === null) throw search.failure;
    this.#answer = answer;
    // A non-streaming answer is complete, so the success of its route is recorded now. The result
    // of a stream's route is recorded when the stream ends.
    if (goods.delivery === 'whole') this.#trial?.end(SUCCESS);
    else if (signal.aborted) this.#trial?.end(UNKNOWN);
    signal.throwIfAborted();
    if (goods.delivery === 'whole' && scope.hasLeft) throw callerLeft();
    return answer;
  }

  /** Not async: an async function would keep the body in memory until the answer. */
  #sendTo(attempt: RouteAttempt<C>, body: UpstreamRequest['body']): Promise<Response> {
    if (!isLongToSend(body)) return this.#sendNow(attempt, body);
    return nextTurn().then(this.#sendNow.bind(this, attempt, body));
  }

  #sendNow(attempt: RouteAttempt<C>, body: UpstreamRequest['body']): Promise<Response> {
    const { to, signal, abort } = attempt;
    const goods = this.#goods;
    const { timeouts } = goods.offer.model;
    this.#held.scope.readsOn = goods.readsOn(to);
    return attempt.send({
      format: to.format,
      body,
      files: goods.files,
      stream: goods.delivery === 'stream',
      headers: goods.headersFor(to),
      scope: this.#held.caller.accountId,
      traceparent: traceparent(this.#held.trace, this.#asked++),
      connectMs: timeouts.connectMs,
      firstByteMs: timeouts.firstByteMs,
      signal,
      abort,
    });
  }

  /** Settles the purchase once; `answer` is null if none arrived. @throws as `Purchase.settle`. */
  async settle(
    outcome: RequestOutcome,
    error: GatewayError | null,
    answer: Answer | null,
  ): Promise<Settled> {
    const { purchase, permit, scope } = this.#held;
    const consumption = this.#consumption(outcome, error, answer);
    this.#trial?.end(attemptResultOf(outcome, error));
    this.#recordRate(consumption);
    try {
      const covering = this.cover(consumption, answer);
      if (covering !== null) await covering;
      return await purchase.settle(consumption);
    } finally {
      permit.end(tokensIn(consumption.usage));
      scope.settled();
    }
  }

  /**
   * Overridden by sales whose hold can grow: extends the hold if the reported usage costs more than
   * it covers. Returns a promise to await before settling, or null.
   */
  protected cover(_consumption: Consumption, _answer: Answer | null): Promise<unknown> | null {
    return null;
  }

  /** Ends a sale that failed before its answer: aborts and settles. Returns the error to send. */
  async fail(thrown: unknown): Promise<GatewayError> {
    const { scope } = this.#held;
    const error = scope.reasonOf(thrown);
    // An unusable answer may be endless, so it is aborted.
    scope.abortUpstream(error);
    // A caller who disconnected still pays for the answer, because the provider bills it.
    const answer = error.code === 'caller_left' ? this.#answer : null;
    await this.settle(outcomeOf(error), error, answer);
    return withAttempts(error, this.#attempts);
  }

  /** Milliseconds since the request was sent to the route that serves it. */
  get #workedMs(): number {
    return this.#held.scope.elapsedMs - (this.#attempts.at(-1)?.startMs ?? 0);
  }

  /** Records the route's generation rate, by which the tokens of aborted answers are estimated. */
  #recordRate({ measure, usage }: Consumption): void {
    const to = this.#destination;
    if (to === null || (measure !== 'reported' && measure !== 'read_on')) return;
    const tokens = tokensOf(usage, 'output');
    this.#held.health.generated(routeId(to.route), tokens, this.#workedMs);
  }

  /** Returns how many output tokens the route may have generated since the request was sent. */
  #generatedTokens({ route }: Destination<C>): number {
    const rate = this.#held.health.tokensPerSecond(routeId(route));
    return Math.ceil((rate * this.#workedMs) / 1000);
  }

  protected get purchase(): Purchase {
    return this.#held.purchase;
  }

  soFar(): Consumption {
    return this.#consumption('node_lost', null, this.#answer);
  }

  /** Returns the channel that serves; null while another channel in `routes` may still be tried. */
  decidedChannel(routes: readonly Destination<C>[]): Channel<C> | null {
    const { channel } = this.#goods.price;
    if (this.#destination !== null) return channel;
    return routes.every((route) => route.channel === channel) ? channel : null;
  }

  /** Adds the headers of this answer to `headers`, which contains those of every response. */
  addHeaders(headers: AnswerHeaders, contentType: string, channel: Channel<C> | null): void {
    const { permit, scope } = this.#held;
    addAnswerHeaders(headers, {
      requested: this.#goods.channelRequested,
      channel,
      attempts: this.#attempts,
      limits: permit.headers(this.#goods.rateDialect),
      contentType,
    });
    this.#goods.addHeaders(headers, channel, scope.elapsedMs);
  }

  #consumption(
    outcome: RequestOutcome,
    error: GatewayError | null,
    answer: Answer | null,
  ): Consumption {
    const goods = this.#goods;
    const { scope } = this.#held;
    const to = this.#destination;
    const channel = to?.channel ?? goods.price.channel;
    const { startedAtMs, durationMs } = scope;
    const endedAtMs = startedAtMs + Math.round(durationMs);
    const metered =
      to === null
        ? goods.unused(channel)
        : goods.meter(outcome, answer, {
            to,
            startedAtMs,
            endedAtMs,
            generatedTokens: (served) => this.#generatedTokens(served),
          });
    return consumptionOf(metered, goods, to, {
      outcome,
      error,
      scope,
      durationMs,
      attempts: this.#attempts,
    });
  }
}

type Ended = {
  readonly outcome: RequestOutcome;
  readonly error: GatewayError | null;
  readonly scope: Pick<CallScope, 'startedAtMs' | 'firstByteMs'>;
  readonly durationMs: number;
  readonly attempts: readonly AttemptRecord[];
};

/** Lists all fields, because a spread of `metered` takes half a microsecond. */
function consumptionOf<C extends Card, Answer>(
  metered: Metered,
  goods: Goods<C, Answer>,
  to: Destination<C> | null,
  { outcome, error, scope, durationMs, attempts }: Ended,
): Consumption {
  const channel = to?.channel ?? goods.price.channel;
  return {
    usage: metered.usage,
    images: metered.images,
    costPico: metered.costPico,
    estimated: metered.estimated,
    finishReason: metered.finishReason,
    facts: metered.facts,
    upstreamId: metered.upstreamId,
    reportedCostPico: metered.reportedCostPico,
    measure: metered.measure,
    endpoint: goods.endpoint,
    model: goods.offer.model.id,
    channelRequested: goods.channelRequested,
    channel: channel.name,
    cardId: channel.card.id,
    upstream: to?.route.upstream ?? '',
    upstreamModel: to?.route.model ?? '',
    streamed: goods.delivery === 'stream',
    outcome,
    errorCode: error?.code ?? null,
    startedAtMs: scope.startedAtMs,
    firstByteMs: scope.firstByteMs,
    durationMs,
    attempts,
  };
}

/** Returns the attempt that follows a failed one; null when none may follow. */
function nextAfter<C extends Card>(
  search: RouteSearch<C>,
  attempt: RouteAttempt<C>,
  thrown: unknown,
  goods: Pick<Goods<C, unknown>, 'amend'>,
  scope: CallScope,
): RouteAttempt<C> | null {
  scope.readsOn = false;
  if (!scope.hasLeft && thrown instanceof GatewayError && goods.amend(attempt.to, thrown)) {
    const again = search.again(attempt, thrown);
    if (again !== null) return again;
  }
  search.failed(attempt, thrown);
  if (scope.hasLeft) search.giveUp(callerLeft());
  return search.next();
}

/** A sale whose hold grows with the output. */
export class StreamSale<C extends Card> extends Sale<C, OpenedStream> {
  readonly #streamed: StreamedGoods<C>;
  #budget: ReturnType<StreamedGoods<C>['budget']> | null = null;
  /** The number of output bytes that the last checkpoint includes. */
  #keptBytes = 0;

  constructor(held: Held, goods: StreamedGoods<C>) {
    super(held, goods);
    this.#streamed = goods;
  }

  /**
   * Extends the hold if it does not cover the output so far. Returns the refusal; null if the hold
   * suffices.
   */
  allow(opened: OpenedStream): Promise<GatewayError | null> | GatewayError | null {
    return this.#budgeted.check(opened.pass.facts.outputBytes);
  }

  /** Stores a checkpoint of the usage, unless no output has arrived since the last checkpoint. */
  keepCheckpoint(opened: OpenedStream): void {
    const { outputBytes } = opened.pass.facts;
    if (outputBytes === this.#keptBytes) return;
    this.#keptBytes = outputBytes;
    this.purchase.keepCheckpoint(this.soFar());
  }

  protected override cover(
    { usage, estimated }: Consumption,
    opened: OpenedStream | null,
  ): Promise<unknown> | null {
    if (estimated || opened === null) return null;
    // If the extension fails, the wallet pays what it can, and the answer is listed as an overrun.
    try {
      const covering = this.#budgeted.cover(tokensOf(usage, 'output'));
      return covering instanceof Promise ? covering.catch(() => null) : null;
    } catch {
      return null;
    }
  }

  get #budgeted(): ReturnType<StreamedGoods<C>['budget']> {
    // The budget is created when it is first needed: before a route has answered, the price may
    // change.
    this.#budget ??= this.#streamed.budget(this.purchase, this);
    return this.#budget;
  }
}

/** Matches channel names that are short and printable enough to be repeated in a header. */
const SHOWABLE = /^[\x21-\x7e]{1,64}$/;

type AnsweredBy = {
  /** The channel as the caller wrote it; null when the request names none. */
  readonly requested: string | null;
  /** The channel that serves; null while a stream's route search is still running. */
  readonly channel: Channel<Card> | null;
  readonly attempts: readonly AttemptRecord[];
  /** The rate-limit headers in the caller's protocol. */
  readonly limits: Readonly<Record<string, string>>;
  readonly contentType: string;
};

/** Adds the headers of every relayed answer: channel, price card, attempts and rate limits. */
export function addAnswerHeaders(
  headers: AnswerHeaders,
  { requested, channel, attempts, limits, contentType }: AnsweredBy,
): void {
  for (const name in limits) headers[name] = limits[name] ?? '';
  headers['content-type'] = contentType;
  if (channel !== null) {
    headers['x-channel'] = channel.name;
    headers['x-price-card'] = channel.card.id;
  }
  if (attempts.length > 0) headers['x-attempts'] = attemptsText(attempts);
  if (requested !== null && SHOWABLE.test(requested)) headers['x-channel-requested'] = requested;
}

/** Returns the error with the attempts in its header `x-attempts`. */
export const withAttempts = (
  error: GatewayError,
  attempts: readonly AttemptRecord[],
): GatewayError =>
  error.withHeaders(attempts.length === 0 ? {} : { 'x-attempts': attemptsText(attempts) });

/** Lists the channel and the result of each attempt; callers must not learn its upstream. */
const attemptsText = (attempts: readonly AttemptRecord[]): string => {
  let text = '';
  for (const { channel, result } of attempts)
    text += text === '' ? `${channel}:${result}` : `, ${channel}:${result}`;
  return text;
};
