/** The state of the people page that is kept in its URL. */
import { type SearchTexts, searchTexts } from '#screens/admin/search-texts.ts';

export type PeopleSearch = SearchTexts<'email' | 'account_id'> & {
  /** The open tab; left out for the people tab. */
  readonly tab?: 'invitations';
};

export const peopleSearch = (search: Readonly<Record<string, unknown>>): PeopleSearch => ({
  ...searchTexts(search, ['email', 'account_id']),
  ...(search['tab'] === 'invitations' ? { tab: 'invitations' } : {}),
});
