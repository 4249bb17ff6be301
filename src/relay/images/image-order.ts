/** Admits requests for images, and sells those that are not streamed. */
import type { Card } from '../../catalogue/catalogue.ts';
import type { RequestOutcome } from '../../ledger/ledger.ts';
import { checkAgainstModel, formOf, type ImageChoice } from '../../protocols/images/choice.ts';
import { checkInputs } from '../../protocols/images/edit.ts';
import { encodeImagesResponse, type ImageItem } from '../../protocols/images/response.ts';
import type { RouteAttempt } from '../../routing/route-search.ts';
import { admitImages, type ImageOffer } from '../admission.ts';
import type { AnswerHeaders, Metered, Order, Sold, WholeGoods } from '../goods.ts';
import type { CallScope } from '../in-flight.ts';
import type { Settled } from '../purchase.ts';
import { type DrawnImage, type DrawnImages, fileFor, readDrawnImages } from './drawn-images.ts';
import { ImageGoods, type ImageTerms } from './image-goods.ts';
import type { ImageShelf } from './image-shelf.ts';
import { StreamedImages } from './image-stream.ts';

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
