/** Prices images: by the image, or by the tokens that the provider counts for them. */
import type { Card, Channel, ImageCard, ImageModel, TokenCard } from '../../catalogue/catalogue.ts';
import { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import type { NanoAmount } from '../../money/amount.ts';
import { highestPrice } from '../../money/highest-price.ts';
import { imagesPico, type Rates, settleAmount } from '../../money/price.ts';
import {
  type FactValues,
  isUndrawn,
  NO_FACTS,
  PLAIN_FACTS,
  possibleImages,
} from '../../money/price-of.ts';
import type { Served } from '../../money/served.ts';
import { factsJson } from '../../money/terms-json.ts';
import { NO_USAGE, promptTokens, tokensOf, type Usage } from '../../money/usage.ts';
import { findByImage, type ImageChoice, priceKey } from '../../protocols/images/choice.ts';
import type { ImageSize } from '../../protocols/inputs/image-header.ts';
import { mostTokens } from '../../protocols/inputs/text-tokens.ts';
import type { ImageOffer } from '../admission.ts';
import type { Sold } from '../goods.ts';
import {
  FRAME_TOKENS,
  LIKELY_BYTES_PER_TOKEN,
  likelyImageTokens,
  mostImageTokens,
} from '../input-bound.ts';
import { MAX_ROUNDS, priceFor } from '../outcome.ts';
import { type Consumption, fixedHold, type HoldSize, type Price } from '../purchase.ts';
import { roundUp } from '../text-price.ts';

/** The images that a provider drew, or that are charged because it still draws them. */
export type Drawn = {
  readonly count: number;
  /** The provider's count of tokens; null when it reported none. */
  readonly usage: Usage | null;
  readonly served: Served;
};

export type PricedImages = Pick<Consumption, 'usage' | 'images' | 'costPico' | 'facts'> & {
  /** Whether the priced tokens are an estimate. */
  readonly estimated: boolean;
};

export class ImagePrice implements Price<Card> {
  channel: Channel<Card>;
  readonly #choice: ImageChoice;
  readonly #offer: ImageOffer;
  readonly #prompt: string;
  /**
   * The fields that the gateway does not know but a planned route sends to its provider; null
   * without such fields. The provider may read them as part of the prompt.
   */
  #passed: JsonObject | null = null;
  /** The images to edit, the mask included. */
  readonly #inputs: readonly ImageSize[];
  /** The prompt's size; null until it is needed. Only token prices need it. */
  #promptSize: PromptSize | null = null;
  /**
   * The size and quality that the hold must cover. Null means that the hold covers any value,
   * because some route drops the field, so that the provider chooses the value.
   */
  #sent: FactValues;

  /** @param inputs the sizes of the images to edit, the mask included. */
  constructor(
    offer: ImageOffer,
    choice: ImageChoice,
    prompt: string,
    inputs: readonly ImageSize[] = [],
  ) {
    this.#offer = offer;
    this.#choice = choice;
    this.#prompt = prompt;
    this.#inputs = inputs;
    this.#sent = sentFacts(choice, []);
    this.channel = offer.channels[0];
  }

  get firstHold(): HoldSize {
    const { count } = this.#choice;
    return fixedHold(this.amountOn(this.channel), this.#offer.channels, (each) =>
      this.#amount(each, count, NO_FACTS),
    );
  }

  /** The maximum number of tokens of the prompt and of the images to edit. */
  get promptBound(): number {
    const { text, media } = this.#size();
    return text.most + media.most;
  }

  /**
   * Returns the price key, which is the size or the size and quality, for the receipt of a request
   * that was never sent.
   */
  keyOn({ card }: Channel<Card>): string {
    const { size, quality } = this.#choice;
    if (card.unit === 'token') return priceKey(size, quality);
    return findByImage(card.perImage, size, quality)?.key ?? size;
  }

  /**
   * Sizes the hold for requests without the fields `dropped`, which a planned route does not send.
   * If the size or the quality is dropped, the provider chooses it, so the hold covers any value.
   */
  dropFields(dropped: readonly string[]): void {
    this.#sent = sentFacts(this.#choice, dropped);
  }

  /**
   * Makes the hold cover the fields in `passed`, which the gateway does not know but a planned
   * route sends. They count as text of the prompt.
   */
  sendAlso(passed: JsonObject): void {
    this.#passed = passed;
    this.#promptSize = null;
  }

  affordable(funds: NanoAmount): Readonly<Record<string, number>> {
    const { count } = this.#choice;
    const prompt = this.#amount(this.channel, 0, this.#sent);
    const images = this.amountOn(this.channel) - prompt;
    if (images === 0n) return { affordable_images: count };
    const left = funds > prompt ? funds - prompt : 0n;
    return { affordable_images: Number((left * BigInt(count)) / images) };
  }

  amountOn(channel: Channel<Card>): NanoAmount {
    return this.#amount(channel, this.#choice.count, this.#sent);
  }

  sellBy(channel: Channel<Card>): void {
    this.channel = channel;
  }

  /** Returns the price of images. Estimates token counts that are missing or implausibly high. */
  priced(drawn: Drawn, { to, startedAtMs, endedAtMs }: Sold<Card>): PricedImages {
    const { card } = to.channel;
    const sent = sentFacts(this.#choice, to.quirks.drop);
    if (card.unit === 'image') return perImage(card, drawn, sent, this.#offer.model);
    const { model } = this.#offer;
    const known = drawn.usage !== null && this.#isPlausible(drawn.usage) ? drawn.usage : null;
    // A provider may answer with more images than requested. The hold covers only the requested
    // images, so the estimate counts no more.
    const usage = known ?? this.#estimate(Math.min(drawn.count, this.#choice.count), sent);
    const by = { to: { channel: { card }, route: to.route }, startedAtMs, endedAtMs };
    return {
      ...priceFor(usage, drawn, sent, by),
      usage,
      images: { count: drawn.count, priceKey: drawnKey(card, drawn, sent, model) },
      estimated: known === null && drawn.count > 0,
    };
  }

  /**
   * Returns the maximum price of `count` images. A size or quality that is null may be any that the
   * model has.
   */
  #amount(channel: Channel<Card>, count: number, facts: FactValues): NanoAmount {
    const { model, payment } = this.#offer;
    const { card } = channel;
    if (card.unit === 'token') return roundUp(this.#tokenPico(card, count, facts), payment.rate);
    const { price } = highestOf(card, { served: NO_FACTS, requested: facts }, model);
    return settleAmount(imagesPico(price, count), payment.rate);
  }

  #tokenPico({ terms }: TokenCard, count: number, requested: FactValues): bigint {
    const { text, media } = this.#size();
    const tokens = text.most + media.most;
    const { rates, feesPico } = highestPrice(terms, { requested, promptTokens: tokens, uses: {} });
    // With `NO_FACTS`, the worst case is computed from every price row, since a provider may serve
    // another tier, size or quality than requested.
    const rows = requested === NO_FACTS ? terms.rows.flatMap((row) => row.rates ?? []) : [];
    const [prompt, given] = [BigInt(text.most), BigInt(media.most)];
    const image = BigInt(count) * this.#tokensPerImage(requested);
    let most = 0n;
    for (const each of [rates, ...rows]) {
      const input = prompt * inputRate(each) + given * mediaRate(each);
      const pico = input + image * outputRate(each);
      if (pico > most) most = pico;
    }
    return most + feesPico;
  }

  /**
   * Returns the maximum output tokens of an image, including its partial images. A size or quality
   * that is null may be any that the model has.
   */
  #tokensPerImage({ size, quality }: FactValues): bigint {
    const { sizes, qualities, imageTokens } = this.#offer.model;
    let most = 0;
    for (const eachSize of size === null ? sizes : [size]) {
      for (const each of quality === null && qualities.length > 0 ? qualities : [quality]) {
        most = Math.max(most, findByImage(imageTokens, eachSize, each)?.value ?? 0);
      }
    }
    return BigInt(most + (this.#choice.partialImages ?? 0) * PARTIAL_IMAGE_TOKENS);
  }

  #estimate(count: number, sent: FactValues): Usage {
    if (count === 0) return NO_USAGE;
    const imageOutput = count * Number(this.#tokensPerImage(sent));
    const { text, media } = this.#size();
    return { ...NO_USAGE, input: text.likely, imageInput: media.likely, imageOutput };
  }

  /** Whether the counts are plausible. Counts far above the maximum must be provider errors. */
  #isPlausible(usage: Usage): boolean {
    const images = this.#choice.count * Number(this.#tokensPerImage(NO_FACTS));
    return (
      promptTokens(usage) <= MAX_ROUNDS * this.promptBound &&
      tokensOf(usage, 'output') <= MAX_ROUNDS * images
    );
  }

  #size(): PromptSize {
    if (this.#promptSize === null) {
      const text = this.#passed === null ? this.#prompt : [this.#prompt, this.#passed];
      const json = new TextEncoder().encode(JSON.stringify(text));
      const most = mostTokens(json, [], Number.MAX_SAFE_INTEGER) + FRAME_TOKENS;
      const likely = Math.ceil(json.byteLength / LIKELY_BYTES_PER_TOKEN);
      this.#promptSize = { text: { most, likely }, media: this.#media() };
    }
    return this.#promptSize;
  }

  #media(): Tokens {
    const bound = this.#offer.model.inputImageTokens;
    let [most, likely] = [0, 0];
    for (const size of this.#inputs) {
      const ofImage = bound ?? mostImageTokens(size);
      most += ofImage;
      likely += Math.min(ofImage, likelyImageTokens(size));
    }
    return { most, likely };
  }
}

