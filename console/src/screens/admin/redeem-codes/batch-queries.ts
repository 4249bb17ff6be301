/** Queries of redeem code batches. */
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import { PAGING } from '#components/tables/paged-table.tsx';

const PAGE_BATCHES = 50;

export const batchesQuery = infiniteQueryOptions({
  queryKey: ['admin', 'redeem-batches'],
  queryFn: ({ pageParam, signal }) => {
    const query = given({ limit: PAGE_BATCHES, after: pageParam });
    return answerOf(api.GET('/admin/v1/redeem-batches', { params: { query }, signal }));
  },
  ...PAGING,
});

/** Returns a function that refreshes the batches after a change. */
export function useBatchesChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries(batchesQuery);
}
