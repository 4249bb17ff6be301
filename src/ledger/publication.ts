/** What the ledger must know of a catalogue before any receipt names its cards and rates. */
import type { Card, Catalogue } from '../catalogue/catalogue.ts';
import type { PublishedCard, PublishedRate } from './ledger.ts';

export function publishedCards(catalogue: Catalogue): readonly PublishedCard[] {
  const cards: PublishedCard[] = [];
  for (const model of catalogue.models.values()) {
    for (const { card } of model.channels.values())
      cards.push(published(card, catalogue.loadedAtMs));
  }
  return cards;
}

export function publishedRates(catalogue: Catalogue): readonly PublishedRate[] {
  return [...catalogue.fx.values()].map((rate) => ({
    ...rate,
    effectiveFromMs: catalogue.loadedAtMs,
  }));
}

function published(card: Card, effectiveFromMs: number): PublishedCard {
  const { id, model, channel, currency } = card;
  return {
    id,
    model,
    channel,
    currency,
    rates: card.kind === 'chat' ? card.rates : null,
    perImage: card.kind === 'image' ? Object.fromEntries(card.perImage) : null,
    effectiveFromMs,
  };
}
