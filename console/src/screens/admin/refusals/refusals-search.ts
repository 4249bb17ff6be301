/** The filters of refused requests and the open request, which are kept in the page's URL. */
import { RANGE } from '#components/range/range.ts';
import { searchReader, text } from '#components/search-reader.ts';

const FILTERS = { request: text, account_id: text, key_id: text, model: text, code: text };
export type RefusalField = keyof typeof FILTERS;

export const refusalsSearch = searchReader({
  ...RANGE,
  ...FILTERS,
  /** The request whose sheet is open. */
  id: text,
});
