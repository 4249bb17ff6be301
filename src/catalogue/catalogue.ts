/**
 * The catalogue: models, channels, price cards and routes. A request keeps the immutable snapshot
 * that it began with.
 */

import type { ImageFormat } from '../config/image-options.ts';
import { nearest } from '../config/nearest.ts';
import { GatewayError } from '../errors.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import type { CardTerms } from '../money/card-terms.ts';
import type { FxRate, Rates } from '../money/price.ts';
import type { DrawnTerms } from '../money/price-of.ts';
import type { PriceKey } from '../money/usage.ts';

export const CHANNELS = ['direct', 'stable', 'economical'] as const;
export type ChannelName = (typeof CHANNELS)[number];
export const isChannelName = (text: string): text is ChannelName =>
  (CHANNELS as readonly string[]).includes(text);

export type Modality = 'text' | 'image' | 'file' | 'audio' | 'video';
export type OutputModality = Modality | 'embeddings';

/** The destination of requests: a configured upstream, and the model's name there. */
export type Route = {
  readonly upstream: string;
  readonly model: string;
  /**
   * The relative share of requests that the route gets, among the channel's routes with the same
   * priority.
   */
  readonly weight: number;
  /**
   * The priority. Routes with 1 are tried first. A route serves only if no route with a lower
   * number can.
   */
  readonly priority: number;
  /**
   * Request fields that this upstream refuses for this model, in addition to those that it always
   * refuses.
   */
  readonly drop: readonly string[];
};

/** Deadlines of a model in milliseconds. Null means that the gateway's own deadline applies. */
export type Timeouts = {
  readonly connectMs: number | null;
  /** The maximum wait for the status line, and the maximum wait from there to the first event. */
  readonly firstByteMs: number | null;
  /** The maximum silence within an answer. */
  readonly idleMs: number | null;
  readonly totalMs: number | null;
};

/** Token prices, both as exact integers and as the operator wrote them. */
export type TokenPrices = {
  readonly unit: 'token';
  readonly currency: Currency;
  /** The rate of every usage bucket. A bucket without a listed price gets a derived rate. */
  readonly rates: Rates;
  /**
   * The price rows with conditions, fees and limits. The rates of the first row are also in
   * `rates`.
   */
  readonly terms: CardTerms;
  /**
   * The operator's prices as decimal strings per 1M tokens; null for a price that is not listed.
   */
  readonly listed: { readonly [Key in PriceKey]: string | null };
};
/** Prices per image. The key is `1024x1024`, or `1024x1024/hd` for a quality with its own price. */
export type ImagePrices = {
  readonly unit: 'image';
  readonly currency: Currency;
  /** The sizes and qualities in the keys of `perImage`, and the provider's names for them. */
  readonly drawn: DrawnTerms;
  readonly perImage: ReadonlyMap<string, NanoAmount>;
  readonly listed: Readonly<Record<string, string>>;
};

/** The common part of price cards. A card never changes: a new price gets a card with a new id. */
type CardBase = {
  /** `card_` and 16 hex digits of the SHA-256 of the card's content. */
  readonly id: string;
  readonly model: string;
  readonly channel: ChannelName;
  /**
   * Whether this is an invented price of the default configuration. The console labels it as an
   * example.
   */
  readonly example: boolean;
  /** The price list whose accounts pay this price; null for the public price. */
  readonly list: string | null;
  /** The source of the price, and the date (`2026-12-31`) by which to check the price again. */
  readonly source?: string | undefined;
  readonly review?: string | undefined;
};
export type TokenCard = CardBase & TokenPrices;
export type ImageCard = CardBase & ImagePrices;
export type Card = TokenCard | ImageCard;

/** A price card with its start time (Unix ms), which is 0 for the first card. */
export type DatedCard<C extends Card> = { readonly fromMs: number; readonly card: C };

export type Channel<C extends Card> = {
  readonly name: ChannelName;
  /**
   * If set, only accounts on these price lists may use the channel; null for all accounts that see
   * the model.
   */
  readonly onlyOn: readonly string[] | null;
  /** The price card that applies now. */
  readonly card: C;
  /** All price cards by start time, if price changes are announced; otherwise empty. */
  readonly dated: readonly DatedCard<C>[];
  /** The operator's cost, in the form of a price card; null if not configured. */
  readonly cost: TokenPrices | ImagePrices | null;
  /** The routes in the order of their priority. */
  readonly routes: readonly [Route, ...Route[]];
};

