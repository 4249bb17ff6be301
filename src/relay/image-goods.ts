/** The life of one image request: the price is known before the call, so exactly that is held. */
import type { Caller } from '../accounts/account.ts';
import type { Permit } from '../accounts/limits/limiter.ts';
import type { Channel, ImageCard } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { ImageStore } from '../images/image-store.ts';
import { parsePixelSize, toPngOfSize } from '../images/png.ts';
import type { ImageUrls } from '../images/signed-url.ts';
import type { AttemptRecord, RequestOutcome } from '../ledger/ledger.ts';
import { type NanoAmount, nano, ZERO } from '../money/amount.ts';
import { imagesPico, settleAmount } from '../money/price.ts';
import { NO_USAGE } from '../money/usage.ts';
import {
  checkAgainstModel,
  findImagePrice,
  type ImageChoice,
  priceKey,
} from '../protocols/images/choice.ts';
import type { ImagesRequest } from '../protocols/images/request.ts';
import {
  type DeliveredImage,
  encodeImagesResponse,
  type ImageItem,
  readImagesAnswer,
} from '../protocols/images/response.ts';
import { type TraceContext, traceparent } from '../protocols/trace-context.ts';
import { type Destination, failureContext } from '../routing/destination.ts';
import { planRoutes } from '../routing/route-plan.ts';
import { type Attempted, tryRoutes } from '../routing/route-search.ts';
import { type FailureContext, reportedFailure } from '../routing/upstream-failure.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { admitImages, type ImageOffer } from './admission.ts';
import { type AnswerLimits, readAnswerBytes } from './answer-bytes.ts';
import { answerHeaders, withAttempts } from './answer-headers.ts';
import { type Exchange, openExchange, outcomeOf } from './call-scope.ts';
import { chance } from './chance.ts';
import { deadlinesFor, type RelayLimits } from './deadlines.ts';
import { tooDear } from './hold-refusal.ts';
import { mayUseChannel, permitted } from './permitted.ts';
import { type Consumption, Purchase, type Settled } from './purchase.ts';
import type { RelayDeps } from './sell.ts';

export type ImageRelayDeps = RelayDeps & {
  readonly store: Pick<ImageStore, 'put'>;
  readonly urls: Pick<ImageUrls, 'sign'>;
};

export type ImageCall = {
  readonly requestId: string;
  /** What an upstream is told of with `traceparent`. */
  readonly trace: TraceContext;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly request: ImagesRequest;
};

/** @throws GatewayError for everything that fails; nothing is charged then. */
export async function relayImages(deps: ImageRelayDeps, call: ImageCall): Promise<Response> {
  const offer = admitImages(deps.catalogue(), call.request, mayUseChannel(call.caller));
  const [channel] = offer.channels;
  const choice = checkAgainstModel(call.request, offer.model);
  const each = imagePrice(channel, choice);
  const destinations = planRoutes({
    channels: offer.channels,
    upstreams: deps.upstreams(),
    formats: ['images'],
    affinity: () => null,
    health: deps.health,
    draw: () => chance(deps.clock),
  });
  const price = settleAmount(imagesPico(each, choice.count), offer.payment.rate);
  const permit = deps.limiter.admit(call.caller, {
    model: offer.model.id,
    channel: channel.name,
    tokens: 0,
  });
  const limits = deadlinesFor(deps.limits, offer.model.timeouts);
  const exchange = openExchange({ ...deps, limits }, call);
  const purchase = await permitted(permit, exchange, () =>
    Purchase.begin(deps, {
      requestId: call.requestId,
      caller: call.caller,
      affordable: (funds) => ({ affordable_images: countFor(funds, price, choice.count) }),
      ...offer.payment,
      amount: price,
      atLeast: price,
    }),
  );
  const admitted = { call, offer, limits, choice, permit, exchange, purchase };
  return await new ImageRelay(deps, admitted).run(destinations);
}

/** How many images `funds` would pay for, when `count` of them cost `price`. */
function countFor(funds: NanoAmount, price: NanoAmount, count: number): number {
  return price === ZERO ? count : Number((funds * BigInt(count)) / price);
}

