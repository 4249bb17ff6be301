/** Makes the catalogue from a checked configuration: prices become exact integers, cards get their ids. */
import { createHash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { ModelSettings } from '../config/schema.ts';
import { type Currency, isCurrency, parseAmount } from '../money/amount.ts';
import {
  type FxRate,
  type PicoRate,
  parseFxRate,
  parseTokenPrice,
  picoRate,
} from '../money/price.ts';
import {
  type Catalogue,
  CHANNELS,
  type Channel,
  type ChannelName,
  type ChatCard,
  type ChatModel,
  type ImageCard,
  type ImageModel,
  type Model,
} from './catalogue.ts';

type ChatSettings = Extract<ModelSettings, { kind: 'chat' }>;
type ImageSettings = Extract<ModelSettings, { kind: 'image' }>;
type ChatPrices = NonNullable<ChatSettings['channels']['direct']>['price'];
type ImagePrices = NonNullable<ImageSettings['channels']['direct']>['price'];

const ID_DIGITS = 16;

/** @param nowMs when it is loaded, milliseconds since 1970. */
export function loadCatalogue(config: Pick<Config, 'models' | 'fx'>, nowMs: number): Catalogue {
  const models = new Map<string, Model>();
  for (const [id, settings] of Object.entries(config.models)) {
    models.set(id, settings.kind === 'chat' ? chatModel(id, settings) : imageModel(id, settings));
  }
  const fx = new Map<string, FxRate>();
  for (const [pair, text] of Object.entries(config.fx)) {
    if (text !== undefined) fx.set(pair, fxRate(pair, text));
  }
  const version = contentId('cat', [config.models, config.fx]);
  return { models, fx, version, loadedAtMs: nowMs };
}

function chatModel(id: string, settings: ChatSettings): ChatModel {
  return {
    kind: 'chat',
    ...common(id, settings),
    contextWindow: settings.context_window,
    maxOutput: settings.max_output,
    thinksUnseen: settings.thinks_unseen,
    input: settings.input,
    output: settings.output,
    channels: channelsOf(settings.channels, (name, prices) => chatCard(id, name, prices)),
  };
}

function imageModel(id: string, settings: ImageSettings): ImageModel {
  return {
    kind: 'image',
    ...common(id, settings),
    input: ['text'],
    output: ['image'],
    sizes: settings.sizes,
    maxImages: settings.max_images,
    qualities: settings.qualities,
    styles: settings.styles,
    channels: channelsOf(settings.channels, (name, prices) => imageCard(id, name, prices)),
  };
}

const common = (id: string, settings: ModelSettings) => ({
  id,
  name: settings.name ?? id,
  maker: settings.maker,
  releaseDate: settings.release_date,
  settlement: settings.settlement,
  defaultChannel: settings.default_channel,
  timeouts: {
    connectMs: settings.timeouts.connect ?? null,
    firstByteMs: settings.timeouts.first_byte ?? null,
    idleMs: settings.timeouts.idle ?? null,
    totalMs: settings.timeouts.total ?? null,
  },
});

type ChannelSettings<Prices> = {
  price: Prices;
  routes: readonly Channel<ChatCard>['routes'][number][];
};

function channelsOf<Prices, C extends ChatCard | ImageCard>(
  settings: { readonly [Name in ChannelName]?: ChannelSettings<Prices> | undefined },
  card: (name: ChannelName, prices: Prices) => C,
): ReadonlyMap<ChannelName, Channel<C>> {
  const channels = new Map<ChannelName, Channel<C>>();
  for (const name of CHANNELS) {
    const channel = settings[name];
    const [first, ...rest] = channel?.routes ?? [];
    if (channel === undefined || first === undefined) continue;
    channels.set(name, { name, card: card(name, channel.price), routes: [first, ...rest] });
  }
  return channels;
}

function chatCard(model: string, channel: ChannelName, prices: ChatPrices): ChatCard {
  const input = exact(parseTokenPrice, prices.input);
  const optional = (text: string | undefined, fallback: PicoRate): PicoRate =>
    text === undefined ? fallback : exact(parseTokenPrice, text);
  const rates = {
    input,
    // A cache price that is not listed is charged as input; an hour's write at twice that (decisions).
    cacheRead: optional(prices.cache_read, input),
    cacheWrite5m: optional(prices.cache_write, input),
    cacheWrite1h: optional(prices.cache_write_1h, picoRate(input * 2n)),
    output: exact(parseTokenPrice, prices.output),
  };
  const content = [model, channel, prices.currency, Object.values(rates).map(String)];
  return {
    kind: 'chat',
    id: contentId('card', content),
    model,
    channel,
    currency: prices.currency,
    example: prices.example,
    rates,
    listed: {
      input: prices.input,
      output: prices.output,
      cacheRead: prices.cache_read ?? null,
      cacheWrite: prices.cache_write ?? null,
      cacheWrite1h: prices.cache_write_1h ?? null,
    },
  };
}

function imageCard(model: string, channel: ChannelName, prices: ImagePrices): ImageCard {
  const perImage = new Map(
    Object.entries(prices.per_image).map(([key, text]) => [key, exact(parseAmount, text)]),
  );
  const content = [
    model,
    channel,
    prices.currency,
    // In an order of their own: moving a line in the file makes no other card.
    [...perImage].map(([key, price]) => [key, String(price)]).sort(),
  ];
  return {
    kind: 'image',
    id: contentId('card', content),
    model,
    channel,
    currency: prices.currency,
    example: prices.example,
    perImage,
    listed: prices.per_image,
  };
}

function fxRate(pair: string, text: string): FxRate {
  const [base = '', quote = ''] = pair.split('/');
  const scaled = exact(parseFxRate, text);
  return {
    id: contentId('fx', [pair, String(scaled)]),
    base: currency(base),
    quote: currency(quote),
    scaled,
  };
}

function currency(text: string): Currency {
  if (!isCurrency(text)) throw new Error(`fx: ${text} is no currency of this gateway`);
  return text;
}

/** The configuration was checked before: a text that does not parse here is a fault of ours. */
function exact<Value>(parse: (text: string) => Value | null, text: string): Value {
  const value = parse(text);
  if (value === null) throw new Error(`${text} is not a price or a rate`);
  return value;
}

/** `card_` and 16 hex digits: the same content has the same id on every node and after every restart. */
function contentId(prefix: string, content: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${prefix}_${digest.slice(0, ID_DIGITS)}`;
}
