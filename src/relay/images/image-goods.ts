/**
 * The steps of a sale that are the same for drawing and for editing images. The maximum cost of the
 * request is held.
 */
import type { Card, Channel } from '../../catalogue/catalogue.ts';
import type { RequestOutcome } from '../../ledger/ledger.ts';
import { NOTHING_SERVED } from '../../money/served.ts';
import { ignoredFieldsHeader } from '../../protocols/field-names.ts';
import type { ImageChoice } from '../../protocols/images/choice.ts';
import type { EditInputs, InputImage } from '../../protocols/images/edit.ts';
import type { ImagesRequest } from '../../protocols/images/request.ts';
import { passes } from '../../protocols/request-fields.ts';
import type { Destination } from '../../routing/route-plan.ts';
import type { RouteAttempt } from '../../routing/route-search.ts';
import type { UpstreamFile, UpstreamRequest } from '../../upstreams/upstream.ts';
import { type ImageOffer, refuseUnsold } from '../admission.ts';
import {
  type AnswerHeaders,
  fromFirstUsable,
  type Goods,
  type Metered,
  reportedBy,
  type Sold,
  UNUSED,
} from '../goods.ts';
import type { CallScope } from '../in-flight.ts';
import { isCallersDoing } from '../outcome.ts';
import type { AnswerShare } from './answer-memory.ts';
import type { DrawnImages } from './drawn-images.ts';
import { ImagePrice, type PricedImages, sentFacts } from './image-price.ts';
import type { ImageShelf } from './image-shelf.ts';

export type ImageTerms = {
  readonly request: ImagesRequest;
  /** The images to edit; null when images are drawn from text only. */
  readonly inputs: EditInputs | null;
  readonly shelf: ImageShelf;
  readonly memory: AnswerShare;
  /** Called when the request is about to be sent. From then on, the request ends with a receipt. */
  readonly onBegun: () => void;
  /** Called when no other route can be tried. */
  readonly releaseBody: () => void;
};

export abstract class ImageGoods<Answer> implements Goods<Card, Answer> {
  abstract readonly delivery: 'whole' | 'stream';
  readonly endpoint = 'images';
  readonly rateDialect = 'openai';
  readonly formats: readonly ['images'] | readonly ['image_edits'];
  /**
   * A request is not repeated once an upstream has begun to draw, because the operator would pay
   * for both images.
   */
  readonly repeat = 'unless_begun';
  readonly estimatedInput = 0;
  readonly channelRequested: string | null;
  readonly offer: ImageOffer;
  readonly price: ImagePrice;
  protected readonly choice: ImageChoice;
  protected readonly memory: AnswerShare;
  readonly #request: ImagesRequest;
  readonly #onBegun: () => void;
  readonly #releaseBody: () => void;
  #files: readonly UpstreamFile[];
  /** The caller's fields that were not sent to the last upstream. */
  #ignored: readonly string[] = [];

  constructor(terms: ImageTerms, offer: ImageOffer, choice: ImageChoice) {
    const { request, inputs, memory } = terms;
    this.#request = request;
    this.memory = memory;
    this.#onBegun = terms.onBegun;
    this.#releaseBody = terms.releaseBody;
    this.#files = inputs === null ? [] : filesOf(inputs);
    this.formats = inputs === null ? ['images'] : ['image_edits'];
    this.choice = choice;
    this.channelRequested = request.channel;
    this.offer = offer;
    const sizes = inputs === null ? [] : allImages(inputs).map(({ size }) => size);
    this.price = new ImagePrice(offer, choice, request.prompt, sizes);
  }

