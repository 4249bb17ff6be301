/**
 * What a request would cost, as the gateway charges it: every count times its rate, exactly; the sum
 * converted at the pinned rate; rounded once, half to even, to a billionth.
 */
import { type Pico, parseAmount } from '../money/amount.ts';
import type { Channel, Model, Price } from './models.ts';

const MILLION = 1_000_000n;
/** Amounts are millionths of a millionth; what is charged is a whole number of billionths. */
const NANO = 1_000n;
const ONE = 10n ** 12n;

export const TOKEN_KINDS = ['input', 'cache_read', 'cache_write', 'output'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];
export type TokenCounts = Readonly<Record<TokenKind, number>>;

/** The price of a million such tokens: what is not listed is charged as input. Null on image channels. */
export function rateOf(price: Price, kind: TokenKind): string | null {
  return price[kind] ?? price.input;
}

/** One line of a cost, in the currency of the card. */
export type CostLine = { readonly kind: string; readonly count: number; readonly amount: Pico };

export const tokenLines = (price: Price, counts: TokenCounts): readonly CostLine[] =>
  TOKEN_KINDS.map((kind) => ({
    kind,
    count: counts[kind],
    amount: (parseAmount(rateOf(price, kind) ?? '0') * BigInt(counts[kind])) / MILLION,
  }));

/** @param key the size, or size and quality, as the price list has it. */
export const imageLines = (price: Price, key: string, count: number): readonly CostLine[] => [
  { kind: key, count, amount: parseAmount(price.per_image?.[key] ?? '0') * BigInt(count) },
];

/** What is charged: the lines' sum, converted and rounded once. `rate` null: it is settled as it is listed. */
export function charged(lines: readonly Pick<CostLine, 'amount'>[], rate: string | null): Pico {
  const sum = lines.reduce((total, { amount }) => total + amount, 0n);
  if (rate === null) return divideHalfEven(sum, NANO) * NANO;
  return divideHalfEven(sum * parseAmount(rate), ONE * NANO) * NANO;
}

/** To the nearest whole number, halves to the even one. `denominator` > 0. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  const whole = size / denominator;
  const twice = (size % denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && whole % 2n === 1n);
  const rounded = isUp ? whole + 1n : whole;
  return numerator < 0n ? -rounded : rounded;
}

/** What a channel is compared by: of a chat model its input's price, of an image model its least. */
export function headlinePrice({ price }: Pick<Channel, 'price'>): Pico {
  if (price.per_image === null) return parseAmount(price.input ?? '0');
  return Object.values(price.per_image).map(parseAmount).reduce(least);
}

const least = (a: Pico, b: Pico): Pico => (a < b ? a : b);

/** The least headline price of a model's channels. */
export const lowestPrice = ({ channels }: Pick<Model, 'channels'>): Pico =>
  channels.map(headlinePrice).reduce(least);

/** The channels at the least price, unless all are. */
export function cheapestChannels({ channels }: Pick<Model, 'channels'>): readonly string[] {
  const prices = channels.map(totalPrice);
  const lowest = prices.reduce(least);
  if (prices.every((price) => price === lowest)) return [];
  return channels.flatMap(({ channel }, at) => (prices[at] === lowest ? [channel] : []));
}

/** As much weight on every figure of the list: a channel is cheaper when all of it is. */
function totalPrice({ price }: Pick<Channel, 'price'>): Pico {
  const listed =
    price.per_image === null
      ? TOKEN_KINDS.map((kind) => rateOf(price, kind) ?? '0')
      : Object.values(price.per_image);
  return listed.reduce((sum, each) => sum + parseAmount(each), 0n);
}

/** The channel whose first byte comes first, half of the time; null until two of them have been measured. */
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
