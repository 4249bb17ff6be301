/** The life of one image request: the price is known before the call, so exactly that is held. */
import type { Caller } from '../accounts/accounts.ts';
import type { Permit } from '../accounts/limits/limiter.ts';
import { GatewayError } from '../errors.ts';
import type { ImageStore } from '../images/image-store.ts';
import { parsePixelSize, toPngOfSize } from '../images/png.ts';
import type { ImageUrls } from '../images/signed-url.ts';
import { type NanoAmount, ZERO } from '../money/amount.ts';
import { settleAmount } from '../money/price.ts';
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
import { type Attempted, attempt } from '../routing/attempt.ts';
import { type Destination, orderDestinations } from '../routing/pick.ts';
import { reportedCause } from '../routing/upstream-failure.ts';
import { admitImages, type ImageOffer } from './admission.ts';
import { readAnswerBytes } from './answer-bytes.ts';
import { channelHeaders } from './channel-headers.ts';
import { type Exchange, openExchange, outcomeOf } from './exchange.ts';
import { permitted } from './permitted.ts';
import { Purchase, type Settled } from './purchase.ts';
import type { RelayDeps } from './relay-text.ts';

export type ImageRelayDeps = RelayDeps & { readonly store: ImageStore; readonly urls: ImageUrls };

export type ImageCall = {
  readonly requestId: string;
  readonly caller: Caller;
  readonly signal: AbortSignal;
  readonly request: ImagesRequest;
};

/** An image that was begun twice is paid for twice, so an image request is sent once. */
const IMAGE_ATTEMPTS = 1;
const PICO_PER_NANO = 1000n;

/** @throws GatewayError for everything that fails; nothing is charged then. */
export async function relayImages(deps: ImageRelayDeps, call: ImageCall): Promise<Response> {
  const offer = admitImages(deps.catalogue(), call.request);
  const { card, routes } = offer.channel;
  const choice = checkAgainstModel(call.request, offer.model);
  const each = findImagePrice(card.perImage, choice);
  if (each === null) {
    throw new GatewayError('internal_error', 'The gateway has no price for this image.', {
      cause: new Error(`card ${card.id} has no ${priceKey(choice.size, choice.quality)}`),
    });
  }
  const destinations = orderDestinations(routes, deps.upstreams(), 'images', 0);
  const price = settleAmount(imagePico(each, choice.count), offer.payment.rate);
  const permit = deps.limiter.admit(call.caller, {
    model: offer.model.id,
    channel: offer.channel.name,
    tokens: 0,
  });
  const exchange = openExchange(deps, call);
  const purchase = await permitted(permit, exchange, () =>
    Purchase.begin(deps, {
      requestId: call.requestId,
      caller: call.caller,
      card,
      affordable: (funds) => ({ affordable_images: countFor(funds, price, choice.count) }),
      ...offer.payment,
      amount: price,
      atLeast: price,
    }),
  );
  const drawn = new ImageRelay(deps, call, { offer, choice, each, permit, exchange, purchase });
  return await drawn.run(destinations);
}

const imagePico = (each: NanoAmount, count: number): bigint => each * BigInt(count) * PICO_PER_NANO;

/** How many images `funds` would pay for, when `count` of them cost `price`. */
function countFor(funds: NanoAmount, price: NanoAmount, count: number): number {
  return price === ZERO ? count : Number((funds * BigInt(count)) / price);
}

/** What was decided before anything is sent. */
type Admitted = {
  readonly offer: ImageOffer;
  readonly choice: ImageChoice;
  readonly each: NanoAmount;
  readonly permit: Permit;
  readonly exchange: Exchange;
  readonly purchase: Purchase;
};

class ImageRelay {
  readonly #deps: ImageRelayDeps;
  readonly #call: ImageCall;
  readonly #offer: ImageOffer;
  readonly #choice: ImageChoice;
  readonly #each: NanoAmount;
  readonly #permit: Permit;
  readonly #purchase: Purchase;
  readonly #exchange: Exchange;
  #expiresAtSeconds: number | null = null;
  #attempted: Pick<Attempted, 'destination' | 'attempts'> | null = null;

  constructor(
    deps: ImageRelayDeps,
    call: ImageCall,
    { offer, choice, each, permit, exchange, purchase }: Admitted,
  ) {
    this.#deps = deps;
    this.#call = call;
    this.#offer = offer;
    this.#choice = choice;
    this.#each = each;
    this.#permit = permit;
    this.#purchase = purchase;
    this.#exchange = exchange;
  }

