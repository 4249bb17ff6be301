/**
 * The life of one text request, from admission to settlement. This is the file to read first: who asks
 * is known already (`http/edge.ts`); here it is priced, held, routed, relayed, metered and settled.
 *
 *   admit -> plan -> hold -> try routes -> relay (JSON or stream) -> settle
 *
 * Every way out after the hold passes through `settle`, once.
 */
import type { Caller } from '../accounts/account.ts';
import type { Limiter, Permit } from '../accounts/limits/limiter.ts';
import type { Catalogue, ChatCard } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import type { GatewayError } from '../errors.ts';
import type { ScannedObject } from '../json/scan.ts';
import type { AttemptRecord, RequestOutcome } from '../ledger/ledger.ts';
import { costPico } from '../money/price.ts';
import { tokensIn } from '../money/usage.ts';
import type { AnswerFacts, CostFields, TextAnswer } from '../protocols/dialect.ts';
import { type TraceContext, traceparent } from '../protocols/trace-context.ts';
import type { AnswerContext } from '../protocols/translator.ts';
import { type Destination, failureContext } from '../routing/destination.ts';
import type { RouteHealth, Trial } from '../routing/health.ts';
import { type Attempted, tryRoutes } from '../routing/route-search.ts';
import type { Upstream, UpstreamRequest } from '../upstreams/upstream.ts';
import { admitText, type ChatOffer } from './admission.ts';
import type { Allowance } from './allowance.ts';
import { answerHeaders, withAttempts } from './answer-headers.ts';
import { type Exchange, openExchange, outcomeOf } from './call-scope.ts';
import { deadlinesFor, type RelayLimits } from './deadlines.ts';
import {
  affordableOutput,
  EXPECTED_OUTPUT_TOKENS,
  estimateUsage,
  holdBasis,
  sizeHold,
} from './hold-size.ts';
import type { InFlight } from './in-flight.ts';
import { orLate } from './late.ts';
import { chargeable, NOTHING_USED } from './outcome.ts';
import { mayUseChannel, permitted } from './permitted.ts';
import { type Consumption, Purchase, type PurchaseDeps, type Settled } from './purchase.ts';
import type { RequestSize } from './request-size.ts';
import { NOTHING_DELIVERED, StreamRelay } from './stream-relay.ts';
import type { TextEndpoint } from './text-endpoint.ts';
import { planText, type TextPlan } from './text-goods.ts';
import { TextPurchase } from './text-price.ts';
import type { TextRequest } from './text-request.ts';
import { type OpenedStream, type OpenLimits, openAnswer, openStream } from './upstream-answer.ts';
import { verdictOf } from './verdict.ts';

export type RelayDeps = PurchaseDeps & {
  readonly clock: Clock;
  readonly inFlight: InFlight;
  readonly limiter: Pick<Limiter, 'admit'>;
  readonly catalogue: () => Catalogue;
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
  readonly health: RouteHealth;
  readonly limits: RelayLimits;
  /** Told of every stream that ended with an error event: its status line said 200. */
  readonly onBrokenStream: (requestId: string, error: GatewayError) => void;
};

export type TextCall = {
  readonly requestId: string;
  readonly trace: TraceContext;
  readonly caller: Caller;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  readonly request: TextRequest;
  readonly body: ScannedObject;
  /** Told when no upstream can be asked any more, so that nobody needs the body. */
  readonly releaseBody: () => void;
  /** Bytes of text in the body, and how many images and files stand beside it. */
  readonly size: RequestSize;
  /** Whether the caller gets a stream. */
  readonly stream: boolean;
  /** Headers of the dialect that go on to an upstream that speaks it. */
  readonly headers: Readonly<Record<string, string>>;
  /** The same for the requests of one conversation; null: it can go anywhere. */
  readonly affinity: () => string | null;
};

/** A stream may run for an hour, and what asked for it be 32 MiB: it is not kept. */
type BodilessCall = Omit<TextCall, 'body'>;

