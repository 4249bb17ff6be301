/** One sale after its hold: tries one route after the other, and settles once. */
import type { Caller } from '../accounts/account.ts';
import type { Permit } from '../accounts/limits/limiter.ts';
import type { Card, Channel } from '../catalogue/catalogue.ts';
import type { GatewayError } from '../errors.ts';
import type { AttemptRecord, RequestOutcome } from '../ledger/ledger.ts';
import { tokensIn } from '../money/usage.ts';
import { type TraceContext, traceparent } from '../protocols/trace-context.ts';
import type { RouteHealth, Trial } from '../routing/route-health.ts';
import type { Destination } from '../routing/route-plan.ts';
import { type RouteAttempt, RouteSearch } from '../routing/route-search.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import type { Goods, StreamedGoods } from './goods.ts';
import type { CallScope } from './in-flight.ts';
import { attemptResultOf, outcomeOf } from './outcome.ts';
import type { Consumption, Purchase, Settled } from './purchase.ts';
import type { OutputBudget } from './text-price.ts';
import type { OpenedStream } from './upstream-answer.ts';

/** A request that may be sent, since its money is held. */
export type Held = {
  readonly purchase: Purchase;
  readonly permit: Permit;
  readonly scope: CallScope;
  readonly health: RouteHealth;
  readonly caller: Pick<Caller, 'accountId'>;
  readonly trace: TraceContext;
};

export class Sale<C extends Card, Answer> {
  readonly #held: Held;
  readonly #goods: Goods<C, Answer>;
  /** The route that answered, or whose failure is reported; null while nothing was sent. */
  #destination: Destination<C> | null = null;
  #attempts: readonly AttemptRecord[] = [];
  /** How many routes were tried: the number of each span. */
  #asked = 0;
  #trial: Trial | null = null;

  constructor(held: Held, goods: Goods<C, Answer>) {
    this.#held = held;
    this.#goods = goods;
    goods.price.sellBy(goods.price.channel, held.purchase);
  }

  /** The first answer that can be used. @throws GatewayError when no route gave one. */
  async send(routes: readonly Destination<C>[]): Promise<Answer> {
    const goods = this.#goods;
    const { scope, health } = this.#held;
    const { signal } = scope;
    const search = new RouteSearch(routes, { health, times: scope, repeat: goods.repeat, signal });
    let answer: Answer | null = null;
    try {
      let attempt = search.next();
      while (attempt !== null && answer === null) {
        try {
          const response = await attempt.send(await this.#requestFor(attempt));
          answer = await goods.open(response, attempt, scope);
          this.#trial = search.answered(attempt);
        } catch (thrown) {
          search.failed(attempt, thrown);
          attempt = search.next();
        }
      }
    } finally {
      goods.release();
    }
    this.#destination = search.destination;
    this.#attempts = search.attempts;
    if (answer === null) throw search.failure;
    // A non-streaming answer is complete. A stream goes on, unless the caller has left already.
    if (goods.delivery === 'whole') this.#trial?.end({ kind: 'success' });
    else if (signal.aborted) this.#trial?.end({ kind: 'unknown' });
    signal.throwIfAborted();
    return answer;
  }

  /** @throws GatewayError when the route cannot express the request, or costs too much. */
  async #requestFor({ to, signal }: RouteAttempt<C>): Promise<UpstreamRequest> {
    const goods = this.#goods;
    const { purchase, caller, trace } = this.#held;
    const asked = this.#asked++;
    goods.prepare(to);
    await purchase.moveTo(to.channel, goods.price, () => this.soFar(null));
    const { connectMs, firstByteMs } = goods.offer.model.timeouts;
    return {
      format: to.format,
      body: goods.bodyFor(to),
      stream: goods.delivery === 'stream',
      headers: goods.headersFor(to),
      scope: caller.accountId,
      traceparent: traceparent(trace, asked),
      connectMs,
      firstByteMs,
      signal,
    };
  }

  /**
   * Settles once, by the usage that is known.
   * @param answer null when nothing was delivered.
   * @throws GatewayError as `Purchase.settle` does.
   */
  async settle(
    outcome: RequestOutcome,
    error: GatewayError | null,
    answer: Answer | null,
  ): Promise<Settled> {
    const { purchase, permit } = this.#held;
    const consumption = this.#consumption(outcome, error, answer);
    this.#trial?.end(attemptResultOf(outcome, error));
    try {
      return await purchase.settle(consumption);
    } finally {
      permit.end(tokensIn(consumption.usage));
    }
  }

