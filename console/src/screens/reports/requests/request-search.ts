/** The request filters and the open request, which are kept in the page's URL. */
import { OUTCOMES } from '#api/outcomes.ts';
import { CHANNELS } from '#catalogue/models.ts';
import { checkedText, choice, longText, searchReader, text } from '#components/search-reader.ts';
import { CURRENCIES } from '#money/currencies.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import { RANGE } from '#screens/reports/range.ts';

export const STATUSES = ['ok', 'failed'] as const;

const FILTERS = {
  model: text,
  key_id: text,
  channel: choice(CHANNELS),
  status: choice(STATUSES),
  outcome: choice(OUTCOMES),
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
  /** The cursor of the page; left out for the first page. */
  after: longText,
});
export type RequestSearch = ReturnType<typeof requestSearch>;