/** @throws GatewayError for everything that fails before the first byte of an answer. */
export async function relayText(
  deps: RelayDeps,
  endpoint: TextEndpoint,
  { body, ...call }: TextCall,
): Promise<Response> {
  const { request, stream, caller } = call;
  const mayUse = mayUseChannel(caller);
  const offer = admitText(deps.catalogue(), request, call.size.textBytes, mayUse);
  const limits = deadlinesFor(deps.limits, offer.model.timeouts);
  const plan = planText(deps, { endpoint, offer, body, stream, affinity: call.affinity });
  const basis = holdBasis(request, call.size, offer);
  const isWatched = canBeWatched(call, offer);
  const permit = deps.limiter.admit(caller, {
    model: offer.model.id,
    channel: offer.channels[0].name,
    tokens: estimateUsage(basis, 0).input,
  });
  // From here on it can be ended from outside: a key may be revoked while its hold is still asked for.
  const exchange = openExchange({ ...deps, limits }, call);
  const purchase = await permitted(permit, exchange, () =>
    Purchase.begin(deps, {
      requestId: call.requestId,
      caller,
      affordable: (funds) => ({ affordable_max_tokens: affordableOutput(basis, funds) }),
      ...offer.payment,
      ...sizeHold(basis, isWatched ? EXPECTED_OUTPUT_TOKENS : basis.outputCap),
    }),
  );
  const money = new TextPurchase({ purchase, channel: offer.channels[0], basis, isWatched });
  const admitted = { endpoint, call, offer, limits, permit, exchange, money };
  return await new TextRelay(deps, admitted).run(plan);
}

/**
 * Whether what is written can be counted while it runs, so that its hold may begin small and grow. Thinking
 * that the upstream keeps to itself is billed all the same, and then the whole output is held.
 */
const canBeWatched = ({ stream, request }: BodilessCall, { model }: ChatOffer): boolean =>
  stream && !request.mayThinkUnseen && !model.thinksUnseen;

/** What was decided before anything is sent. */
type Admitted = {
  readonly endpoint: TextEndpoint;
  readonly call: BodilessCall;
  readonly offer: ChatOffer;
  /** With the model's own deadlines in them. */
  readonly limits: RelayLimits;
  readonly permit: Permit;
  readonly exchange: Exchange;
  readonly money: TextPurchase;
};

class TextRelay {
  readonly #deps: RelayDeps;
  readonly #admitted: Admitted;
  /** Whose answer or failure it is: null while none is known, and when nobody was at work on it. */
  #destination: Destination<ChatCard> | null = null;
  #attempts: readonly AttemptRecord[] = [];
  /** How many routes were asked, for the spans that tell of them. */
  #asked = 0;
  #trial: Trial | null = null;

  constructor(deps: RelayDeps, admitted: Admitted) {
    this.#deps = deps;
    this.#admitted = admitted;
  }

  /** @param plan has the body in every dialect that was needed, and is kept only until a route answers. */
  async run(plan: TextPlan): Promise<Response> {
    const { call, exchange } = this.#admitted;
    try {
      return call.stream ? await this.#stream(plan) : await this.#answer(plan);
    } catch (thrown) {
      const error = exchange.reasonOf(thrown);
      // An answer that cannot be used may be endless.
      exchange.abortUpstream(error);
      await this.#settle(outcomeOf(error), error, NOTHING_DELIVERED);
      throw withAttempts(error, this.#attempts);
    } finally {
      exchange.close();
    }
  }

  async #answer(plan: TextPlan): Promise<Response> {
    const { exchange, offer } = this.#admitted;
    const answer = await this.#reach<TextAnswer>(plan, (response, to, trial) => {
      trial.firstByte();
      exchange.markFirstByte();
      const read = (bytes: Uint8Array<ArrayBuffer>) =>
        plan.prepared(to).readAnswer(bytes, this.#context(to));
      return openAnswer(response, read, this.#openLimits(to));
    });
    const settled = await this.#settle('completed', null, answer.facts);
    const headers = this.#headers('application/json', true);
    headers.set('x-cost', `${settled.cost.exact} ${settled.cost.currency}`);
    const body = answer.write({ model: offer.model.id, cost: settled.cost });
    return new Response(body, { headers });
  }

