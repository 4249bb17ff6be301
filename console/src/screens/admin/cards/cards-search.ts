/** The state of the price page that is kept in its URL. */
import { CHANNELS } from '#catalogue/models.ts';
import { choice, searchReader, text } from '#components/search-reader.ts';

export const CARD_TABS = ['cards', 'rates'] as const;

export const cardsSearch = searchReader({
  tab: choice(CARD_TABS),
  model: text,
  channel: choice(CHANNELS),
});
export type CardFilters = Omit<ReturnType<typeof cardsSearch>, 'tab'>;