/** The maximum tokens that a model's providers bill per item of media; null for the default. */
export type MediaBounds = {
  readonly image: number | null;
  /**
   * `page` applies to each page of a PDF with countable pages, `document` to any other document.
   */
  readonly page: number | null;
  readonly document: number | null;
  /** `audioSecond` applies to each second of audio of known length, `audio` to any other audio. */
  readonly audioSecond: number | null;
  readonly audio: number | null;
  readonly video: number | null;
};
export const DEFAULT_BOUNDS: MediaBounds = {
  image: null,
  page: null,
  document: null,
  audioSecond: null,
  audio: null,
  video: null,
};

type ModelBase = {
  readonly id: string;
  /** The display name, which defaults to the id. */
  readonly name: string;
  readonly maker: string;
  /**
   * A text about the model's strengths, in each language of the console; null if not configured.
   */
  readonly description: { readonly en: string; readonly zh: string } | null;
  readonly tags: readonly string[];
  /** The release date as `YYYY/MM/DD`; null if unknown. */
  readonly releaseDate: string | null;
  readonly settlement: Currency;
  readonly defaultChannel: ChannelName;
  /** If set, only accounts on these price lists see and may use the model; null: all accounts. */
  readonly onlyOn: readonly string[] | null;
  readonly input: readonly Modality[];
  readonly output: readonly OutputModality[];
  readonly timeouts: Timeouts;
};
export type ChatModel = ModelBase & {
  readonly kind: 'chat';
  /** Maximum tokens of prompt and answer together. */
  readonly contextWindow: number;
  /** Maximum tokens of an answer. */
  readonly maxOutput: number;
  /** Whether the model always thinks without showing its thinking, which is billed as output. */
  readonly thinksUnseen: boolean;
  readonly bounds: MediaBounds;
  readonly channels: ReadonlyMap<ChannelName, Channel<TokenCard>>;
};
export type ImageModel = ModelBase & {
  readonly kind: 'image';
  readonly sizes: readonly string[];
  readonly maxImages: number;
  /** The values of `quality`, the default first; empty when the model has no such parameter. */
  readonly qualities: readonly string[];
  readonly styles: readonly string[];
  /**
   * The values of `background` and `moderation`, the default first; empty when the model has no
   * such parameter.
   */
  readonly backgrounds: readonly string[];
  readonly moderations: readonly string[];
  /** The file formats that callers may request, the default first. */
  readonly outputFormats: readonly ImageFormat[];
  /** Maximum partial images of a stream; null when the model does not stream. */
  readonly partialImages: number | null;
  /** The form in which an answer returns its images, if the request does not choose one. */
  readonly responseFormat: 'url' | 'b64_json';
  /** Maximum input images of an edit request; 0 when the model cannot edit images. */
  readonly maxInputImages: number;
  /** Maximum input tokens of an image to edit; null to compute them from the image's size. */
  readonly inputImageTokens: number | null;
  /**
   * Maximum output tokens of an image, by `1024x1024` or `1024x1024/hd`. They are needed for token
   * prices.
   */
  readonly imageTokens: ReadonlyMap<string, number>;
  readonly channels: ReadonlyMap<ChannelName, Channel<Card>>;
};
export type EmbeddingModel = ModelBase & {
  readonly kind: 'embedding';
  /** Maximum tokens of one input. */
  readonly contextWindow: number;
  /** Maximum inputs of a request, and maximum tokens of all its inputs together. */
  readonly maxInputs: number;
  readonly maxTotalTokens: number;
  /** The length of an embedding: how many numbers it has. */
  readonly dimensions: number;
  /**
   * The minimum length that a request may ask for; null if an embedding always has `dimensions`
   * numbers.
   */
  readonly minDimensions: number | null;
  readonly channels: ReadonlyMap<ChannelName, Channel<TokenCard>>;
};
export type Model = ChatModel | ImageModel | EmbeddingModel;

