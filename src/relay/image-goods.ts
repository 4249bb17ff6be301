/** Sells images. The price is known before the call, so exactly that amount is held. */
import type { Channel, ImageCard } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { ImageStore } from '../images/image-store.ts';
import { parsePixelSize, toPngOfSize } from '../images/png.ts';
import type { ImageUrls } from '../images/signed-url.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { type NanoAmount, ZERO } from '../money/amount.ts';
import { imagesPico, settleAmount } from '../money/price.ts';
import { NOTHING_SERVED } from '../money/served.ts';
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
  type DeliveredImages,
  encodeImagesResponse,
  type ImageItem,
  readImagesAnswer,
} from '../protocols/images/response.ts';
import { ignoredFieldsHeader, passes } from '../protocols/request-fields.ts';
import { type Destination, failureContext } from '../routing/route-plan.ts';
import type { RouteAttempt } from '../routing/route-search.ts';
import { reportedFailure } from '../routing/upstream-failure.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { admitImages, type ImageOffer } from './admission.ts';
import {
  type Metered,
  NOTHING_REPORTED,
  type Order,
  reportedBy,
  type Sold,
  type WholeGoods,
} from './goods.ts';
import type { CallScope } from './in-flight.ts';
import { isCallersDoing } from './outcome.ts';
import type { HoldSize, Price } from './purchase.ts';
import { readAnswerBytes } from './upstream-answer.ts';