/** Output tokens of a partial image (OpenAI, 2026-11). */
const PARTIAL_IMAGE_TOKENS = 100;

/** Numbers of tokens: `most` is the maximum, for holds; `likely` is for estimated charges. */
type Tokens = { readonly most: number; readonly likely: number };
type PromptSize = { readonly text: Tokens; readonly media: Tokens };

/** Returns the size and quality that a route sends to its provider; null for a dropped field. */
export const sentFacts = (
  { size, quality }: ImageChoice,
  dropped: readonly string[],
): FactValues => ({
  ...NO_FACTS,
  size: dropped.includes('size') ? null : size,
  quality: dropped.includes('quality') ? null : quality,
});

const inputRate = ({ input, cacheRead }: Rates): bigint => (input > cacheRead ? input : cacheRead);
/**
 * Returns the highest rate for an image to edit. Some providers bill such an image as text, or as
 * cached input.
 */
const mediaRate = (rates: Rates): bigint => {
  const asText = inputRate(rates);
  return rates.imageInput > asText ? rates.imageInput : asText;
};
const outputRate = ({ output, imageOutput }: Rates): bigint =>
  output > imageOutput ? output : imageOutput;

type Facts = { readonly served: FactValues; readonly requested: FactValues };

/** Returns the highest price among the sizes and qualities that the images may have. */
function highestOf(card: ImageCard, facts: Facts, { sizes, qualities }: ImageModel) {
  const possible = {
    size: possibleImages(card.drawn, 'size', facts),
    quality: possibleImages(card.drawn, 'quality', facts),
  };
  let highest: {
    readonly key: string;
    readonly price: NanoAmount;
    readonly size: string;
    readonly quality: string;
  } | null = null;
  for (const size of possible.size) {
    for (const quality of possible.quality) {
      const found = findByImage(card.perImage, asListed(sizes, size), asListed(qualities, quality));
      if (found === null) continue;
      if (highest === null || found.value > highest.price)
        highest = { key: found.key, price: found.value, size, quality };
    }
  }
  if (highest !== null) return { ...highest, possible };
  throw new GatewayError('internal_error', 'The gateway has no price for this image.', {
    cause: new Error(`card ${card.id} has no price for ${possible.size} ${possible.quality}`),
  });
}