/** Of one image. @throws GatewayError `internal_error` when the card has none, which a checked catalogue rules out. */
function imagePrice({ card }: Channel<ImageCard>, choice: ImageChoice): NanoAmount {
  const each = findImagePrice(card.perImage, choice);
  if (each !== null) return each;
  throw new GatewayError('internal_error', 'The gateway has no price for this image.', {
    cause: new Error(`card ${card.id} has no ${priceKey(choice.size, choice.quality)}`),
  });
}

/** What was decided before anything is sent. */
type Admitted = {
  readonly call: ImageCall;
  readonly offer: ImageOffer;
  /** With the model's own deadlines in them. */
  readonly limits: RelayLimits;
  readonly choice: ImageChoice;
  readonly permit: Permit;
  readonly exchange: Exchange;
  readonly purchase: Purchase;
};

class ImageRelay {
  readonly #deps: ImageRelayDeps;
  readonly #admitted: Admitted;
  /** Its card is charged. */
  #channel: Channel<ImageCard>;
  #expiresAtSeconds: number | null = null;
  #destination: Destination<ImageCard> | null = null;
  #attempts: readonly AttemptRecord[] = [];
  /** How many routes were asked, for the spans that tell of them. */
  #asked = 0;

  constructor(deps: ImageRelayDeps, admitted: Admitted) {
    this.#deps = deps;
    this.#admitted = admitted;
    this.#channel = admitted.offer.channels[0];
  }