  async run(destinations: readonly Destination[]): Promise<Response> {
    try {
      const items = await this.#draw(destinations);
      const settled = await this.#settle(items.length, null);
      return this.#respond(items, settled);
    } catch (thrown) {
      const error = this.#exchange.reasonOf(thrown);
      this.#exchange.abortUpstream();
      await this.#settle(0, error);
      throw error;
    } finally {
      this.#exchange.close();
      this.#permit.end(null);
    }
  }

  async #draw(destinations: readonly Destination[]): Promise<readonly ImageItem[]> {
    const attempted = await attempt(
      destinations,
      ({ route }) => ({
        format: 'images',
        body: this.#upstreamBody(route.model),
        stream: false,
        headers: {},
        scope: this.#call.caller.accountId,
        traceparent: null,
        connectMs: null,
        firstByteMs: null,
        signal: this.#exchange.signal,
      }),
      IMAGE_ATTEMPTS,
      this.#deps.clock,
    );
    this.#attempted = attempted;
    if ('failure' in attempted) throw attempted.failure;
    const bytes = await readAnswerBytes(attempted.response, this.#deps.limits.maxAnswerBytes);
    this.#exchange.markFirstByte();
    const answer = readImagesAnswer(bytes);
    if (answer.kind === 'error') {
      throw new GatewayError(
        'upstream_failed',
        'The provider behind this channel answered with an error.',
        {
          cause: reportedCause(answer.error.message),
        },
      );
    }
    // More than was asked for is not paid for, so it is not handed out.
    const delivered = answer.images.slice(0, this.#choice.count);
    return await Promise.all(delivered.map((image) => this.#item(image)));
  }

  async #item({ source, revisedPrompt }: DeliveredImage): Promise<ImageItem> {
    if (source.kind === 'url') {
      throw new GatewayError(
        'upstream_failed',
        'The provider behind this channel sent an address instead of an image.',
      );
    }
    const size = parsePixelSize(this.#choice.size);
    if (size === null) throw new Error(`size ${this.#choice.size} is not WIDTHxHEIGHT`);
    const png = await toPngOfSize(source.bytes, size);
    const revised = revisedPrompt === null ? {} : { revisedPrompt };
    if (this.#call.request.responseFormat === 'b64_json')
      return { b64Json: png.toBase64(), ...revised };
    const { url, expiresAtSeconds } = this.#deps.urls.sign(await this.#deps.store.put(png));
    // The earliest of several is the one that a caller must know.
    this.#expiresAtSeconds = Math.min(this.#expiresAtSeconds ?? expiresAtSeconds, expiresAtSeconds);
    return { url, ...revised };
  }

  #upstreamBody(model: string): Uint8Array<ArrayBuffer> {
    const { prompt, user } = this.#call.request;
    const { count, size, quality, style } = this.#choice;
    return new TextEncoder().encode(
      JSON.stringify({
        model,
        prompt,
        n: count,
        size,
        ...(quality === null ? {} : { quality }),
        ...(style === null ? {} : { style }),
        ...(user === null ? {} : { user }),
        response_format: 'b64_json',
      }),
    );
  }

  /** Charges the images delivered; a request that failed is free. */
  #settle(count: number, error: GatewayError | null): Promise<Settled> {
    const { channel, model } = this.#offer;
    const { size, quality } = this.#choice;
    const own = priceKey(size, quality);
    return this.#purchase.settle({
      endpoint: 'images',
      model: model.id,
      channelRequested: this.#call.request.channel,
      channel: channel.name,
      upstream: this.#attempted?.destination.route.upstream ?? '',
      upstreamModel: this.#attempted?.destination.route.model ?? '',
      usage: NO_USAGE,
      images: { count, priceKey: channel.card.perImage.has(own) ? own : size },
      costPico: imagePico(this.#each, count),
      estimated: false,
      streamed: false,
      outcome: error === null ? 'completed' : outcomeOf(error),
      errorCode: error?.code ?? null,
      finishReason: null,
      ...this.#exchange.times,
      attempts: this.#attempted?.attempts ?? [],
    });
  }

  #respond(images: readonly ImageItem[], { cost }: Settled): Response {
    const headers = channelHeaders(this.#call.request.channel, this.#offer.channel);
    headers.set('content-type', 'application/json');
    for (const [name, value] of Object.entries(this.#permit.headers('openai')))
      headers.set(name, value);
    headers.set('x-cost', `${cost.exact} ${cost.currency}`);
    if (this.#expiresAtSeconds !== null) {
      headers.set('x-image-expires', new Date(this.#expiresAtSeconds * 1000).toISOString());
    }
    const createdSeconds = Math.floor(this.#deps.clock.nowMs() / 1000);
    return new Response(encodeImagesResponse({ createdSeconds, images }), { headers });
  }
}
