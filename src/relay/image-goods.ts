/** Sells images. The most that they can cost is known before the call, and that much is held. */
import type { Card, Channel } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { ImageStore } from '../images/image-store.ts';
import { parsePixelSize, toPngOfSize } from '../images/png.ts';
import type { ImageUrls } from '../images/signed-url.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { NOTHING_SERVED } from '../money/served.ts';
import { NO_USAGE } from '../money/usage.ts';
import { ignoredFieldsHeader } from '../protocols/field-names.ts';
import { checkAgainstModel, type ImageChoice } from '../protocols/images/choice.ts';
import type { ImagesRequest } from '../protocols/images/request.ts';
import {
  type DeliveredImage,
  type DeliveredImages,
  encodeImagesResponse,
  type ImageItem,
  readImagesAnswer,
} from '../protocols/images/response.ts';
import { passes } from '../protocols/request-fields.ts';
import { type Destination, failureContext } from '../routing/route-plan.ts';
import type { RouteAttempt } from '../routing/route-search.ts';
import { reportedFailure } from '../routing/upstream-failure.ts';
import type { UpstreamRequest } from '../upstreams/upstream.ts';
import { admitImages, type ImageOffer, refuseUnsold } from './admission.ts';
import {
  type AnswerHeaders,
  type Metered,
  NOTHING_REPORTED,
  type Order,
  reportedBy,
  type Sold,
  type WholeGoods,
} from './goods.ts';
import { ImagePrice, sentFacts } from './image-price.ts';
import type { CallScope } from './in-flight.ts';
import { isCallersDoing } from './outcome.ts';
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
): Order<Card, DeliveredImages> => ({
  affinity: () => null,
  admit: (catalogue, mayUse) => {
    const offer = admitImages(catalogue, request, mayUse);
    return new ImageGoods(request, shelf, offer, checkAgainstModel(request, offer.model));
  },
});

class ImageGoods implements WholeGoods<Card, DeliveredImages> {
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
    this.price = new ImagePrice(offer, choice, request.prompt);
  }

  /** Skips leading routes whose card does not sell the size or quality. */
  routable(planned: readonly Destination<Card>[]): readonly Destination<Card>[] {
    let refusal: GatewayError | null = null;
    for (const [at, to] of planned.entries()) {
      try {
        this.prepare(to);
        const routes = planned.slice(at);
        this.price.dropFields(routes.flatMap(({ quirks }) => quirks.drop));
        const passed = this.#others((name) =>
          routes.some(({ upstream }) => passes(upstream.fields.pass, name)),
        );
        if (passed.length > 0) this.price.sendAlso(Object.fromEntries(passed));
        return routes;
      } catch (thrown) {
        if (!(thrown instanceof GatewayError)) throw thrown;
        refusal = thrown;
      }
    }
    throw refusal ?? new Error('a plan without a destination');
  }

  /** @throws GatewayError `unsupported_value` when the card does not sell the size or quality. */
  prepare({ channel: { card } }: Destination<Card>): void {
    if (card.unit === 'image') return;
    refuseUnsold(card, sentFacts(this.#choice, []), this.price.promptBound);
  }

  bodyFor({ route, quirks, upstream }: Destination<Card>): Uint8Array<ArrayBuffer> {
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
    const passed = this.#others((field) => passes(upstream.fields.pass, field));
    this.#ignored = this.#others((field) => !passes(upstream.fields.pass, field)).map(([f]) => f);
    const sent = [...Object.entries(body), ...passed].filter(
      ([field]) => !quirks.drop.includes(field),
    );
    return new TextEncoder().encode(JSON.stringify(Object.fromEntries(sent)));
  }

  #others(isWanted: (field: string) => boolean): readonly (readonly [string, unknown])[] {
    return Object.entries(this.#request.others).filter(([field]) => isWanted(field));
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
    attempt: RouteAttempt<Card>,
    { clock, limits }: CallScope,
  ): Promise<DeliveredImages> {
    attempt.firstByte();
    const { maxAnswerBytes, idleTimeoutMs } = limits;
    const bytes = await readAnswerBytes(response, { clock, maxAnswerBytes, idleTimeoutMs });
    const answer = readImagesAnswer(bytes, attempt.to.quirks);
    if (answer.kind === 'error') throw reportedFailure(answer.error, failureContext(attempt.to));
    if (attempt.to.channel.card.unit === 'token') return answer;
    // At a price per image, surplus images are not charged, so they are not delivered.
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
  meter(outcome: RequestOutcome, drawn: DeliveredImages | null, sold: Sold<Card>): Metered {
    const isLeft = isCallersDoing(outcome);
    const isUnseen = drawn === null && isLeft;
    const served = drawn?.served ?? NOTHING_SERVED;
    const count = isUnseen ? this.#choice.count : (drawn?.images.length ?? 0);
    const priced = this.price.priced({ count, usage: drawn?.usage ?? null, served }, sold);
    const isByToken = sold.to.channel.card.unit === 'token' && count > 0;
    const measure = priced.estimated ? 'estimated' : isLeft ? 'read_on' : 'reported';
    return {
      ...reportedBy(served),
      ...priced,
      estimated: priced.estimated || isUnseen,
      finishReason: null,
      measure: isByToken ? measure : null,
    };
  }

  unused(channel: Channel<Card>): Metered {
    return {
      ...NOTHING_REPORTED,
      usage: NO_USAGE,
      images: { count: 0, priceKey: this.price.keyOn(channel) },
      costPico: 0n,
      estimated: false,
      finishReason: null,
      measure: null,
    };
  }

  addHeaders(headers: AnswerHeaders): void {
    const ignored = ignoredFieldsHeader(this.#ignored);
    if (ignored !== null) headers['x-ignored-fields'] = ignored;
    if (this.#expiresAtSeconds === null) return;
    headers['x-image-expires'] = new Date(this.#expiresAtSeconds * 1000).toISOString();
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
