/**
 * The catalogue: models, channels, price cards and routes. It is immutable. A request uses the same
 * catalogue from start to end.
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
   * The weight that decides how many of the channel's requests the route gets, relative to the
   * other routes with the same priority.
   */
  readonly weight: number;
  /**
   * The priority. Routes with priority 1 are tried first. A route is used only if no route with a
   * lower number can serve the request.
   */
  readonly priority: number;
  /**
   * Request fields that this upstream refuses for this model, in addition to the fields that it
   * refuses for all models.
   */
  readonly drop: readonly string[];
};

/** The timeouts of a model in milliseconds. Null means the gateway's general timeout. */
export type Timeouts = {
  readonly connectMs: number | null;
  /** The maximum time to wait for the status line, and again for the first event after it. */
  readonly firstByteMs: number | null;
  /** The maximum time without data within an answer. */
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
   * The price rows with their conditions, the fees and the limits. The rates of the first row equal
   * `rates`.
   */
  readonly terms: CardTerms;
  /**
   * The prices that the operator listed, as decimal strings per 1M tokens; null for a price that is
   * not listed.
   */
  readonly listed: { readonly [Key in PriceKey]: string | null };
};
/** Prices per image, by size (`1024x1024`) or by size and quality (`1024x1024/hd`). */
export type ImagePrices = {
  readonly unit: 'image';
  readonly currency: Currency;
  /** The sizes and qualities in the keys of `perImage`, and the provider's names for them. */
  readonly drawn: DrawnTerms;
  readonly perImage: ReadonlyMap<string, NanoAmount>;
  readonly listed: Readonly<Record<string, string>>;
};

/**
 * What all price cards have in common. A price card is one version of a channel's price and never
 * changes: a new price gets a new card with a new id.
 */
type CardBase = {
  /** `card_` and 16 hex digits of the SHA-256 of the card's content. */
  readonly id: string;
  readonly model: string;
  readonly channel: ChannelName;
  /**
   * Whether this price is an example from the default configuration. The console labels examples.
   */
  readonly example: boolean;
  /** The price list to which this price belongs; null for a public price. */
  readonly list: string | null;
  /** The source of the price, and the date (`2026-12-31`) by which to check the price again. */
  readonly source?: string | undefined;
  readonly review?: string | undefined;
};
export type TokenCard = CardBase & TokenPrices;
export type ImageCard = CardBase & ImagePrices;
export type Card = TokenCard | ImageCard;

/** A price card with its start time in Unix milliseconds. The start time of the first card is 0. */
export type DatedCard<C extends Card> = { readonly fromMs: number; readonly card: C };

export type Channel<C extends Card> = {
  readonly name: ChannelName;
  /**
   * The price lists whose accounts may use the channel; null if all accounts that see the model may
   * use it.
   */
  readonly onlyOn: readonly string[] | null;
  /** The price card that is in effect now. */
  readonly card: C;
  /**
   * All price cards of the channel in the order of their start times. Empty if no price changes are
   * announced.
   */
  readonly dated: readonly DatedCard<C>[];
  /**
   * The prices that the operator pays the provider, in the structure of a price card; null if not
   * configured.
   */
  readonly cost: TokenPrices | ImagePrices | null;
  /** The routes, sorted by priority. */
  readonly routes: readonly [Route, ...Route[]];
};

/** Maximum tokens that a model's providers bill per item of media; null for the default. */
export type MediaBounds = {
  readonly image: number | null;
  /**
   * `page` applies to each page of a PDF whose pages can be counted, `document` to any other
   * document.
   */
  readonly page: number | null;
  readonly document: number | null;
  /** `audioSecond` applies to each second of audio of known length, `audio` to other audio. */
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
  /** The price lists whose accounts see and may use the model; null for all accounts. */
  readonly onlyOn: readonly string[] | null;
  readonly input: readonly Modality[];
  readonly output: readonly OutputModality[];
  readonly timeouts: Timeouts;
};
export type ChatModel = ModelBase & {
  readonly kind: 'chat';
  /** The maximum number of tokens in prompt and answer together. */
  readonly contextWindow: number;
  /** The maximum number of tokens in an answer. */
  readonly maxOutput: number;
  /** Whether the model always thinks but hides its thinking, which is billed as output. */
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
  /** The file formats that callers may request. The first one is the default. */
  readonly outputFormats: readonly ImageFormat[];
  /** The maximum number of partial images in a stream; null when the model does not stream. */
  readonly partialImages: number | null;
  /** What an answer contains if the request does not choose: image URLs or base64 data. */
  readonly responseFormat: 'url' | 'b64_json';
  /** The maximum number of input images in an edit request; 0 when the model cannot edit images. */
  readonly maxInputImages: number;
  /** Maximum input tokens for an image to edit; null to compute it from the size of the image. */
  readonly inputImageTokens: number | null;
  /**
   * The maximum number of output tokens of an image, with keys such as `1024x1024` or
   * `1024x1024/hd`. Required if tokens are priced.
   */
  readonly imageTokens: ReadonlyMap<string, number>;
  readonly channels: ReadonlyMap<ChannelName, Channel<Card>>;
};
export type EmbeddingModel = ModelBase & {
  readonly kind: 'embedding';
  /** The maximum number of tokens in one input. */
  readonly contextWindow: number;
  /** Maximum inputs in a request, and the maximum number of tokens in all inputs together. */
  readonly maxInputs: number;
  readonly maxTotalTokens: number;
  readonly dimensions: number;
  /**
   * The minimum number of dimensions that a request may ask for; null if the number cannot be
   * chosen.
   */
  readonly minDimensions: number | null;
  readonly channels: ReadonlyMap<ChannelName, Channel<TokenCard>>;
};
export type Model = ChatModel | ImageModel | EmbeddingModel;

export type Catalogue = {
  /** The models and channels that accounts with this catalogue see and may use. */
  readonly models: ReadonlyMap<string, Model>;
  /**
   * All models, including those sold only on price lists. Operators see them; callers must not. In
   * the catalogue of a price list, this is the same map as `models`.
   */
  readonly all: ReadonlyMap<string, Model>;
  /** Pinned exchange rates by currency pair, such as `USD/CNY`. */
  readonly fx: ReadonlyMap<string, FxRate>;
  /** The ETag of the models list. It changes whenever any part of the catalogue changes. */
  readonly version: string;
  readonly loadedAtMs: number;
  /** The price list to which these prices belong; null for the public prices. */
  readonly list: string | null;
  /** The catalogue of each price list by name; empty in the catalogue of a price list. */
  readonly lists: ReadonlyMap<string, Catalogue>;
  /**
   * The next catalogue, which replaces this one when announced prices start; null if none are
   * announced.
   */
  readonly next: { readonly fromMs: number; readonly catalogue: Catalogue } | null;
};

/**
 * Returns the catalogue for accounts on this price list; the public catalogue if `list` is null.
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

/** Returns the catalogue for operators, which contains all models and channels. */
export const wholeCatalogue = (catalogue: Catalogue): Catalogue =>
  catalogue.all === catalogue.models ? catalogue : { ...catalogue, models: catalogue.all };

const MAX_SUGGESTIONS = 3;
const MAX_ECHO_CHARACTERS = 64;

/** Returns the model with this id. @throws `model_not_found` with up to three similar ids. */
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
 * Returns the channel that the request names. If the model lacks it, or the request names none,
 * returns the model's default channel.
 * @throws GatewayError `channel_not_available` if the model lacks the named channel and the request
 *   forbids fallbacks.
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