  /** Ends a sale that failed before its answer: aborts, settles, returns the error to send. */
  async fail(thrown: unknown): Promise<GatewayError> {
    const { scope } = this.#held;
    const error = scope.reasonOf(thrown);
    // An unusable answer may be endless.
    scope.abortUpstream(error);
    await this.settle(outcomeOf(error), error, null);
    return withAttempts(error, this.#attempts);
  }

  protected get purchase(): Purchase {
    return this.#held.purchase;
  }

  /** The checkpoint that an extension records, which is charged if this process dies. */
  protected soFar(answer: Answer | null): Consumption {
    return this.#consumption('node_lost', null, answer);
  }

  /** The channel that serves; null while these routes may still lead to another. */
  decidedChannel(routes: readonly Destination<C>[]): Channel<C> | null {
    const { channel } = this.#goods.price;
    const isDecided =
      this.#destination !== null || routes.every((route) => route.channel === channel);
    return isDecided ? channel : null;
  }

  headers(contentType: string, channel: Channel<C> | null): Headers {
    const { permit, scope } = this.#held;
    const goods = this.#goods;
    const headers = answerHeaders({
      requested: goods.channelRequested,
      channel,
      attempts: this.#attempts,
      limits: permit.headers(goods.rateDialect),
      contentType,
    });
    goods.addHeaders(headers, channel, scope.elapsedMs);
    return headers;
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
    return {
      ...(to === null ? goods.unused(channel) : goods.meter(outcome, answer, channel)),
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
      durationMs: scope.durationMs,
      attempts: this.#attempts,
    };
  }
}

/** A sale whose hold grows with the output. */
export class StreamSale<C extends Card> extends Sale<C, OpenedStream> {
  readonly #streamed: StreamedGoods<C>;
  #budget: OutputBudget | null = null;

  constructor(held: Held, goods: StreamedGoods<C>) {
    super(held, goods);
    this.#streamed = goods;
  }

  /** Null while the hold pays for the output; else extends it. Resolves with a refusal. */
  allow(opened: OpenedStream): Promise<GatewayError | null> | null {
    // The price is known here, since a route has answered.
    this.#budget ??= this.#streamed.budget(this.purchase, () => this.soFar(opened));
    return this.#budget.check(opened.pass.facts.outputBytes);
  }
}

/** The caller's text is echoed in a header only when it is short and printable. */
const SHOWABLE = /^[\x21-\x7e]{1,64}$/;

type AnswerHeaders = {
  /** The channel as the caller wrote it; null when the request names none. */
  readonly requested: string | null;
  /** The channel that serves; null while a stream has not found it yet. */
  readonly channel: Channel<Card> | null;
  readonly attempts: readonly AttemptRecord[];
  /** Rate-limit headers in the caller's dialect. */
  readonly limits: Readonly<Record<string, string>>;
  readonly contentType: string;
};

/** The headers of every relayed answer: channel, price card, attempts and rate limits. */
export function answerHeaders({
  requested,
  channel,
  attempts,
  limits,
  contentType,
}: AnswerHeaders): Headers {
  const headers = new Headers({
    ...limits,
    'content-type': contentType,
    ...(channel === null ? {} : { 'x-channel': channel.name, 'x-price-card': channel.card.id }),
    ...attemptHeaders(attempts),
  });
  if (requested !== null && SHOWABLE.test(requested)) headers.set('x-channel-requested', requested);
  return headers;
}

/** The same failure with the attempts in its headers. */
export const withAttempts = (
  error: GatewayError,
  attempts: readonly AttemptRecord[],
): GatewayError => error.withHeaders(attemptHeaders(attempts));

/** Names channels and results only: callers must not learn which upstreams a channel uses. */
const attemptHeaders = (attempts: readonly AttemptRecord[]): Readonly<Record<string, string>> =>
  attempts.length === 0
    ? {}
    : { 'x-attempts': attempts.map(({ channel, result }) => `${channel}:${result}`).join(', ') };
