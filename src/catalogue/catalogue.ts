/**
 * What is sold: models, their channels, each channel's current price card, and the routes that
 * serve it. A Catalogue is one immutable snapshot. A reload makes a new one, and running requests
 * keep theirs.
 */
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
  /**
   * What the operator pays upstream, as a card of the same kind; null if the configuration has no
   * cost.
   */
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
