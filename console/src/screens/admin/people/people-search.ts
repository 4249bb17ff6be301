/** The state of the people page that is kept in its URL. */
import { choice, searchReader, text } from '#components/search-reader.ts';

export const PEOPLE_TABS = ['people', 'invitations'] as const;

export const peopleSearch = searchReader({
  tab: choice(PEOPLE_TABS),
  search: text,
  account_id: text,
});
export type PeopleSearch = ReturnType<typeof peopleSearch>;