/** Returns a size or quality spelled as in the model's list. Price cards have it in lower case. */
const asListed = (listed: readonly string[], value: string): string =>
  listed.find((each) => each.toLowerCase() === value) ?? value;

function perImage(
  card: ImageCard,
  { count, usage, served }: Drawn,
  requested: FactValues,
  model: ImageModel,
): PricedImages {
  const { key, price, possible, ...chosen } = highestOf(card, { served, requested }, model);
  const names = ['size', 'quality'] as const;
  const assumed = names.filter((name) => possible[name].length > 1);
  const unpriced = names.filter((name) => isUndrawn(card.drawn, name, served[name]));
  const isPlain = count === 0 || (assumed.length === 0 && unpriced.length === 0);
  const facts = { ...PLAIN_FACTS, served: factsOf(served), requested };
  return {
    // The receipt contains the token counts although the price is per image. Some providers bill
    // images by tokens, and the counts are compared with the providers' bills.
    usage: usage ?? NO_USAGE,
    images: { count, priceKey: key },
    costPico: imagesPico(price, count),
    facts: isPlain
      ? null
      : factsJson(facts, {
          assumed: assumed.map((name) => `${name}: ${chosen[name]}`),
          unpriced: unpriced.map((name) => `${name}: ${served[name]}`),
        }),
    estimated: false,
  };
}

const factsOf = ({ tier, speed, geo, size, quality }: Served): FactValues => ({
  ...{ tier, speed, geo, size, quality },
});

/** Returns the size and quality that the receipt names for images priced by the token. */
function drawnKey(
  { terms: { names } }: TokenCard,
  { served }: Drawn,
  requested: FactValues,
  { sizes, qualities }: ImageModel,
): string {
  const drawn = { names, admits: { size: sizes, quality: qualities } };
  const [size = ''] = possibleImages(drawn, 'size', { served, requested });
  const [quality = ''] = possibleImages(drawn, 'quality', { served, requested });
  return priceKey(asListed(sizes, size), quality === '' ? null : asListed(qualities, quality));
}
