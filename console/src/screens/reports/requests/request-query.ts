/** Queries of the request list and its histogram. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components, paths } from '#api/schema.gen.ts';
import { dayRange, presetOf } from '#screens/reports/range.ts';
import type { RequestSearch } from './request-search.ts';

export type RequestRecord = components['schemas']['RequestRecord'];
export type Histogram = components['schemas']['RequestHistogram'];

type ListQuery = NonNullable<paths['/console/api/requests']['get']['parameters']['query']>;

/** The number of requests on a page, about one screen. Larger pages render more slowly. */
const PAGE_SIZE = 25;

/** Builds the API query from the page's URL. The API itself rejects invalid values. */
export function filterOf(search: RequestSearch, nowMs: number): ListQuery {
  const { model, key_id, channel, status, outcome, currency, min_cost, request } = search;
  const { from, to } = presetOf(search) === null ? search : dayRange(search, nowMs);
  const filters = { from, to, model, key_id, channel, status, outcome, currency, min_cost };
  return given({ ...filters, id: request }) as ListQuery;
}

export const requestsQuery = (filter: ListQuery, after: string | undefined) =>
  queryOptions({
    queryKey: ['requests', filter, after],
    queryFn: ({ signal }) => {
      const query = { ...filter, ...given({ after }), limit: PAGE_SIZE };
      return answerOf(api.GET('/console/api/requests', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });

export const histogramQuery = (query: ListQuery) =>
  queryOptions({
    queryKey: ['requests-histogram', query],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/console/api/requests/histogram', { params: { query }, signal })),
    placeholderData: keepPreviousData,
  });