  async run(destinations: readonly Destination<ImageCard>[]): Promise<Response> {
    const { exchange, permit } = this.#admitted;
    try {
      const items = await this.#draw(destinations);
      const settled = await this.#settle(items.length, null);
      return this.#respond(items, settled);
    } catch (thrown) {
      const error = exchange.reasonOf(thrown);
      exchange.abortUpstream(error);
      await this.#settle(0, error);
      throw withAttempts(error, this.#attempts);
    } finally {
      exchange.close();
      permit.end(null);
    }
  }

  async #draw(destinations: readonly Destination<ImageCard>[]): Promise<readonly ImageItem[]> {
    const { exchange, choice, limits } = this.#admitted;
    const tried: Attempted<ImageCard, readonly DeliveredImage[]> = await tryRoutes(destinations, {
      request: (to, signal) => this.#upstreamRequest(to, signal),
      open: (response, to, trial) => {
        trial.firstByte();
        exchange.markFirstByte();
        return openImages(response, { ...limits, clock: this.#deps.clock }, failureContext(to));
      },
      health: this.#deps.health,
      elapsedMs: () => exchange.elapsedMs,
      // An image that was begun twice is paid for twice.
      repeat: 'unless_begun',
      signal: exchange.signal,
    });
    this.#destination = tried.destination;
    this.#attempts = tried.attempts;
    if ('failure' in tried) throw tried.failure;
    tried.trial.end({ kind: 'success' });
    // More than was asked for is not paid for, so it is not handed out.
    const delivered = tried.opened.slice(0, choice.count);
    return await Promise.all(delivered.map((image) => this.#item(image)));
  }

  async #upstreamRequest(
    to: Destination<ImageCard>,
    signal: AbortSignal,
  ): Promise<UpstreamRequest> {
    const { call, offer, exchange } = this.#admitted;
    const asked = this.#asked++;
    exchange.forgetFirstByte();
    await this.#moveTo(to.channel);
    return {
      format: 'images',
      body: this.#upstreamBody(to),
      stream: false,
      headers: {},
      scope: call.caller.accountId,
      traceparent: traceparent(call.trace, asked),
      connectMs: offer.model.timeouts.connectMs,
      firstByteMs: offer.model.timeouts.firstByteMs,
      signal,
    };
  }

  /**
   * From here on another channel's card is charged; the one hold is raised to its price.
   * @throws GatewayError when the wallet or a cap does not allow it: the channel is then passed over.
   */
  async #moveTo(channel: Channel<ImageCard>): Promise<void> {
    if (channel === this.#channel) return;
    const { purchase, choice, offer } = this.#admitted;
    const pico = imagesPico(imagePrice(channel, choice), choice.count);
    const price = settleAmount(pico, offer.payment.rate);
    if (price > purchase.held) {
      const more = nano(price - purchase.held);
      const refused = await purchase.extend(more, this.#consumption(0, 'node_lost', null));
      if (refused !== null) throw tooDear(refused, channel.name);
    }
    this.#channel = channel;
  }

  async #item({ bytes, revisedPrompt }: DeliveredImage): Promise<ImageItem> {
    const size = parsePixelSize(this.#admitted.choice.size);
    if (size === null) throw new Error(`size ${this.#admitted.choice.size} is not WIDTHxHEIGHT`);
    const png = await toPngOfSize(bytes, size);
    const revised = revisedPrompt === null ? {} : { revisedPrompt };
    if (this.#admitted.call.request.responseFormat === 'b64_json')
      return { b64Json: png.toBase64(), ...revised };
    const { url, expiresAtSeconds } = this.#deps.urls.sign(await this.#deps.store.put(png));
    // The earliest of several is the one that a caller must know.
    this.#expiresAtSeconds = Math.min(this.#expiresAtSeconds ?? expiresAtSeconds, expiresAtSeconds);
    return { url, ...revised };
  }

  #upstreamBody({ route, quirks }: Destination<ImageCard>): Uint8Array<ArrayBuffer> {
    const { prompt, user } = this.#admitted.call.request;
    const { count, size, quality, style } = this.#admitted.choice;
    const body = {
      model: route.model,
      prompt,
      n: count,
      size,
      ...(quality === null ? {} : { quality }),
      ...(style === null ? {} : { style }),
      ...(user === null ? {} : { user }),
      ...(quirks.imageResponseFormat ? { response_format: 'b64_json' } : {}),
    };
    const sent = Object.entries(body).filter(([field]) => !quirks.drop.includes(field));
    return new TextEncoder().encode(JSON.stringify(Object.fromEntries(sent)));
  }

  /** Charges the images delivered; a request that failed is free. */
  #settle(count: number, error: GatewayError | null): Promise<Settled> {
    const outcome = error === null ? 'completed' : outcomeOf(error);
    return this.#admitted.purchase.settle(this.#consumption(count, outcome, error));
  }

  #consumption(count: number, outcome: RequestOutcome, error: GatewayError | null): Consumption {
    const { call, offer, choice, exchange } = this.#admitted;
    const to = this.#destination;
    const channel = to?.channel ?? this.#channel;
    const { card, name } = channel;
    const own = priceKey(choice.size, choice.quality);
    return {
      endpoint: 'images',
      model: offer.model.id,
      channelRequested: call.request.channel,
      channel: name,
      cardId: card.id,
      upstream: to?.route.upstream ?? '',
      upstreamModel: to?.route.model ?? '',
      usage: NO_USAGE,
      images: { count, priceKey: card.perImage.has(own) ? own : choice.size },
      costPico: imagesPico(imagePrice(channel, choice), count),
      estimated: false,
      streamed: false,
      outcome,
      errorCode: error?.code ?? null,
      finishReason: null,
      ...exchange.times,
      attempts: this.#attempts,
    };
  }

  #respond(images: readonly ImageItem[], { cost }: Settled): Response {
    const { call, permit } = this.#admitted;
    const headers = answerHeaders({
      requested: call.request.channel,
      channel: this.#channel,
      attempts: this.#attempts,
      limits: permit.headers('openai'),
      contentType: 'application/json',
    });
    headers.set('x-cost', `${cost.exact} ${cost.currency}`);
    if (this.#expiresAtSeconds !== null) {
      headers.set('x-image-expires', new Date(this.#expiresAtSeconds * 1000).toISOString());
    }
    const createdSeconds = Math.floor(this.#deps.clock.nowMs() / 1000);
    return new Response(encodeImagesResponse({ createdSeconds, images }), { headers });
  }
}

/** @throws GatewayError when the answer has no images in it. */
async function openImages(
  response: Response,
  limits: AnswerLimits,
  context: FailureContext,
): Promise<readonly DeliveredImage[]> {
  const answer = readImagesAnswer(await readAnswerBytes(response, limits));
  if (answer.kind === 'error') throw reportedFailure(answer.error, context);
  return answer.images;
}
