/** The request filters and the open request, which are kept in the page's URL. */
import { type RangeSearch, rangeSearch } from '#screens/reports/range.ts';
import { texts } from '#screens/reports/usage/usage-search.ts';

export const FILTERS = [
  'model',
  'key_id',
  'channel',
  'status',
  'outcome',
  'currency',
  'min_cost',
  'request',
] as const;
export type RequestFilter = (typeof FILTERS)[number];

export type RequestSearch = RangeSearch & {
  readonly [Filter in RequestFilter]?: string;
} & {
  /** The request whose sheet is open. */
  readonly id?: string;
  /** The cursor of the page; left out for the first page. */
  readonly after?: string;
};

export const requestSearch = (given: Readonly<Record<string, unknown>>): RequestSearch => ({
  ...rangeSearch(given),
  ...texts(given, FILTERS),
  ...texts(given, ['id']),
  ...(typeof given['after'] === 'string' && given['after'] !== '' ? { after: given['after'] } : {}),
});
