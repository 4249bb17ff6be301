/** The state of the price page that is kept in its URL. */
import { type SearchTexts, searchTexts } from '#screens/admin/search-texts.ts';

export type CardsSearch = SearchTexts<'model' | 'channel'> & {
  /** The open tab; left out for the tab of price cards. */
  readonly tab?: 'rates';
};

export const cardsSearch = (search: Readonly<Record<string, unknown>>): CardsSearch => ({
  ...searchTexts(search, ['model', 'channel']),
  ...(search['tab'] === 'rates' ? { tab: 'rates' } : {}),
});
