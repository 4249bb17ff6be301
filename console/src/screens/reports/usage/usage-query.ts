/** The rows of the usage report by day and group, all of them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import { given } from '../../../api/given.ts';
import type { components } from '../../../api/schema.gen.ts';
import type { DayRange } from '../range.ts';
import type { Grouping, UsageFilter } from './usage-search.ts';

type Row = components['schemas']['UsageRow'];

type Page = { readonly data: readonly Row[]; readonly next: string | null };

const PAGE = 1000;
/** As many rows as a page still draws at once; who needs more is told to ask for less. */
const MAX_ROWS = 20_000;

export type UsageAsked = DayRange & { readonly by: Grouping } & {
  readonly [Filter in UsageFilter]?: string;
};
export type Usage = { readonly rows: readonly Row[]; readonly isWhole: boolean };

export const usageQuery = ({ by, currency, ...asked }: UsageAsked) =>
  queryOptions({
    queryKey: ['usage', by, currency, asked],
    queryFn: async ({ signal }): Promise<Usage> => {
      const filters = given({ ...asked, currency: currencyOf(currency) });
      const rows: Row[] = [];
      for (let after: string | null = ''; rows.length < MAX_ROWS; ) {
        const page: Page = await answerOf(
          api.GET('/console/api/usage', {
            params: {
              query: { ...filters, ...given({ after }), group_by: `day,${by}`, limit: PAGE },
            },
            signal,
          }),
        );
        rows.push(...page.data);
        after = page.next;
        if (after === null) return { rows, isWhole: true };
      }
      return { rows, isWhole: false };
    },
    placeholderData: keepPreviousData,
  });

const currencyOf = (currency: string | undefined): Row['currency'] | undefined =>
  currency === 'USD' || currency === 'CNY' ? currency : undefined;
