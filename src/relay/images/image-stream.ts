/** Sells an image as a stream of partial images that ends with the complete image. */
import type { Card } from '../../catalogue/catalogue.ts';
import type { RequestOutcome } from '../../ledger/ledger.ts';
import { formOf, type ImageChoice } from '../../protocols/images/choice.ts';
import { ImagesStreamPass, imagesDialect } from '../../protocols/images/stream-pass.ts';
import type { RouteAttempt } from '../../routing/route-search.ts';
import type { ImageOffer } from '../admission.ts';
import type { Metered, Sold, StreamedGoods } from '../goods.ts';
import type { CallScope } from '../in-flight.ts';
import { isEventStream, type OpenedStream, openLimits, openStream } from '../upstream-answer.ts';
import { fileFor, readDrawnImages } from './drawn-images.ts';
import { ImageGoods, type ImageTerms } from './image-goods.ts';

/** A budget that never extends the hold: the whole price of an image is held in advance. */
const NO_GROWTH: ReturnType<StreamedGoods<Card>['budget']> = {
  check: () => null,
  cover: () => null,
};

export class StreamedImages extends ImageGoods<OpenedStream> implements StreamedGoods<Card> {
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
