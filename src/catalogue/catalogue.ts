/**
 * What is sold: models, their channels, each channel's current price card, and the routes that
 * serve it. A Catalogue is one immutable snapshot. A reload makes a new one for new requests.
 */
import { nearest } from '../config/nearest.ts';
import { GatewayError } from '../errors.ts';
import type { Currency, NanoAmount } from '../money/amount.ts';
import type { FxRate, Rates } from '../money/price.ts';
import type { PriceKey } from '../money/usage.ts';

export const CHANNELS = ['direct', 'stable', 'economical'] as const;
export type ChannelName = (typeof CHANNELS)[number];
export const isChannelName = (text: string): text is ChannelName =>
  (CHANNELS as readonly string[]).includes(text);

export type Modality = 'text' | 'image' | 'file' | 'audio' | 'video';

/** Where a channel's requests go: an upstream's configured name, and the model's name there. */
export type Route = {
  readonly upstream: string;
  readonly model: string;
  readonly weight: number;
  /** Request fields that this model refuses there, in addition to those of its upstream. */
  readonly drop: readonly string[];
};

/** Deadlines of a model that differ from the gateway's, milliseconds; null: the gateway's own. */
export type Timeouts = {
  /** To connect to the upstream. */
  readonly connectMs: number | null;
  /** From the request to the status line, and from there to the first event. */
  readonly firstByteMs: number | null;
  /** Silence within an answer. */
  readonly idleMs: number | null;
  /** The whole request. */
  readonly totalMs: number | null;
};

/** Token prices, exact and as the operator wrote them. */
export type TokenPrices = {
  readonly kind: 'chat';
  readonly currency: Currency;
  /** Every bucket has a rate: unlisted ones are derived at load. */
  readonly rates: Rates;
  /** Decimal strings per 1M tokens; null if not listed. */
  readonly listed: { readonly [Key in PriceKey]: string | null };
};
/** Image prices by `1024x1024`, or by `1024x1024/hd` for a quality with its own price. */
export type ImagePrices = {
  readonly kind: 'image';
  readonly currency: Currency;
  readonly perImage: ReadonlyMap<string, NanoAmount>;
  readonly listed: Readonly<Record<string, string>>;
};

/** An immutable price: changing any number makes a card with another id. */
type CardBase = {
  /** `card_` + 16 hex digits of the SHA-256 of its content. */
  readonly id: string;
  readonly model: string;
  readonly channel: ChannelName;
  /** An invented price of the default configuration; marked wherever it is shown. */
  readonly example: boolean;
};
export type ChatCard = CardBase & TokenPrices;
export type ImageCard = CardBase & ImagePrices;
export type Card = ChatCard | ImageCard;

export type Channel<C extends Card> = {
  readonly name: ChannelName;
  readonly card: C;
  /** What the operator pays upstream, as a card of the same kind; null: not configured. */
  readonly cost: TokenPrices | ImagePrices | null;
  readonly routes: readonly [Route, ...Route[]];
};

type ModelBase = {
  readonly id: string;
  /** Display name; defaults to the id. */
  readonly name: string;
  readonly maker: string;
  /** `YYYY/MM/DD`. */
  readonly releaseDate: string | null;
  readonly settlement: Currency;
  readonly defaultChannel: ChannelName;
  readonly input: readonly Modality[];
  readonly output: readonly Modality[];
  readonly timeouts: Timeouts;
};
export type ChatModel = ModelBase & {
  readonly kind: 'chat';
  /** Tokens. */
  readonly contextWindow: number;
  /** Tokens. */
  readonly maxOutput: number;
  /** Whether it thinks unasked and hides its thinking, which is billed as output. */
  readonly thinksUnseen: boolean;
  readonly channels: ReadonlyMap<ChannelName, Channel<ChatCard>>;
};
export type ImageModel = ModelBase & {
  readonly kind: 'image';
  readonly sizes: readonly string[];
  readonly maxImages: number;
  /** Empty when the model has no such parameter; the first value is the default. */
  readonly qualities: readonly string[];
  readonly styles: readonly string[];
  readonly channels: ReadonlyMap<ChannelName, Channel<ImageCard>>;
};
export type Model = ChatModel | ImageModel;

export type Catalogue = {
  readonly models: ReadonlyMap<string, Model>;
  /** Pinned rates by `USD/CNY`. */
  readonly fx: ReadonlyMap<string, FxRate>;
  /** Changes whenever anything in the snapshot does; the ETag of the models list. */
  readonly version: string;
  /** When this version was loaded, Unix milliseconds. */
  readonly loadedAtMs: number;
};

const MAX_SUGGESTIONS = 3;
const MAX_ECHO_CHARACTERS = 64;

/** @throws GatewayError `model_not_found`, naming up to three similar ids. */
export function findModel(catalogue: Catalogue, id: string): Model {
  const model = catalogue.models.get(id);
  if (model !== undefined) return model;
  const near = suggestions(id, [...catalogue.models.keys()]);
  const hint =
    near.length === 0 ? 'GET /v1/models lists them.' : `Did you mean ${near.join(' or ')}?`;
  throw new GatewayError(
    'model_not_found',
    `The model \`${id.slice(0, MAX_ECHO_CHARACTERS)}\` does not exist. ${hint}`,
    { param: 'model' },
  );
}

/**
 * The channel that serves a request. An unknown channel, or one that the model lacks, is not an
 * error: the default channel answers (service rule), unless the caller forbids that.
 * @throws GatewayError `channel_not_available` when `allowFallbacks` is false and another channel
 *   would answer.
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

/** The most similar ids first, otherwise those with the same prefix. */
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
