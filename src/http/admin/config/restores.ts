/** Edits that restore an earlier revision, or the price of an earlier price card. */
import type { Document } from '../../../config/document/document.ts';
import { withValue } from '../../../config/document/edits.ts';
import { valueAt } from '../../../config/schema-path.ts';
import { GatewayError } from '../../../errors.ts';
import { priceOfCard } from '../../../revisions/price-of-card.ts';
import { type ConfigDatabase, revisionAt } from './config-calls.ts';

/** Returns an edit that restores a revision, and the revision's number. @throws `not_found` */
export async function restoredRevision(database: ConfigDatabase, id: string) {
  const { revision, document } = await revisionAt(database, id);
  return { restored: revision, edit: (): Document => document };
}

/**
 * Returns an edit that sets a channel's price to the price of a published price card.
 * @throws GatewayError `not_found` if no revision has the price card. The returned edit throws the
 *   same error if the channel is no longer sold.
 */
export async function restoredCard({ prices, revisions }: ConfigDatabase, id: string) {
  const card = await prices.card(id);
  const price = card === null ? null : await priceOfCard(revisions, card);
  if (card === null || price === null) {
    throw new GatewayError('not_found', `No revision has the price card ${id.slice(0, 64)}.`, {
      param: 'id',
    });
  }
  const path = ['models', card.model, 'channels', card.channel];
  return (document: Document): Document => {
    if (valueAt(document, path) !== undefined)
      return withValue(document, [...path, 'price'], price);
    throw new GatewayError('not_found', `The setting ${path.join('.')} no longer exists.`, {
      param: 'id',
    });
  };
}
