/** Admits requests for images, and sells them as a whole or as streams. */
import type { Card } from '../../catalogue/catalogue.ts';
import type { RequestOutcome } from '../../ledger/ledger.ts';
import { checkAgainstModel, formOf, type ImageChoice } from '../../protocols/images/choice.ts';
import { checkInputs } from '../../protocols/images/edit.ts';
import { encodeImagesResponse, type ImageItem } from '../../protocols/images/response.ts';
import { ImagesStreamPass, imagesDialect } from '../../protocols/images/stream-pass.ts';
import type { RouteAttempt } from '../../routing/route-search.ts';
import { admitImages, type ImageOffer } from '../admission.ts';
import type { AnswerHeaders, Metered, Order, Sold, StreamedGoods, WholeGoods } from '../goods.ts';
import type { CallScope } from '../in-flight.ts';
import type { Settled } from '../purchase.ts';
import { isEventStream, type OpenedStream, openLimits, openStream } from '../upstream-answer.ts';
import { type DrawnImage, type DrawnImages, fileFor, readDrawnImages } from './drawn-images.ts';
import { ImageGoods, type ImageTerms } from './image-goods.ts';
import type { ImageShelf } from './image-shelf.ts';

/**
 * Returns the order (`goods.ts`) for an image request. Its `affinity` is null, because images use
 * no prompt cache, so any route will do.
 */
export const imageOrder = (terms: ImageTerms): Order<Card, DrawnImages> => ({
  affinity: () => null,
  admit: (catalogue, mayUse) => {
    const { request, inputs, memory } = terms;
    const offer = admitImages(catalogue, request, mayUse);
    if (inputs !== null) checkInputs(inputs, offer.model);
    const choice = checkAgainstModel(request, offer.model);
    memory.requireRoom();
    return choice.partialImages === null
      ? new WholeImages(terms, offer, choice)
      : new StreamedImages(terms, offer, choice);
  },
});

class WholeImages extends ImageGoods<DrawnImages> implements WholeGoods<Card, DrawnImages> {
  readonly delivery = 'whole';
  readonly #shelf: ImageShelf;
  readonly #isInline: boolean;
  #items: readonly ImageItem[] = [];
  #expiresAtSeconds: number | null = null;

  constructor(terms: ImageTerms, offer: ImageOffer, choice: ImageChoice) {
    super(terms, offer, choice);
    this.#shelf = terms.shelf;
    const { request, inputs } = terms;
    // Edited images are base64 by default: clients expect that, since newer models always use it.
    const usual = inputs === null ? offer.model.responseFormat : 'b64_json';
    this.#isInline = (request.responseFormat ?? usual) === 'b64_json';
    if (!this.#isInline) this.#shelf.requireStore();
  }

  /** Reads the answer. @throws GatewayError when it contains no images. */
  async open(
    response: Response,
    attempt: RouteAttempt<Card>,
    scope: CallScope,
  ): Promise<DrawnImages> {
    attempt.firstByte();
    const { memory } = this;
    return await readDrawnImages(response, attempt, scope, { count: this.choice.count, memory });
  }

  async finish({ images }: DrawnImages): Promise<void> {
    this.#items = await Promise.all(images.map((image) => this.#item(image)));
  }

  meter(outcome: RequestOutcome, drawn: DrawnImages | null, sold: Sold<Card>): Metered {
    const counted = drawn === null ? null : { ...drawn, count: drawn.images.length };
    return this.metered(outcome, counted, sold);
  }

  override addHeaders(headers: AnswerHeaders): void {
    super.addHeaders(headers);
    if (this.#expiresAtSeconds === null) return;
    headers['x-image-expires'] = new Date(this.#expiresAtSeconds * 1000).toISOString();
  }

  pack(_drawn: DrawnImages, { receipt, cost }: Settled): string {
    const createdSeconds = Math.floor(this.#shelf.clock.nowMs() / 1000);
    const isByToken = this.price.channel.card.unit === 'token';
    const facts = isByToken ? { form: formOf(this.choice), usage: receipt.usage, cost } : null;
    return encodeImagesResponse({ createdSeconds, images: this.#items, facts });
  }

  async #item({ bytes, revisedPrompt }: DrawnImage): Promise<ImageItem> {
    const file = await fileFor(bytes, this.choice);
    const revised = revisedPrompt === null ? {} : { revisedPrompt };
    if (this.#isInline) return { b64Json: file.bytes.toBase64(), ...revised };
    const { url, expiresAtSeconds } = await this.#shelf.urlOf(file);
    // `x-image-expires` has room for one time only, so it contains the earliest expiry.
    this.#expiresAtSeconds = Math.min(this.#expiresAtSeconds ?? expiresAtSeconds, expiresAtSeconds);
    return { url, ...revised };
  }
}

/** A budget that never extends the hold: the whole price of an image is held in advance. */
const NO_GROWTH: ReturnType<StreamedGoods<Card>['budget']> = {
  check: () => null,
  cover: () => null,
};

/** Sells an image as a stream of partial images that ends with the complete image. */
class StreamedImages extends ImageGoods<OpenedStream> implements StreamedGoods<Card> {
  readonly delivery = 'stream';
  readonly dialect = imagesDialect;
  readonly #kind: 'image_generation' | 'image_edit';
  #pass: ImagesStreamPass | null = null;

  constructor(terms: ImageTerms, offer: ImageOffer, choice: ImageChoice) {
    super(terms, offer, choice);
    this.#kind = terms.inputs === null ? 'image_generation' : 'image_edit';
  }

  /** Reads a stream to its first event. A non-streaming answer becomes the stream's last event. */
  async open(
    response: Response,
    attempt: RouteAttempt<Card>,
    scope: CallScope,
  ): Promise<OpenedStream> {
    const { to } = attempt;
    const pass = new ImagesStreamPass({
      kind: this.#kind,
      form: formOf(this.choice),
      createdSeconds: Math.floor(scope.startedAtMs / 1000),
      // An event contains a whole image, so it may be as long as a non-streaming answer.
      maxEventBytes: scope.limits.maxAnswerBytes,
      quirks: to.quirks,
    });
    this.#pass = pass;
    if (isEventStream(response)) {
      return await openStream(response, pass, openLimits(to, this.offer, scope), () =>
        attempt.firstByte(),
      );
    }
    attempt.firstByte();
    const { images, usage, served } = await readDrawnImages(response, attempt, scope, {
      count: 1,
      memory: this.memory,
    });
    const [image] = images;
    if (image === undefined) throw new Error('an answer without images should have been refused');
    const { bytes } = await fileFor(image.bytes, this.choice);
    pass.complete(bytes, usage, served);
    return { pass, reader: new Blob([]).stream().getReader(), first: new Uint8Array(0) };
  }

  /**
   * Charges for the image if it is complete. An unfinished image is free, even after partial
   * images, unless the caller ended the request.
   */
  meter(outcome: RequestOutcome, opened: OpenedStream | null, sold: Sold<Card>): Metered {
    const isDrawn = opened?.pass.ended === true;
    const drawn = isDrawn ? { ...opened.pass.facts, count: 1 } : null;
    const metered = this.metered(outcome, drawn, sold);
    if (this.#pass !== null) this.#pass.charged = metered.usage;
    return metered;
  }

  budget(): ReturnType<StreamedGoods<Card>['budget']> {
    return NO_GROWTH;
  }
}
