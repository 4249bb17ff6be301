/** The request filters and the open request, which are kept in the page's URL. */
import { CHANNELS } from '#catalogue/models.ts';
import { RANGE } from '#components/range/range.ts';
import { checkedText, choice, searchReader, text } from '#components/search-reader.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { REQUEST_STATES } from '#requests/outcome.ts';

/** `failed` stands for every state except `completed`. */
export const STATUSES = ['failed', ...REQUEST_STATES] as const;

const FILTERS = {
  model: text,
  key_id: text,
  channel: choice(CHANNELS),
  status: choice(STATUSES),
  currency: choice(CURRENCIES),
  min_cost: checkedText((cost) => enteredAmount(cost, { zero: true }) === cost),
  request: text,
};
export type RequestFilter = keyof typeof FILTERS;

/** The lists that the person can choose: billed requests, refused requests, or both. */
export const LISTS = ['billed', 'refused', 'all'] as const;

/** Returns the chosen list; by default `all` for a search by request id, otherwise `billed`. */
export const listOf = ({ list, request }: RequestSearch): (typeof LISTS)[number] =>
  list ?? (request === undefined ? 'billed' : 'all');

export const requestSearch = searchReader({
  ...RANGE,
  ...FILTERS,
  list: choice(LISTS),
  /** The error code by which the list of refused requests is filtered. */
  code: text,
  /** The id of the request whose details are open. */
  id: text,
});
export type RequestSearch = ReturnType<typeof requestSearch>;

/** Whether a filter other than the time is set. */
export const isFiltered = (search: RequestSearch): boolean =>
  Object.keys(FILTERS).some((name) => search[name as RequestFilter] !== undefined);
