/**
 * The life of one text request, from admission to settlement. This is the file to read first: who asks
 * is known already (`http/edge.ts`); here it is priced, held, routed, relayed, metered and settled.
 *
 *   admit -> hold -> attempt routes -> relay (JSON or stream) -> settle
 *
 * Every way out after the hold passes through `settle`, once.
 */
import type { Caller } from '../accounts/accounts.ts';
import type { Limiter, Permit } from '../accounts/limits/limiter.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { nano } from '../money/amount.ts';
import { costPico } from '../money/price.ts';
import { tokensIn } from '../money/usage.ts';
import type { AnswerFacts, CostFields } from '../protocols/dialect.ts';
import { replaceMembers, type ScannedObject } from '../protocols/json.ts';
import { type Attempted, attempt, MAX_ATTEMPTS } from '../routing/attempt.ts';
import { type Destination, orderDestinations } from '../routing/pick.ts';
import { reportedCause } from '../routing/upstream-failure.ts';
import type { Upstream, UpstreamRequest } from '../upstreams/upstream.ts';
import { admitText, type ChatOffer } from './admission.ts';
import { Allowance } from './allowance.ts';
import { readAnswerBytes } from './answer-bytes.ts';
import { channelHeaders } from './channel-headers.ts';
import { chargeable } from './chargeable.ts';
import { type Exchange, openExchange, outcomeOf } from './exchange.ts';
import {
  affordableOutput,
  EXPECTED_OUTPUT_TOKENS,
  estimateUsage,
  type HoldBasis,
  sizeHold,
} from './hold-size.ts';
import type { InFlight } from './in-flight.ts';
import { lateBody, orLate } from './late-body.ts';
import { permitted } from './permitted.ts';
import { type Consumption, Purchase, type PurchaseDeps, type Settled } from './purchase.ts';
import { type StreamLimits, StreamRelay } from './stream-relay.ts';
import type { TextAnswer, TextProtocol, TextRequest } from './text-protocol.ts';

export type RelayLimits = StreamLimits & {
  /** An answer in one piece may be this long. */
  readonly maxAnswerBytes: number;
  /** One event of a stream may be this long. */
  readonly maxEventBytes: number;
};

export type RelayDeps = PurchaseDeps & {
  readonly clock: Clock;
  readonly inFlight: InFlight;
  readonly limiter: Pick<Limiter, 'admit'>;
  readonly catalogue: () => Catalogue;
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
  readonly limits: RelayLimits;
  /** Told of every stream that ended with an error event: its status line said 200. */
  readonly onBrokenStream: (requestId: string, error: GatewayError) => void;
};

export type TextCall = {
  readonly requestId: string;
  readonly caller: Caller;
  /** Aborts when the caller goes away. */
  readonly signal: AbortSignal;
  readonly request: TextRequest;
  readonly body: ScannedObject;
  /** Bytes of text in the body, and how many images and files stand beside it. */
  readonly size: { readonly textBytes: number; readonly mediaParts: number };
  /** Whether the caller gets a stream. */
  readonly stream: boolean;
  /** Headers of the dialect that go on to the upstream. */
  readonly headers: Readonly<Record<string, string>>;
};

/** @throws GatewayError for everything that fails before the first byte of an answer. */
export async function relayText<Answer extends TextAnswer>(
  deps: RelayDeps,
  protocol: TextProtocol<Answer>,
  call: TextCall,
): Promise<Response> {
  const offer = admitText(deps.catalogue(), call.request, call.size.textBytes);
  const { routes } = offer.channel;
  const destinations = orderDestinations(
    routes,
    deps.upstreams(),
    protocol.name,
    chance(deps.clock),
  );
  const basis = holdBasis(call, offer);
  const permit = deps.limiter.admit(call.caller, {
    model: offer.model.id,
    channel: offer.channel.name,
    tokens: estimateUsage(basis, 0).input,
  });
  // From here on it can be ended from outside: a key may be revoked while its hold is still asked for.
  const exchange = openExchange(deps, call);
  const purchase = await permitted(permit, exchange, () =>
    Purchase.begin(deps, {
      requestId: call.requestId,
      caller: call.caller,
      card: offer.channel.card,
      affordable: (funds) => ({ affordable_max_tokens: affordableOutput(basis, funds) }),
      ...offer.payment,
      ...sizeHold(basis, isWatched(call) ? EXPECTED_OUTPUT_TOKENS : basis.outputCap),
    }),
  );
  const admitted = { offer, basis, permit, exchange, purchase };
  return await new TextRelay(deps, protocol, call, admitted).run(destinations);
}

/**
 * Whether what is written can be counted while it runs, so that its hold may begin small and grow. Thinking
 * that the upstream keeps to itself is billed all the same, and then the whole output is held.
 */
const isWatched = ({ stream, request }: TextCall): boolean => stream && !request.mayThinkUnseen;

/** What was decided before anything is sent. */
type Admitted = {
  readonly offer: ChatOffer;
  readonly basis: HoldBasis;
  readonly permit: Permit;
  readonly exchange: Exchange;
  readonly purchase: Purchase;
};

