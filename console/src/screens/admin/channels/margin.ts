/** Calculates the exact margin between price and upstream cost, line by line. */
import type { components } from '#api/schema.gen.ts';
import { isOutputPrice, PRICE_KEYS, type PriceKey } from '#catalogue/usage-buckets.ts';
import { formatExact, type Pico, parseAmount } from '#money/amount.ts';

export type ChannelOffer = components['schemas']['ChannelOffer'];
type Price = ChannelOffer['price'];
export type MarginLine = {
  /** The name of the priced item: a token bucket or an image size. */
  readonly name: string;
  readonly price: string;
  /** The upstream cost; null when no cost is configured. */
  readonly cost: string | null;
  readonly margin: string | null;
  /**
   * The margin as a fraction of the price, in basis points; null without a cost, or when the price
   * is zero.
   */
  readonly basisPoints: number | null;
};

/**
 * Returns the margin of each listed price. A token bucket without a listed price is left out,
 * because its price derives from the price of another bucket, or its tokens are not sold.
 */
export function marginLines({ price, cost }: Pick<ChannelOffer, 'price' | 'cost'>): MarginLine[] {
  const images = Object.entries(price.per_image ?? {});
  return [
    ...PRICE_KEYS.flatMap((name) => {
      const listed = price[name];
      return listed === null
        ? []
        : [line(name, listed, cost === null ? null : tokenCost(cost, name))];
    }),
    ...images.map(([name, listed]) => line(name, listed, cost?.per_image?.[name] ?? null)),
  ];
}

/** Returns the line with the lowest margin; null without a cost. */
export const leastMargin = (lines: readonly MarginLine[]): MarginLine | null =>
  lines
    .filter(({ basisPoints }) => basisPoints !== null)
    .toSorted((a, b) => (a.basisPoints ?? 0) - (b.basisPoints ?? 0))[0] ?? null;

/**
 * Returns the cost of a bucket, as the gateway does. A bucket without its own cost has the cost of
 * input or output. One-hour cache writes without their own cost have the cost of `cache_write`, if
 * it is set.
 */
function tokenCost(cost: Price, name: PriceKey): string | null {
  if (name === 'cache_write_1h') return cost.cache_write_1h ?? cost.cache_write ?? cost.input;
  return cost[name] ?? (isOutputPrice(name) ? cost.output : cost.input);
}

function line(name: string, price: string, cost: string | null): MarginLine {
  if (cost === null) return { name, price, cost, margin: null, basisPoints: null };
  const total = parseAmount(price);
  const left = total - parseAmount(cost);
  return { name, price, cost, margin: formatExact(left), basisPoints: pointsOf(left, total) };
}

const pointsOf = (left: Pico, total: Pico): number | null =>
  total === 0n ? null : Number((left * 10_000n) / total);
