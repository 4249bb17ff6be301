/** The state of the usage page that is kept in its URL. */
import { given } from '#api/given.ts';
import { CHANNELS } from '#catalogue/models.ts';
import { RANGE } from '#components/range/range.ts';
import { choice, searchReader, text } from '#components/search-reader.ts';
import { CURRENCIES } from '#money/currencies.ts';

export const GROUPINGS = ['model', 'key', 'channel', 'day'] as const;
export type Grouping = (typeof GROUPINGS)[number];

/**
 * The range, groups and filters. Without `by`, the report is grouped by model. `and` is the second
 * dimension of the table.
 */
export const usageSearch = searchReader({
  ...RANGE,
  by: choice(GROUPINGS),
  and: choice(GROUPINGS),
  model: text,
  key_id: text,
  channel: choice(CHANNELS),
  currency: choice(CURRENCIES),
});
export type UsageSearch = ReturnType<typeof usageSearch>;

/** Returns the filters among the URL parameters, without the range and the groups. */
export const usageFilters = ({ model, key_id, channel, currency }: UsageSearch) =>
  given({ model, key_id, channel, currency });
export type UsageFilter = keyof ReturnType<typeof usageFilters>;
