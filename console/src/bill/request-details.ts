/** The query of one request with its bill. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';

export type RequestDetails = Awaited<ReturnType<typeof detailsOf>>;
export type CostDetails = RequestDetails['cost_details'];

/**
 * The query of a request. It does not poll, because an ended request changes only by a correction
 * or refund.
 */
export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['request', id],
    queryFn: ({ signal }) => detailsOf(id, signal),
  });

async function detailsOf(id: string, signal: AbortSignal) {
  const { data } = await answerOf(
    api.GET('/console/api/requests/{id}', { params: { path: { id } }, signal }),
  );
  return data;
}
