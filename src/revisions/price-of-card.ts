/** Finds the price of a published price card, as it was written in the configuration. */

import { datedCards } from '../catalogue/announced.ts';
import type { Card, Channel } from '../catalogue/catalogue.ts';
import { loadCatalogue } from '../catalogue/load-catalogue.ts';
import type { Document } from '../config/document/document.ts';
import { calendarsSchema } from '../config/price-schema.ts';
import { modelSchema } from '../config/schema.ts';
import { valueAt } from '../config/schema-path.ts';
import type { PublishedCard } from '../reports/published-prices.ts';
import type { ConfigRevisions } from './config-revisions.ts';

/**
 * Maximum revisions to search. A price card is published just before its revision is stored.
 * Therefore one of the next few revisions has it, unless many others are stored in between.
 */
const MAX_SEARCHED = 8;

/**
 * Returns the price of a price card as it is written in the configuration; null if none of the
 * searched revisions has the price card.
 */
export async function priceOfCard(
  revisions: Pick<ConfigRevisions, 'since'>,
  card: Pick<PublishedCard, 'id' | 'model' | 'channel' | 'publishedAtMs'>,
): Promise<Document | null> {
  for (const { document } of await revisions.since(card.publishedAtMs, MAX_SEARCHED)) {
    const price = pricesIn(document, card).get(card.id);
    if (price !== undefined) return price;
  }
  return null;
}

/**
 * Returns the prices of a channel in a document, as written there. The key of each price is the id
 * of the price card that the catalogue makes from it.
 */
function pricesIn(
  document: Document,
  { model, channel }: Pick<PublishedCard, 'model' | 'channel'>,
): ReadonlyMap<string, Document> {
  const settings = modelSchema().safeParse(valueAt(document, ['models', model]));
  const calendars = calendarsSchema().safeParse(valueAt(document, ['calendars']));
  if (!settings.success || !calendars.success) return new Map();
  const models = { [model]: settings.data };
  const sold = loadCatalogue({ models, fx: {}, calendars: calendars.data }, 0).models.get(model);
  const written = valueAt(document, ['models', model, 'channels', channel]);
  const upcoming = valueAt(written, ['upcoming']);
  const prices = [valueAt(written, ['price']), ...(Array.isArray(upcoming) ? upcoming : [])];
  const found = new Map<string, Document>();
  for (const own of sold?.channels.values() ?? []) {
    const known: Channel<Card> = own;
    if (known.name !== channel) continue;
    for (const [index, { card }] of datedCards(known).entries()) {
      const { effective_from: _, ...price } = Object(prices[index]);
      found.set(card.id, price);
    }
  }
  return found;
}
