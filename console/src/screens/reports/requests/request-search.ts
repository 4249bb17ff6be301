/** Which requests are listed, and which one is open, as the page's address says it. */
import { type RangeSearch, rangeSearch } from '../range.ts';
import { texts } from '../usage/usage-search.ts';

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
  /** Of the request whose sheet is open. */
  readonly id?: string;
  /** The page after this place in the list; absent: the first. */
  readonly after?: string;
};

export const requestSearch = (given: Readonly<Record<string, unknown>>): RequestSearch => ({
  ...rangeSearch(given),
  ...texts(given, FILTERS),
  ...texts(given, ['id']),
  ...(typeof given['after'] === 'string' && given['after'] !== '' ? { after: given['after'] } : {}),
});
