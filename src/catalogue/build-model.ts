/**
 * Builds a model from its validated settings. Prices become exact integers, and each price card
 * gets an id.
 */
import type { Config } from '../config/config.ts';
import {
  type EmbeddingPriceSettings,
  embeddingPriceIn,
  NOT_SOLD,
  type TokenPriceSettings,
  tokenPriceIn,
} from '../config/price-schema.ts';
import type { ModelSettings } from '../config/schema.ts';
import { parseAmount } from '../money/amount.ts';
import { isFlat, NO_NAMES } from '../money/card-terms.ts';
import { picoRate } from '../money/price.ts';
import { termsJson } from '../money/terms-json.ts';
import { type Bucket, perPrice } from '../money/usage.ts';
import {
  type Card,
  CHANNELS,
  type Channel,
  type ChannelName,
  type ChatModel,
  type EmbeddingModel,
  type ImageCard,
  type ImageModel,
  type ImagePrices,
  type MediaBounds,
  type Model,
  type Route,
  type TokenCard,
  type TokenPrices,
} from './catalogue.ts';
import { contentId } from './content-id.ts';
import { lowerCased, type TermsOptions, termsOf } from './price-terms.ts';

type ChatSettings = Extract<ModelSettings, { kind: 'chat' }>;
type EmbeddingSettings = Extract<ModelSettings, { kind: 'embedding' }>;
type ImageSettings = Extract<ModelSettings, { kind: 'image' }>;
type ListedTokens = TokenPriceSettings;
type ListedImages = NonNullable<NonNullable<ImageSettings['channels']['direct']>['cost']>;

/**
 * Builds a model. In each channel, `card` is the first price card. If there are several cards,
 * `dated` contains all of them.
 */
export function modelOf(
  id: string,
  settings: ModelSettings,
  calendars: Config['calendars'],
): Model {
  switch (settings.kind) {
    case 'chat':
      return chatModel(id, settings, calendars);
    case 'image':
      return imageModel(id, settings, calendars);
    case 'embedding':
      return embeddingModel(id, settings);
  }
}

function chatModel(id: string, settings: ChatSettings, calendars: Config['calendars']): ChatModel {
  return {
    kind: 'chat',
    ...common(id, settings),
    contextWindow: settings.context_window,
    maxOutput: settings.max_output,
    thinksUnseen: settings.thinks_unseen,
    bounds: mediaBounds(settings.bounds),
    input: settings.input,
    output: settings.output,
    channels: channelsOf(
      settings.channels,
      (channel, price) => tokenCard(id, channel, price, cardOptions(settings, calendars)),
      (cost) => tokenPrices(cost, costOptions(calendars)),
    ),
  };
}

function mediaBounds(bounds: ChatSettings['bounds']): MediaBounds {
  const { image, page, document, audio_second: audioSecond, audio, video } = bounds;
  return { image, page, document, audioSecond, audio, video };
}

function imageModel(
  id: string,
  settings: ImageSettings,
  calendars: Config['calendars'],
): ImageModel {
  const { sizes, qualities } = settings;
  const drawn = { calendars, sizes, qualities };
  return {
    kind: 'image',
    ...common(id, settings),
    input: ['text'],
    output: ['image'],
    sizes,
    maxImages: settings.max_images,
    qualities,
    styles: settings.styles,
    backgrounds: settings.backgrounds,
    moderations: settings.moderations,
    outputFormats: settings.output_formats,
    partialImages: settings.partial_images,
    responseFormat: settings.response_format,
    maxInputImages: settings.max_input_images,
    inputImageTokens: settings.input_image_tokens,
    imageTokens: new Map(Object.entries(settings.image_tokens)),
    channels: channelsOf<ListedImages, Card>(
      settings.channels,
      (channel, price) => {
        const tokens = tokenPriceIn(price);
        if (tokens === null) return imageCard(id, channel, price, settings);
        return tokenCard(id, channel, { ...price, ...tokens }, imageOptions(drawn));
      },
      (cost) => {
        const tokens = tokenPriceIn(cost);
        if (tokens === null) return imagePrices(cost, settings);
        return tokenPrices(tokens, { ...imageOptions(drawn), unlisted: derivedCost });
      },
    ),
  };
}

