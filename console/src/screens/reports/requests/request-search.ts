/** The request filters and the open request, which are kept in the page's URL. */
import { CHANNELS } from '#catalogue/models.ts';
import { checkedText, choice, searchReader, text } from '#components/search-reader.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { REQUEST_STATES } from '#requests/outcome.ts';
import { RANGE } from '#screens/reports/range.ts';

/** `failed` is every state but `completed`. */
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

export const requestSearch = searchReader({
  ...RANGE,
  ...FILTERS,
  /** The request whose sheet is open. */
  id: text,
});
export type RequestSearch = ReturnType<typeof requestSearch>;

/** Whether a filter other than the time is set. */
export const isFiltered = (search: RequestSearch): boolean =>
  Object.keys(FILTERS).some((name) => search[name as RequestFilter] !== undefined);