  /**
   * The status line waits a while for the upstream, so that a failure has a status of its own. Then it
   * goes out all the same, since clients give up on a connection that says nothing.
   */
  async #stream(plan: TextPlan): Promise<Response> {
    const { limits, call, money } = this.#admitted;
    const opening = this.#openStream(plan);
    await orLate(this.#deps.clock, opening, limits.firstEventHoldMs);
    const isDecided =
      this.#destination !== null ||
      plan.destinations.every(({ channel }) => channel === money.channel);
    const relay = this.#streamRelay(opening);
    call.signal.addEventListener('abort', () => relay.abandon(), { once: true });
    const headers = this.#headers('text/event-stream; charset=utf-8', isDecided);
    headers.set('cache-control', 'no-cache, no-transform');
    headers.set('x-accel-buffering', 'no');
    return new Response(relay.body(), { headers });
  }

  /** @throws GatewayError when no route gave a stream. */
  async #openStream(plan: TextPlan): Promise<OpenedStream> {
    const { exchange, limits, offer, call, money } = this.#admitted;
    try {
      return await this.#reach<OpenedStream>(plan, (response, to, trial) => {
        const pass = plan.prepared(to).openStream({
          ...this.#context(to),
          model: offer.model.id,
          includeUsage: call.request.includeUsage,
          maxEventBytes: limits.maxEventBytes,
          estimatedInput: estimateUsage(money.basis, 0).input,
        });
        return openStream(response, pass, this.#openLimits(to), () => {
          trial.firstByte();
          exchange.markFirstByte();
        });
      });
    } catch (thrown) {
      throw exchange.reasonOf(thrown);
    }
  }

  #streamRelay(opening: Promise<OpenedStream>): StreamRelay {
    const { clock, inFlight, onBrokenStream } = this.#deps;
    const { endpoint, call, limits, exchange, money } = this.#admitted;
    let allowance: Allowance | null = null;
    return new StreamRelay({
      clock,
      inFlight,
      caller: call.caller,
      limits,
      dialect: endpoint.dialect,
      requestId: call.requestId,
      opening,
      elapsedMs: () => exchange.elapsedMs,
      abortUpstream: (why) => exchange.abortUpstream(why),
      onBroken: (error) => onBrokenStream(call.requestId, error),
      allow: (outputBytes, pass) => {
        // Asked for the first time when a route has answered, and so its price is known.
        // If this process dies, no more can be proved than what the last extension knew.
        allowance ??= money.allowance(() => this.#consumption('node_lost', null, pass.facts));
        return allowance.check(outputBytes);
      },
      settle: async ({ outcome, error, facts }): Promise<CostFields> => {
        // Who was asked is known once the search is over, which its abort ends at once.
        await opening.catch(() => undefined);
        return (await this.#settle(outcome, error, facts)).cost;
      },
    });
  }

  /** The first answer that can be used. @throws GatewayError when no route gave one. */
  async #reach<Opened>(
    plan: TextPlan,
    open: (response: Response, to: Destination<ChatCard>, trial: Trial) => Promise<Opened>,
  ): Promise<Opened> {
    const { call, exchange } = this.#admitted;
    const tried: Attempted<ChatCard, Opened> = await tryRoutes(plan.destinations, {
      request: (to, signal) => this.#upstreamRequest(plan, to, signal),
      open,
      health: this.#deps.health,
      elapsedMs: () => exchange.elapsedMs,
      repeat: 'until_first_byte',
      signal: exchange.signal,
    }).finally(call.releaseBody);
    this.#destination = tried.destination;
    this.#attempts = tried.attempts;
    if ('failure' in tried) throw tried.failure;
    // Whoever left while it was opened has been settled already, and nobody will read it.
    if (exchange.signal.aborted) tried.trial.end({ kind: 'unknown' });
    exchange.signal.throwIfAborted();
    this.#trial = tried.trial;
    return tried.opened;
  }

  /** @throws GatewayError when it cannot be said, or not be paid for, there. */
  async #upstreamRequest(
    plan: TextPlan,
    to: Destination<ChatCard>,
    signal: AbortSignal,
  ): Promise<UpstreamRequest> {
    const { call, endpoint, offer, exchange, money } = this.#admitted;
    const asked = this.#asked++;
    exchange.forgetFirstByte();
    const prepared = plan.prepared(to);
    await money.moveTo(to.channel, () => this.#consumption('node_lost', null, NOTHING_DELIVERED));
    return {
      format: to.format,
      body: prepared.bodyFor({
        model: to.route.model,
        quirks: to.quirks,
        clampedOutput: money.clampedOutput,
      }),
      stream: call.stream,
      headers: to.format === endpoint.name ? call.headers : {},
      scope: call.caller.accountId,
      traceparent: traceparent(call.trace, asked),
      connectMs: offer.model.timeouts.connectMs,
      firstByteMs: offer.model.timeouts.firstByteMs,
      signal,
    };
  }

  /** Settles once, by what is known of the usage; see `chargeable.ts`. */
  async #settle(
    outcome: RequestOutcome,
    error: GatewayError | null,
    facts: AnswerFacts,
  ): Promise<Settled> {
    const { money, permit } = this.#admitted;
    const consumption = this.#consumption(outcome, error, facts);
    this.#trial?.end(verdictOf(outcome, error));
    try {
      return await money.purchase.settle(consumption);
    } finally {
      permit.end(tokensIn(consumption.usage));
    }
  }

  #consumption(
    outcome: RequestOutcome,
    error: GatewayError | null,
    facts: AnswerFacts,
  ): Consumption {
    const { endpoint, call, offer, exchange, money } = this.#admitted;
    const to = this.#destination;
    const { card, name } = to?.channel ?? money.channel;
    // Who leaves before anybody was asked has used nothing.
    const { usage, estimated } =
      to === null ? NOTHING_USED : chargeable(outcome, facts, money.basis, offer.model);
    return {
      endpoint: endpoint.name,
      model: offer.model.id,
      channelRequested: call.request.channel,
      channel: name,
      cardId: card.id,
      upstream: to?.route.upstream ?? '',
      upstreamModel: to?.route.model ?? '',
      usage,
      images: null,
      costPico: costPico(usage, card.rates),
      estimated,
      streamed: call.stream,
      outcome,
      errorCode: error?.code ?? null,
      finishReason: facts.finishReason,
      ...exchange.times,
      attempts: this.#attempts,
    };
  }

  /** The model's own deadline for the first byte, else that of the upstream, else the gateway's. */
  #openLimits(to: Destination<ChatCard>): OpenLimits {
    const { limits, offer } = this.#admitted;
    const firstByteTimeoutMs =
      offer.model.timeouts.firstByteMs ??
      to.upstream.firstByteTimeoutMs ??
      limits.firstByteTimeoutMs;
    const context = failureContext(to);
    return { ...limits, firstByteTimeoutMs, context, clock: this.#deps.clock };
  }

  #context({ quirks }: Destination<ChatCard>): AnswerContext {
    const { call, exchange } = this.#admitted;
    const createdSeconds = Math.floor(exchange.times.startedAtMs / 1000);
    return { requestId: call.requestId, createdSeconds, quirks };
  }

  /** @param isDecided whether no other channel can serve any more. */
  #headers(contentType: string, isDecided: boolean): Headers {
    const { call, endpoint, permit, exchange, money } = this.#admitted;
    const headers = answerHeaders({
      requested: call.request.channel,
      channel: isDecided ? money.channel : null,
      attempts: this.#attempts,
      limits: permit.headers(endpoint.name === 'messages' ? 'anthropic' : 'openai'),
      contentType,
    });
    if (isDecided && money.clampedOutput !== null)
      headers.set('x-max-output-tokens', String(money.clampedOutput));
    if (endpoint.name === 'chat') {
      headers.set('openai-processing-ms', String(Math.round(exchange.elapsedMs)));
      headers.set('openai-version', '2020-10-01');
    }
    return headers;
  }
}