class TextRelay<Answer extends TextAnswer> {
  readonly #deps: RelayDeps;
  readonly #protocol: TextProtocol<Answer>;
  readonly #call: TextCall;
  readonly #offer: ChatOffer;
  readonly #basis: HoldBasis;
  readonly #permit: Permit;
  readonly #purchase: Purchase;
  /** Output tokens the hold pays for, when fewer than the caller may have expected; else null. */
  readonly #clampedOutput: number | null;
  readonly #exchange: Exchange;
  #attempted: Pick<Attempted, 'destination' | 'attempts'> | null = null;

  constructor(
    deps: RelayDeps,
    protocol: TextProtocol<Answer>,
    call: TextCall,
    { offer, basis, permit, exchange, purchase }: Admitted,
  ) {
    this.#deps = deps;
    this.#protocol = protocol;
    this.#call = call;
    this.#offer = offer;
    this.#basis = basis;
    this.#permit = permit;
    this.#purchase = purchase;
    // What is watched can draw on the rest of the wallet while it runs; what is not cannot.
    const funds = isWatched(call) ? nano(purchase.held + purchase.available) : purchase.held;
    const affordable = affordableOutput(basis, funds);
    this.#clampedOutput = affordable < basis.outputCap ? affordable : null;
    this.#exchange = exchange;
  }

  async run(destinations: readonly Destination[]): Promise<Response> {
    try {
      const reached = this.#reach(destinations);
      return this.#call.stream ? await this.#stream(reached) : await this.#answer(await reached);
    } catch (thrown) {
      const error = this.#exchange.reasonOf(thrown);
      // An answer that cannot be used may be endless.
      this.#exchange.abortUpstream();
      await this.#settle(outcomeOf(error), error, NOTHING_DELIVERED);
      throw error;
    } finally {
      this.#exchange.close();
    }
  }

