/** The state of the price page that is kept in its URL. */
import { CHANNELS } from '#catalogue/models.ts';
import { choice, searchReader, text } from '#components/search-reader.ts';

export const CARD_TABS = ['cards', 'lists', 'rates', 'public'] as const;

export const cardsSearch = searchReader({
  tab: choice(CARD_TABS),
  /** The search text: a part of a model's name. */
  find: text,
  /** The model and channel whose price history is open. */
  model: text,
  channel: choice(CHANNELS),
});
