/** The account's use, summed by the gateway. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';
import { given } from '../../api/given.ts';
import type { components } from '../../api/schema.gen.ts';

export type UsageRow = components['schemas']['UsageRow'];

/** As many as one answer has at most. */
const PAGE_ROWS = 1_000;

/** @param days UTC, oldest first. */
export const usageByModelQuery = (days: readonly string[], keyId?: string) =>
  usageQuery('day,model', days, keyId);

export const usageByDayQuery = (days: readonly string[]) => usageQuery('day', days);

type UsagePage = { readonly data: readonly UsageRow[]; readonly next: string | null };
type UsageFilter = { readonly [Name in 'group_by' | 'from' | 'to' | 'key_id' | 'after']?: string };

const usagePage = (query: UsageFilter, signal: AbortSignal): Promise<UsagePage> =>
  answerOf(api.GET('/console/api/usage', { params: { query }, signal }));

const usageQuery = (groupBy: string, days: readonly string[], keyId?: string) => {
  const filter = given({ group_by: groupBy, from: days.at(0), to: days.at(-1), key_id: keyId });
  return queryOptions({
    queryKey: ['usage', 'rows', filter],
    queryFn: async ({ signal }) => {
      const rows: UsageRow[] = [];
      let after: string | null = '';
      while (after !== null) {
        const page: UsagePage = await usagePage(
          given({ ...filter, limit: PAGE_ROWS, after }),
          signal,
        );
        rows.push(...page.data);
        after = page.next;
      }
      return rows;
    },
  });
};