  /** The first answer with a success status. @throws GatewayError when no route gave one. */
  async #reach(destinations: readonly Destination[]): Promise<Response> {
    const body = this.#destinationBody();
    const attempted = await attempt(
      destinations,
      (to) => this.#upstreamRequest(to, body),
      MAX_ATTEMPTS,
      this.#deps.clock,
    );
    this.#attempted = attempted;
    if ('failure' in attempted) throw attempted.failure;
    return attempted.response;
  }

  async #answer(response: Response): Promise<Response> {
    const bytes = await readAnswerBytes(response, this.#deps.limits.maxAnswerBytes);
    this.#exchange.markFirstByte();
    const answer = this.#protocol.readAnswer(bytes);
    const { facts } = answer;
    if (facts.error !== null) {
      throw new GatewayError(
        'upstream_failed',
        'The provider behind this channel answered with an error.',
        {
          cause: reportedCause(facts.error.message),
        },
      );
    }
    const settled = await this.#settle('completed', null, facts);
    const headers = this.#headers(response, 'application/json');
    headers.set('x-cost', `${settled.cost.exact} ${settled.cost.currency}`);
    const body = this.#protocol.writeAnswer(answer, {
      model: this.#offer.model.id,
      cost: settled.cost,
    });
    return new Response(body, { headers });
  }

  /**
   * The status line waits a while for the upstream, so that a failure has a status of its own. Then it
   * goes out all the same, since clients give up on a connection that says nothing.
   */
  async #stream(reached: Promise<Response>): Promise<Response> {
    const { limits, clock } = this.#deps;
    const early = await orLate(clock, reached, limits.firstEventHoldMs);
    const relay =
      early === 'late'
        ? this.#streamRelay(lateBody(reached.then(eventStreamOf)), {
            ...limits,
            firstEventHoldMs: 0,
          })
        : this.#streamRelay(eventStreamOf(early), limits);
    this.#call.signal.addEventListener('abort', () => relay.abandon(), { once: true });
    const body = await relay.open();
    const headers = this.#headers(
      early === 'late' ? null : early,
      'text/event-stream; charset=utf-8',
    );
    headers.set('cache-control', 'no-cache, no-transform');
    headers.set('x-accel-buffering', 'no');
    return new Response(body, { headers });
  }

  #streamRelay(upstreamBody: ReadableStream<Uint8Array>, limits: StreamLimits): StreamRelay {
    const {
      clock,
      inFlight,
      onBrokenStream,
      limits: { maxEventBytes },
    } = this.#deps;
    const { requestId, request, caller } = this.#call;
    const pass = this.#protocol.openStream({
      model: this.#offer.model.id,
      includeUsage: request.includeUsage,
      maxEventBytes,
    });
    const basis = { ...this.#basis, outputCap: this.#clampedOutput ?? this.#basis.outputCap };
    const allowance = new Allowance(
      this.#purchase,
      basis,
      affordableOutput(basis, this.#purchase.held),
      // If this process dies, no more can be proved than what the last extension knew.
      () => this.#consumption('node_lost', null, pass.facts),
    );
    return new StreamRelay({
      clock,
      inFlight,
      caller,
      limits,
      dialect: this.#protocol.dialect,
      requestId,
      pass,
      upstreamBody,
      abortUpstream: () => this.#exchange.abortUpstream(),
      onFirstByte: () => this.#exchange.markFirstByte(),
      onBroken: (error) => onBrokenStream(requestId, error),
      allow: (outputBytes) => allowance.check(outputBytes),
      settle: async (end): Promise<CostFields> =>
        (await this.#settle(end.outcome, end.error, end.facts)).cost,
    });
  }

  /** Settles once, by what is known of the usage; see `chargeable.ts`. */
  async #settle(
    outcome: RequestOutcome,
    error: GatewayError | null,
    facts: AnswerFacts,
  ): Promise<Settled> {
    const consumption = this.#consumption(outcome, error, facts);
    try {
      return await this.#purchase.settle(consumption);
    } finally {
      this.#permit.end(tokensIn(consumption.usage));
    }
  }

  #consumption(
    outcome: RequestOutcome,
    error: GatewayError | null,
    facts: AnswerFacts,
  ): Consumption {
    const { channel, model } = this.#offer;
    const { usage, estimated } = chargeable(outcome, facts, this.#basis, model);
    return {
      endpoint: this.#protocol.name,
      model: model.id,
      channelRequested: this.#call.request.channel,
      channel: channel.name,
      upstream: this.#attempted?.destination.route.upstream ?? '',
      upstreamModel: this.#attempted?.destination.route.model ?? '',
      usage,
      images: null,
      costPico: costPico(usage, channel.card.rates),
      estimated,
      streamed: this.#call.stream,
      outcome,
      errorCode: error?.code ?? null,
      finishReason: facts.finishReason,
      ...this.#exchange.times,
      attempts: this.#attempted?.attempts ?? [],
    };
  }

  #upstreamRequest(to: Destination, edits: ReadonlyMap<string, string | null>): UpstreamRequest {
    const { body, request, headers, caller, stream } = this.#call;
    const all = new Map(edits);
    if (to.route.model !== request.model) all.set('model', JSON.stringify(to.route.model));
    return {
      format: this.#protocol.name,
      body: all.size === 0 ? body.bytes : replaceMembers(body, all),
      stream,
      headers,
      scope: caller.accountId,
      traceparent: null,
      connectMs: null,
      firstByteMs: null,
      signal: this.#exchange.signal,
    };
  }

  /** What is edited in the body whichever route takes it. */
  #destinationBody(): ReadonlyMap<string, string | null> {
    const { body, request, stream } = this.#call;
    const edits = new Map(stream ? this.#protocol.streamEdits(body) : []);
    // Our own extension; a strict upstream would refuse it.
    if (body.members.has('provider')) edits.set('provider', null);
    if (this.#clampedOutput !== null)
      edits.set(request.maxOutputField, String(this.#clampedOutput));
    return edits;
  }

  #headers(upstream: Response | null, contentType: string): Headers {
    const headers = channelHeaders(this.#call.request.channel, this.#offer.channel);
    headers.set('content-type', contentType);
    const dialect = this.#protocol.name === 'messages' ? 'anthropic' : 'openai';
    for (const [name, value] of Object.entries(this.#permit.headers(dialect)))
      headers.set(name, value);
    if (this.#clampedOutput !== null)
      headers.set('x-max-output-tokens', String(this.#clampedOutput));
    if (this.#protocol.name === 'chat') {
      headers.set('openai-processing-ms', String(Math.round(this.#exchange.elapsedMs)));
      headers.set('openai-version', upstream?.headers.get('openai-version') ?? '2020-10-01');
    }
    return headers;
  }
}

function holdBasis(call: TextCall, offer: ChatOffer): HoldBasis {
  return {
    textBytes: call.size.textBytes,
    mediaParts: call.size.mediaParts,
    outputCap: call.request.maxOutputTokens ?? offer.model.maxOutput,
    choices: call.request.choices,
    thinkingTokens: call.request.thinkingTokens,
    oneHourCache: call.request.oneHourCache,
    rates: offer.channel.card.rates,
    rate: offer.payment.rate,
  };
}

const NOTHING_DELIVERED: AnswerFacts = {
  usage: null,
  outputBytes: 0,
  finishReason: null,
  error: null,
};

/** @throws GatewayError `upstream_failed` when the answer is no event stream. */
function eventStreamOf({ body, headers }: Response): ReadableStream<Uint8Array> {
  const type = (headers.get('content-type') ?? '').toLowerCase();
  if (body !== null && type.startsWith('text/event-stream')) return body;
  throw new GatewayError(
    'upstream_failed',
    'The provider behind this channel did not answer with a stream.',
    { cause: new Error(`content-type ${type.slice(0, 80)}`) },
  );
}

/** A number in [0, 1) for choosing among routes. */
function chance(clock: Clock): number {
  const [byte = 0] = clock.randomBytes(1);
  return byte / 256;
}