export type Catalogue = {
  /** The models and channels that the accounts of this catalogue see and may use. */
  readonly models: ReadonlyMap<string, Model>;
  /**
   * All models, including those sold only on price lists. Operators see these; callers must not. In
   * the catalogue of a price list, the same as `models`.
   */
  readonly all: ReadonlyMap<string, Model>;
  /** Pinned exchange rates by currency pair, such as `USD/CNY`. */
  readonly fx: ReadonlyMap<string, FxRate>;
  /** The ETag of the models list. It changes whenever any part of the snapshot changes. */
  readonly version: string;
  readonly loadedAtMs: number;
  /** The price list that these prices belong to; null for the public prices. */
  readonly list: string | null;
  /** Catalogues by price list; empty in a catalogue that belongs to a price list. */
  readonly lists: ReadonlyMap<string, Catalogue>;
  /**
   * The catalogue that replaces this one when announced prices start; null if none are announced.
   */
  readonly next: { readonly fromMs: number; readonly catalogue: Catalogue } | null;
};

/**
 * Returns the catalogue of an account on this price list, or the public catalogue if `list` is
 * null.
 * @throws GatewayError `config_mismatch` when this node does not know the list.
 */
export function catalogueOf(catalogue: Catalogue, list: string | null): Catalogue {
  if (list === null) return catalogue;
  const own = catalogue.lists.get(list);
  if (own !== undefined) return own;
  throw new GatewayError(
    'config_mismatch',
    `This node does not know the price list "${list}" of your account. Retry, or ask the administrator of this gateway.`,
  );
}

/** Returns the catalogue with all models and channels, as operators see it. */
export const wholeCatalogue = (catalogue: Catalogue): Catalogue =>
  catalogue.all === catalogue.models ? catalogue : { ...catalogue, models: catalogue.all };

const MAX_SUGGESTIONS = 3;
const MAX_ECHO_CHARACTERS = 64;

/** @throws GatewayError `model_not_found`, naming up to three similar ids. */
export function findModel(catalogue: Catalogue, id: string): Model {
  const model = catalogue.models.get(id);
  if (model !== undefined) return model;
  const near = suggestions(id, [...catalogue.models.keys()]);
  const hint =
    near.length === 0 ? 'GET /v1/models lists the models.' : `Did you mean ${near.join(' or ')}?`;
  throw new GatewayError(
    'model_not_found',
    `The model \`${id.slice(0, MAX_ECHO_CHARACTERS)}\` does not exist. ${hint}`,
    { param: 'model' },
  );
}

/**
 * Returns the channel that the request names, or else the model's default channel.
 * @throws GatewayError `channel_not_available` if the model lacks the named channel and the request
 * forbids fallbacks.
 */
export function pickChannel<C extends Card>(
  model: {
    readonly id: string;
    readonly defaultChannel: ChannelName;
    readonly channels: ReadonlyMap<ChannelName, Channel<C>>;
  },
  asked: string | null,
  allowFallbacks: boolean,
): Channel<C> {
  const named = asked !== null && isChannelName(asked) ? model.channels.get(asked) : undefined;
  if (named !== undefined) return named;
  if (asked !== null && !allowFallbacks) {
    throw new GatewayError(
      'channel_not_available',
      `${model.id} has no channel "${asked.slice(0, MAX_ECHO_CHARACTERS)}"; it has ${[...model.channels.keys()].join(', ')}. Name one of them, or allow fallbacks.`,
      { param: 'provider.channel' },
    );
  }
  const fallback = model.channels.get(model.defaultChannel);
  if (fallback === undefined) throw new Error(`${model.id} has no default channel`);
  return fallback;
}

/**
 * Returns the most similar ids, best first. If no id is similar, returns ids with the same prefix.
 */
function suggestions(id: string, known: readonly string[]): readonly string[] {
  const found: string[] = [];
  while (found.length < MAX_SUGGESTIONS) {
    const near = nearest(
      id,
      known.filter((each) => !found.includes(each)),
    );
    if (near === null) break;
    found.push(near);
  }
  if (found.length > 0) return found;
  const [stem = ''] = id.slice(0, MAX_ECHO_CHARACTERS).toLowerCase().split('-');
  if (stem === '') return [];
  return known.filter((each) => each.startsWith(`${stem}-`)).slice(0, MAX_SUGGESTIONS);
}
