/** Formats the main prices of a channel for a table cell. */
import { answerPrice } from '#catalogue/price.ts';
import { formatExact, parseAmount, withCurrency } from '#money/amount.ts';
import type { ChannelOffer } from './margin.ts';

type Priced = Pick<ChannelOffer, 'kind' | 'price'>;

/** Returns the exact prices of input and output, or the prices of all image sizes. */
export function headlineAmounts({ kind, price }: Priced): readonly string[] {
  const amounts =
    price.per_image === null
      ? [price.input, answerPrice(kind, price)]
      : Object.values(price.per_image);
  return amounts.filter((amount) => amount !== null);
}

/** Returns exact prices such as `$1.25 / $10.00`, or `$0.04 – $0.08` for several image sizes. */
export function priceText(offer: Priced): string {
  const { per_image: images, currency } = offer.price;
  const amounts = headlineAmounts(offer).map(parseAmount);
  const shown = images === null ? amounts : bounds(amounts);
  return shown
    .map((amount) => withCurrency(formatExact(amount), currency))
    .join(images === null ? ' / ' : ' – ');
}

function bounds(amounts: readonly bigint[]): readonly bigint[] {
  const sorted = amounts.toSorted((a, b) => Number(a > b) - Number(a < b));
  return [...new Set([...sorted.slice(0, 1), ...sorted.slice(-1)])];
}
