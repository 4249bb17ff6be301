/** The query of all rows of the usage report, by day and group. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { given } from '#api/given.ts';
import { oneOf } from '#api/lists.ts';
import { usageRows } from '#api/usage.ts';
import { CURRENCIES } from '#money/currencies.ts';
import type { DayRange } from '#screens/reports/range.ts';
import type { Grouping, UsageFilter } from './usage-search.ts';

export type UsageParameters = DayRange & { readonly by: Grouping } & {
  readonly [Filter in UsageFilter]?: string;
};

export const usageQuery = ({ by, currency, ...range }: UsageParameters) =>
  queryOptions({
    queryKey: ['usage', by, currency, range],
    queryFn: ({ signal }) => {
      const filters = given({ ...range, currency: oneOf(CURRENCIES, currency) });
      return usageRows({ ...filters, group_by: `day,${by}` }, signal);
    },
    placeholderData: keepPreviousData,
  });
