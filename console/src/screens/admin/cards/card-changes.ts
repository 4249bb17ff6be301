/** Compares a price card with its previous version, line by line. */
import type { components } from '#api/schema.gen.ts';
import { parseAmount } from '#money/amount.ts';

export type PriceCard = components['schemas']['PriceCard'];
export type PriceLine = {
  /** The name of the priced item: a token bucket or an image size. */
  readonly name: string;
  /** The price; null when the item is no longer sold. */
  readonly price: string | null;
  /** The previous price; null when the item was not sold before or this is the first version. */
  readonly before: string | null;
  readonly direction: 'up' | 'down' | 'same' | 'new' | 'removed';
};
export type CardVersion = {
  readonly card: PriceCard;
  /**
   * The previous version; `first` when no version came before, and `unknown` when it may be on a
   * page that is not loaded.
   */
  readonly previous: PriceCard | 'first' | 'unknown';
};

/**
 * Pairs each price card with its previous version.
 * @param cards newest first.
 * @param isWhole whether all versions are loaded.
 */
export function versionsOf(cards: readonly PriceCard[], isWhole: boolean): readonly CardVersion[] {
  return cards.map((card, index) => {
    const older = cards
      .slice(index + 1)
      .find(({ model, channel }) => model === card.model && channel === card.channel);
    return { card, previous: older ?? (isWhole ? 'first' : 'unknown') };
  });
}

/** Whether the price terms, such as conditions or fees, differ from the previous version. */
export const haveTermsChanged = ({ card, previous }: CardVersion): boolean =>
  typeof previous !== 'string' &&
  JSON.stringify(card.price_terms) !== JSON.stringify(previous.price_terms);

/** Returns all lines of both versions, the changed lines first. */
export function linesOf({ card, previous }: CardVersion): readonly PriceLine[] {
  const now = pricesOf(card);
  const was = typeof previous === 'string' ? null : pricesOf(previous);
  const names = [...new Set([...Object.keys(now), ...Object.keys(was ?? {})])];
  return names
    .map((name): PriceLine => {
      const price = now[name] ?? null;
      const before = was?.[name] ?? null;
      return { name, price, before, direction: was === null ? 'same' : directionOf(before, price) };
    })
    .toSorted((a, b) => Number(a.direction === 'same') - Number(b.direction === 'same'));
}

const pricesOf = ({ per_1m_tokens: tokens, per_image: images }: PriceCard) => {
  const prices: Readonly<Record<string, string>> = { ...tokens, ...images };
  return prices;
};

function directionOf(before: string | null, price: string | null): PriceLine['direction'] {
  if (before === null) return 'new';
  if (price === null) return 'removed';
  const change = parseAmount(price) - parseAmount(before);
  return change === 0n ? 'same' : change > 0n ? 'up' : 'down';
}