/** Stores the images that are delivered as URLs, and signs the URLs. */
export type ImageShelf = {
  readonly store: Pick<ImageStore, 'put'>;
  readonly urls: Pick<ImageUrls, 'sign'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

/** Image requests have no affinity, since they share no prompt cache. */
export const imageOrder = (
  request: ImagesRequest,
  shelf: ImageShelf,
): Order<ImageCard, DeliveredImages> => ({
  affinity: () => null,
  admit: (catalogue, mayUse) => {
    const offer = admitImages(catalogue, request, mayUse);
    return new ImageGoods(request, shelf, offer, checkAgainstModel(request, offer.model));
  },
});

class ImagePrice implements Price<ImageCard> {
  channel: Channel<ImageCard>;
  readonly #choice: ImageChoice;
  readonly #offer: ImageOffer;

  constructor(offer: ImageOffer, choice: ImageChoice) {
    this.#offer = offer;
    this.#choice = choice;
    this.channel = offer.channels[0];
  }

  get firstHold(): HoldSize {
    const amount = this.amountOn(this.channel);
    const worstCase = this.#offer.channels
      .map((channel) => this.amountOn(channel))
      .reduce((most, each) => (each > most ? each : most));
    return { amount, atLeast: amount, worstCase };
  }

  affordable(funds: NanoAmount): Readonly<Record<string, number>> {
    const { count } = this.#choice;
    const price = this.amountOn(this.channel);
    return { affordable_images: price === ZERO ? count : Number((funds * BigInt(count)) / price) };
  }

  amountOn(channel: Channel<ImageCard>): NanoAmount {
    return settleAmount(this.costPico(channel, this.#choice.count), this.#offer.payment.rate);
  }

  sellBy(channel: Channel<ImageCard>): void {
    this.channel = channel;
  }

  /** @throws GatewayError `internal_error` if the card has no price; validation excludes this. */
  costPico({ card }: Channel<ImageCard>, count: number): bigint {
    const each = findImagePrice(card.perImage, this.#choice);
    if (each !== null) return imagesPico(each, count);
    const { size, quality } = this.#choice;
    throw new GatewayError('internal_error', 'The gateway has no price for this image.', {
      cause: new Error(`card ${card.id} has no ${priceKey(size, quality)}`),
    });
  }
}

class ImageGoods implements WholeGoods<ImageCard, DeliveredImages> {
  readonly delivery = 'whole';
  readonly endpoint = 'images';
  readonly rateDialect = 'openai';
  readonly formats = ['images'] as const;
  /** If two upstreams start the same image, the operator pays both. */
  readonly repeat = 'unless_begun';
  readonly estimatedInput = 0;
  readonly channelRequested: string | null;
  readonly offer: ImageOffer;
  readonly price: ImagePrice;
  readonly #request: ImagesRequest;
  readonly #shelf: ImageShelf;
  readonly #choice: ImageChoice;
  #items: readonly ImageItem[] = [];
  #expiresAtSeconds: number | null = null;
  /** The caller's fields that were not sent to the last upstream. */
  #ignored: readonly string[] = [];

  constructor(request: ImagesRequest, shelf: ImageShelf, offer: ImageOffer, choice: ImageChoice) {
    this.#request = request;
    this.#shelf = shelf;
    this.#choice = choice;
    this.channelRequested = request.channel;
    this.offer = offer;
    this.price = new ImagePrice(offer, choice);
  }

  routable(planned: readonly Destination<ImageCard>[]): readonly Destination<ImageCard>[] {
    return planned;
  }

  /** Does nothing: there is one image protocol, so nothing is translated. */
  prepare(): void {}

  bodyFor({ route, quirks, upstream }: Destination<ImageCard>): Uint8Array<ArrayBuffer> {
    const { prompt, user } = this.#request;
    const { count, size, quality, style } = this.#choice;
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
    const passed = Object.entries(this.#request.others).filter(([field]) =>
      passes(upstream.fields.pass, field),
    );
    this.#ignored = Object.keys(this.#request.others).filter(
      (field) => !passes(upstream.fields.pass, field),
    );
    const sent = [...Object.entries(body), ...passed].filter(
      ([field]) => !quirks.drop.includes(field),
    );
    return new TextEncoder().encode(JSON.stringify(Object.fromEntries(sent)));
  }

  headersFor(): UpstreamRequest['headers'] {
    return {};
  }

  /** Always reads on, because no provider stops drawing an image that it has begun. */
  readsOn(): boolean {
    return true;
  }

  /** @throws GatewayError when the answer contains no images. */
  async open(
    response: Response,
    attempt: RouteAttempt<ImageCard>,
    { clock, limits }: CallScope,
  ): Promise<DeliveredImages> {
    attempt.firstByte();
    const { maxAnswerBytes, idleTimeoutMs } = limits;
    const bytes = await readAnswerBytes(response, { clock, maxAnswerBytes, idleTimeoutMs });
    const answer = readImagesAnswer(bytes, attempt.to.quirks);
    if (answer.kind === 'error') throw reportedFailure(answer.error, failureContext(attempt.to));
    // Surplus images are not charged, so they are not delivered.
    return { ...answer, images: answer.images.slice(0, this.#choice.count) };
  }

  release(): void {}

  async finish({ images }: DeliveredImages): Promise<void> {
    this.#items = await Promise.all(images.map((image) => this.#item(image)));
  }

  /**
   * Charges for the drawn images. A failed request is free. A caller who disconnects before the
   * answer is complete pays for all requested images, since the provider still draws them.
   */
  meter(outcome: RequestOutcome, drawn: DeliveredImages | null, { to }: Sold<ImageCard>): Metered {
    const isLeft = drawn === null && isCallersDoing(outcome);
    const count = isLeft ? this.#choice.count : (drawn?.images.length ?? 0);
    return {
      ...this.#priced(to.channel, count),
      ...reportedBy(drawn?.served ?? NOTHING_SERVED),
      // Some providers bill images by tokens. Their counts are kept for comparing the bills.
      usage: drawn?.usage ?? NO_USAGE,
      estimated: isLeft,
    };
  }

  unused(channel: Channel<ImageCard>): Metered {
    return this.#priced(channel, 0);
  }

  #priced(channel: Channel<ImageCard>, count: number): Metered {
    const own = priceKey(this.#choice.size, this.#choice.quality);
    return {
      usage: NO_USAGE,
      images: { count, priceKey: channel.card.perImage.has(own) ? own : this.#choice.size },
      costPico: this.price.costPico(channel, count),
      estimated: false,
      finishReason: null,
      ...NOTHING_REPORTED,
      measure: null,
    };
  }

  addHeaders(headers: Headers): void {
    const ignored = ignoredFieldsHeader(this.#ignored);
    if (ignored !== null) headers.set('x-ignored-fields', ignored);
    if (this.#expiresAtSeconds === null) return;
    headers.set('x-image-expires', new Date(this.#expiresAtSeconds * 1000).toISOString());
  }

  pack(): string {
    const createdSeconds = Math.floor(this.#shelf.clock.nowMs() / 1000);
    return encodeImagesResponse({ createdSeconds, images: this.#items });
  }

  async #item({ bytes, revisedPrompt }: DeliveredImage): Promise<ImageItem> {
    const size = parsePixelSize(this.#choice.size);
    if (size === null) throw new Error(`size ${this.#choice.size} is not WIDTHxHEIGHT`);
    const png = await toPngOfSize(bytes, size);
    const revised = revisedPrompt === null ? {} : { revisedPrompt };
    if (this.#request.responseFormat === 'b64_json') return { b64Json: png.toBase64(), ...revised };
    const { store, urls } = this.#shelf;
    const { url, expiresAtSeconds } = urls.sign(await store.put(png));
    // The header has room for one time only, so it contains the earliest expiry.
    this.#expiresAtSeconds = Math.min(this.#expiresAtSeconds ?? expiresAtSeconds, expiresAtSeconds);
    return { url, ...revised };
  }
}