function embeddingModel(id: string, settings: EmbeddingSettings): EmbeddingModel {
  return {
    kind: 'embedding',
    ...common(id, settings),
    input: ['text'],
    output: ['embeddings'],
    contextWindow: settings.context_window,
    maxInputs: settings.max_inputs,
    maxTotalTokens: settings.max_total_tokens,
    dimensions: settings.dimensions,
    minDimensions: settings.min_dimensions,
    channels: channelsOf<EmbeddingPriceSettings, TokenCard>(
      settings.channels,
      (channel, price) =>
        tokenCard(id, channel, { ...embeddingPriceIn(price), ...price }, embeddingOptions),
      (cost) => tokenPrices(embeddingPriceIn(cost), embeddingOptions),
    ),
  };
}

const common = (id: string, settings: ModelSettings) => ({
  id,
  name: settings.name ?? id,
  maker: settings.maker,
  description: descriptionOf(settings),
  tags: settings.tags,
  releaseDate: settings.release_date,
  settlement: settings.settlement,
  defaultChannel: settings.default_channel,
  onlyOn: settings.only_on ?? null,
  timeouts: {
    connectMs: settings.timeouts.connect ?? null,
    firstByteMs: settings.timeouts.first_byte ?? null,
    idleMs: settings.timeouts.idle ?? null,
    totalMs: settings.timeouts.total ?? null,
  },
});

const descriptionOf = ({ description }: ModelSettings) =>
  typeof description === 'string' ? { en: description, zh: description } : description;

type Notes = Pick<Card, 'example' | 'source' | 'review'>;
type ChannelSettings<Listed> = {
  readonly only_on?: readonly string[] | undefined;
  readonly price: Listed & Notes;
  readonly upcoming: readonly (Listed & Notes & { readonly effective_from: number })[];
  readonly cost?: Listed | undefined;
  readonly routes: readonly Route[];
};

function channelsOf<Listed, C extends Card>(
  settings: { readonly [Name in ChannelName]?: ChannelSettings<Listed> | undefined },
  card: (name: ChannelName, price: Listed & Notes) => C,
  costs: (cost: Listed) => TokenPrices | ImagePrices,
): ReadonlyMap<ChannelName, Channel<C>> {
  const channels = new Map<ChannelName, Channel<C>>();
  for (const name of CHANNELS) {
    const channel = settings[name];
    // Sorts the routes by priority once, so that requests do not have to sort them.
    const [first, ...rest] = channel?.routes.toSorted((a, b) => a.priority - b.priority) ?? [];
    if (channel === undefined || first === undefined) continue;
    const begin = card(name, channel.price);
    const later = channel.upcoming.map((price) => ({
      fromMs: price.effective_from,
      card: card(name, price),
    }));
    channels.set(name, {
      name,
      onlyOn: channel.only_on ?? null,
      card: begin,
      dated: later.length === 0 ? [] : [{ fromMs: 0, card: begin }, ...later],
      cost: channel.cost === undefined ? null : costs(channel.cost),
      routes: [first, ...rest],
    });
  }
  return channels;
}

function tokenCard(
  model: string,
  channel: ChannelName,
  price: ListedTokens & Notes,
  options: TermsOptions,
): TokenCard {
  const prices = tokenPrices(price, options);
  const { currency, rates, terms } = prices;
  const flat = [model, channel, currency, Object.values(rates).map(String)];
  const content = isFlat(terms) ? flat : [...flat, termsJson(terms)];
  return { ...prices, ...idsOf(model, channel, content), ...notesOf(price) };
}

const idsOf = (model: string, channel: ChannelName, content: unknown) => ({
  id: contentId('card', content),
  model,
  channel,
  list: null,
});