  /** Skips leading routes whose price card does not sell the size or quality. */
  routable(planned: readonly Destination<Card>[]): readonly Destination<Card>[] {
    const routes = fromFirstUsable(planned, (to) => this.prepare(to));
    this.price.dropFields(routes.flatMap(({ quirks }) => quirks.drop));
    const passed = this.#others((name) =>
      routes.some(({ upstream }) => passes(upstream.fields.pass, name)),
    );
    if (passed.length > 0) this.price.sendAlso(Object.fromEntries(passed));
    return routes;
  }

  /**
   * @throws GatewayError `unsupported_value` when the price card does not sell the size or
   *   quality.
   */
  prepare({ channel: { card } }: Destination<Card>): void {
    if (card.unit === 'image') return;
    refuseUnsold(card, sentFacts(this.choice, []), this.price.promptBound);
  }

  bodyFor({ route, quirks, upstream }: Destination<Card>): Uint8Array<ArrayBuffer> {
    this.#onBegun();
    const { prompt, user } = this.#request;
    const { count, size, quality, style, background, moderation } = this.choice;
    const { format, compression, partialImages } = this.choice;
    const isFormatSent = this.offer.model.outputFormats.length > 1 || format !== 'png';
    const body: Readonly<Record<string, unknown>> = {
      ...{ model: route.model, prompt, n: count, size, quality, style, background, moderation },
      output_format: isFormatSent ? format : null,
      output_compression: compression,
      stream: partialImages === null ? null : true,
      partial_images: partialImages,
      user,
      response_format: quirks.imageResponseFormat ? 'b64_json' : null,
    };
    const given = Object.entries(body).filter(([, value]) => value !== null);
    const passed = this.#others((field) => passes(upstream.fields.pass, field));
    this.#ignored = this.#others((field) => !passes(upstream.fields.pass, field)).map(([f]) => f);
    const sent = [...given, ...passed].filter(([field]) => !quirks.drop.includes(field));
    return new TextEncoder().encode(JSON.stringify(Object.fromEntries(sent)));
  }

  get files(): readonly UpstreamFile[] {
    return this.#files;
  }

  #others(isWanted: (field: string) => boolean): readonly (readonly [string, unknown])[] {
    return Object.entries(this.#request.others).filter(([field]) => isWanted(field));
  }

  headersFor(): UpstreamRequest['headers'] {
    return {};
  }

  amend(): boolean {
    return false;
  }

  /**
   * The answer is always read to its end, because no provider stops drawing an image that it has
   * begun.
   */
  readsOn(): boolean {
    return true;
  }

  abstract open(response: Response, attempt: RouteAttempt<Card>, scope: CallScope): Promise<Answer>;

  release(): void {
    this.#files = [];
    this.#releaseBody();
  }

  abstract meter(outcome: RequestOutcome, answer: Answer | null, sold: Sold<Card>): Metered;

  /**
   * Charges for the drawn images. A failed request is free. A caller who disconnects before the
   * answer is complete pays for all requested images, since the provider still draws them.
   */
  protected metered(
    outcome: RequestOutcome,
    drawn: (Pick<DrawnImages, 'usage' | 'served'> & { readonly count: number }) | null,
    sold: Sold<Card>,
  ): Metered & PricedImages {
    const isLeft = isCallersDoing(outcome);
    const isUnseen = drawn === null && isLeft;
    const served = drawn?.served ?? NOTHING_SERVED;
    const count = isUnseen ? this.choice.count : (drawn?.count ?? 0);
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
    return { ...UNUSED, images: { count: 0, priceKey: this.price.keyOn(channel) } };
  }

  addHeaders(headers: AnswerHeaders): void {
    const ignored = ignoredFieldsHeader(this.#ignored);
    if (ignored !== null) headers['x-ignored-fields'] = ignored;
  }
}

/** Returns the images to edit, with the mask last. */
const allImages = ({ images, mask }: EditInputs): readonly InputImage[] =>
  mask === null ? images : [...images, mask];

const EXTENSIONS = { 'image/png': 'png', 'image/jpeg': 'jpg', 'image/webp': 'webp' } as const;

function filesOf({ images, mask }: EditInputs): readonly UpstreamFile[] {
  const name = images.length === 1 ? 'image' : 'image[]';
  const file = (as: UpstreamFile['name'], stem: string, { bytes, mediaType }: InputImage) => ({
    ...{ name: as, fileName: `${stem}.${EXTENSIONS[mediaType]}`, mediaType, bytes },
  });
  const sent = images.map((image, at) => file(name, `image-${at + 1}`, image));
  return mask === null ? sent : [...sent, file('mask', 'mask', mask)];
}
