/** Queries of redeem code batches. */
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import { MOST_ROWS, PAGING } from '#components/tables/paged-table.tsx';

export const BATCHES = ['admin', 'redeem-batches'] as const;

export const batchesQuery = infiniteQueryOptions({
  queryKey: [...BATCHES, 'list'],
  queryFn: ({ pageParam, signal }) => {
    const query = given({ limit: MOST_ROWS, after: pageParam });
    return answerOf(api.GET('/admin/v1/redeem-batches', { params: { query }, signal }));
  },
  ...PAGING,
});

export const batchQuery = (id: string) =>
  queryOptions({
    queryKey: [...BATCHES, id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/admin/v1/redeem-batches/{id}', { params: { path: { id } }, signal })),
  });

/** Returns a function that refreshes the batches after a change. */
export function useBatchesChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: BATCHES });
}
