/**
 * Calculates the cost of a request as the gateway does. Each count is multiplied by its price, and
 * the exact products are summed. The sum is converted at the exchange rate of the request, and
 * rounded once to nine decimal places, half to even.
 */
import { type Pico, parseAmount } from '#money/amount.ts';
import type { Channel, Model, Price } from './models.ts';

const MILLION = 1_000_000n;
/**
 * The number of pico-units in a nano-unit. Amounts are in pico-units; a charge is a whole number of
 * nano-units.
 */
const NANO = 1_000n;
const ONE = 10n ** 12n;

export const TOKEN_KINDS = ['input', 'cache_read', 'cache_write', 'output'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];
export type TokenCounts = Readonly<Record<TokenKind, number>> & {
  /** The tokens of images in the answer; absent for models that generate no images. */
  readonly image_output?: number;
};

/**
 * Returns the price per 1M tokens of this kind. A kind without its own price costs the same as
 * input. Null when the channel does not sell these tokens, or charges per image.
 */
export function rateOf(price: Price, kind: TokenKind | 'image_output'): string | null {
  return price[kind] ?? (price.not_sold.includes(kind) ? null : price.input);
}

/** One line of a cost, in the currency of the price card. */
export type CostLine = { readonly kind: string; readonly count: number; readonly amount: Pico };

export const tokenLines = (price: Price, counts: TokenCounts): readonly CostLine[] =>
  kindsIn(counts).map((kind) => {
    const count = counts[kind] ?? 0;
    const amount = (parseAmount(rateOf(price, kind) ?? '0') * BigInt(count)) / MILLION;
    return { kind, count, amount };
  });

/** Returns the kinds of tokens in these counts. Only image models have `image_output`. */
export const kindsIn = (counts: TokenCounts): readonly (TokenKind | 'image_output')[] =>
  counts.image_output === undefined ? TOKEN_KINDS : [...TOKEN_KINDS, 'image_output'];

/** The prices of tokens that are shown for each kind of model, most important first. */
export const SHOWN_PRICES = {
  chat: ['input', 'output', 'cache_read', 'cache_write'],
  image: ['input', 'image_output', 'cache_read'],
  embedding: ['input'],
} as const;

/** The price per 1M output tokens; null for embedding models and if the channel has none. */
export const answerPrice = (kind: Model['kind'], price: Price): string | null =>
  kind === 'embedding' ? null : price[SHOWN_PRICES[kind][1]];

/**
 * The cost lines of an image request.
 * @param key the size, or size and quality, as in `per_image` of the price.
 */
export const imageLines = (price: Price, key: string, count: number): readonly CostLine[] => [
  { kind: key, count, amount: parseAmount(price.per_image?.[key] ?? '0') * BigInt(count) },
];

/**
 * The charge: the sum of the lines, converted and rounded once.
 * @param rate the exchange rate; null when nothing is converted.
 */
export function charged(lines: readonly Pick<CostLine, 'amount'>[], rate: string | null): Pico {
  const sum = lines.reduce((total, { amount }) => total + amount, 0n);
  if (rate === null) return divideHalfEven(sum, NANO) * NANO;
  return divideHalfEven(sum * parseAmount(rate), ONE * NANO) * NANO;
}

/** Divides and rounds to the nearest whole number, half to even. `denominator` is positive. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  const whole = size / denominator;
  const twice = (size % denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && whole % 2n === 1n);
  const rounded = isUp ? whole + 1n : whole;
  return numerator < 0n ? -rounded : rounded;
}

/**
 * Returns the price by which channels are compared: per 1M input tokens, or the lowest price of an
 * image.
 */
export function headlinePrice({ price }: Pick<Channel, 'price'>): Pico {
  if (price.per_image === null) return parseAmount(price.input ?? '0');
  return Object.values(price.per_image).map(parseAmount).reduce(least);
}

const least = (a: Pico, b: Pico): Pico => (a < b ? a : b);

/** The lowest headline price of a model's channels. */
export const lowestPrice = ({ channels }: Pick<Model, 'channels'>): Pico =>
  channels.map(headlinePrice).reduce(least);

/**
 * The names of the channels with the lowest `totalPrice`; empty when all channels cost the same.
 */
export function cheapestChannels({ channels }: Pick<Model, 'channels'>): readonly string[] {
  const prices = channels.map(totalPrice);
  const lowest = prices.reduce(least);
  if (prices.every((price) => price === lowest)) return [];
  return channels.flatMap(({ channel }, at) => (prices[at] === lowest ? [channel] : []));
}

/** The sum of all prices of a channel. The channel with the lowest sum is the cheapest. */
function totalPrice({ price }: Pick<Channel, 'price'>): Pico {
  const listed =
    price.per_image === null
      ? [...TOKEN_KINDS.map((kind) => price[kind] ?? price.input ?? '0'), price.image_output ?? '0']
      : Object.values(price.per_image);
  return listed.reduce((sum, each) => sum + parseAmount(each), 0n);
}

/**
 * Returns the channel with the lowest median time to first token, ignoring channels that are down.
 * Null if two channels are equally fast, or if fewer than two have been measured.
 */
export function fastestChannel({ channels }: Pick<Model, 'channels'>): string | null {
  const measured = channels.flatMap(({ channel, health }) =>
    health?.first_byte_ms == null || health.status === 'down'
      ? []
      : [{ channel, ms: health.first_byte_ms.p50 }],
  );
  const [first, second] = measured.toSorted((a, b) => a.ms - b.ms);
  return first === undefined || second === undefined || first.ms === second.ms
    ? null
    : first.channel;
}