/**
 * Returns the notes on a price. They do not affect the id of the price card, so that a changed note
 * does not create a new card.
 */
const notesOf = ({ example, source, review }: Notes): Notes => ({ example, source, review });

/**
 * The options for the prices of chat models. If a chat model lists no price for images in a prompt,
 * they cost as much as text. If it lists no price for audio, audio is not sold.
 */
const cardOptions = ({ input }: ChatSettings, calendars: Config['calendars']): TermsOptions => ({
  calendars,
  ...NOTHING_DRAWN,
  unlisted: derivedRate,
  isDerived: ({ bucket }) =>
    bucket === 'imageInput' ? input.includes('image') : !OWN_PRICES.includes(bucket),
});

const NOTHING_DRAWN = { sizes: [], qualities: [] };

const derivedRate: TermsOptions['unlisted'] = ({ unlistedPrice }, rates) =>
  unlistedPrice === null ? null : picoRate(rates[unlistedPrice.of] * unlistedPrice.times);

const derivedCost: TermsOptions['unlisted'] = ({ unlistedCost }, rates) =>
  unlistedCost === null ? null : rates[unlistedCost];

/**
 * The options for the prices of image and embedding models. Only the rates of cached prompts are
 * derived from another rate. All other usage buckets (kinds of tokens) are sold only if their price
 * is listed.
 */
const imageOptions = (
  drawn: Pick<TermsOptions, 'calendars' | 'sizes' | 'qualities'>,
): TermsOptions => ({
  ...drawn,
  unlisted: derivedRate,
  isDerived: ({ part }) => part === 'cache_read' || part === 'cache_write',
});

const embeddingOptions = imageOptions({ calendars: {}, ...NOTHING_DRAWN });

/** Usage buckets that are sold only if the price card lists a price for them. */
const OWN_PRICES: readonly Bucket[] = ['audioInput', 'audioOutput', 'imageOutput'];

const costOptions = (calendars: Config['calendars']): TermsOptions => ({
  calendars,
  ...NOTHING_DRAWN,
  unlisted: derivedCost,
  isDerived: () => true,
});

function tokenPrices(listed: ListedTokens, options: TermsOptions): TokenPrices {
  const terms = termsOf(listed, options);
  const { rates } = terms.rows[0];
  if (rates === null) throw new Error('the price without conditions is missing');
  return {
    unit: 'token',
    currency: listed.currency,
    rates,
    terms,
    listed: perPrice(({ price }) => (listed[price] === NOT_SOLD ? null : (listed[price] ?? null))),
  };
}

type Drawn = Pick<ImageSettings, 'sizes' | 'qualities'>;

function imageCard(
  model: string,
  channel: ChannelName,
  price: ListedImages & Notes,
  drawn: Drawn,
): ImageCard {
  const prices = imagePrices(price, drawn);
  // Sorts the prices, so that the order of lines in the file does not affect the card's id.
  const perImage = [...prices.perImage].map(([key, each]) => [key, String(each)]).sort();
  const { size, quality } = prices.drawn.names;
  const names = [...size, ...quality].sort();
  const content = [model, channel, prices.currency, perImage, ...names];
  return { ...prices, ...idsOf(model, channel, content), ...notesOf(price) };
}

const imagePrices = (
  { currency, per_image: listed = {}, names }: ListedImages,
  { sizes, qualities }: Drawn,
): ImagePrices => ({
  unit: 'image',
  currency,
  drawn: {
    names: { ...NO_NAMES, size: lowerCased(names.size), quality: lowerCased(names.quality) },
    admits: { size: sizes, quality: qualities },
  },
  perImage: new Map(Object.entries(listed).map(([key, text]) => [key, exact(parseAmount, text)])),
  listed,
});

/** Parses a price or an exchange rate that the schema has already validated. */
export function exact<Value>(parse: (text: string) => Value | null, text: string): Value {
  const value = parse(text);
  if (value === null) throw new Error(`${text} is not a price or a rate`);
  return value;
}
