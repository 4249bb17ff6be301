/** Queries of the request list and its histogram. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components, paths } from '#api/schema.gen.ts';
import { dayRange, presetOf } from '#components/range/range.ts';
import { PAGING } from '#components/tables/paged-table.tsx';
import { rangeOfDays } from '#components/time-range.ts';
import { outcomesOf } from '#requests/outcome.ts';
import type { RefusalFilter } from '#requests/refusal-query.ts';
import type { RequestSearch } from './request-search.ts';

export type Histogram = components['schemas']['RequestHistogram'];

type ListQuery = NonNullable<paths['/console/api/requests']['get']['parameters']['query']>;

/** The number of requests on a page: about two screens of dense rows. */
const PAGE_SIZE = 50;

/**
 * Builds the API query from the page's URL. Does not validate the values, because the API rejects
 * invalid ones.
 * @param timeZone the time zone in which the days of a range such as "last 7 days" begin and end.
 */
export function filterOf(search: RequestSearch, nowMs: number, timeZone: string): ListQuery {
  const { model, key_id, channel, status, currency, min_cost, request } = search;
  const { from, to } =
    presetOf(search) === null ? search : rangeOfDays(dayRange(search, nowMs, timeZone), timeZone);
  const outcome =
    status === undefined ? {} : status === 'failed' ? { status } : { outcome: outcomesOf(status) };
  const filters = { from, to, model, key_id, channel, currency, min_cost, ...outcome };
  return given({ ...filters, id: request }) as ListQuery;
}

/** Returns the filter for refused requests, to which only some fields apply. */
export const refusalFilterOf = (
  { from, to, id, key_id, model }: ListQuery,
  code: string | undefined,
): RefusalFilter => given({ from, to, id, key_id, model, code });

/** Returns the URL that downloads all requests that match the filter. */
export const requestsHref = (filter: ListQuery): string =>
  `/console/api/requests?${new URLSearchParams(filter as Record<string, string>)}`;

export const requestsQuery = (filter: ListQuery) =>
  infiniteQueryOptions({
    queryKey: ['requests', filter],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filter, ...given({ after: pageParam }), limit: PAGE_SIZE };
      return answerOf(api.GET('/console/api/requests', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
    ...PAGING,
  });

/** Finds out whether the account has any requests, so that the page recognizes a new account. */
export const anyRequestQuery = queryOptions({
  queryKey: ['requests', 'any'],
  queryFn: async ({ signal }) => {
    const query = { limit: 1 };
    const { data } = await answerOf(
      api.GET('/console/api/requests', { params: { query }, signal }),
    );
    return data.length > 0;
  },
});

/**
 * The query that loads the histogram.
 * @param timeZone the time zone in which the days of the bars begin and end.
 */
export const histogramQuery = (filter: ListQuery, timeZone: string) =>
  queryOptions({
    queryKey: ['requests-histogram', filter, timeZone],
    queryFn: ({ signal }) => {
      const query = { ...filter, time_zone: timeZone };
      return answerOf(api.GET('/console/api/requests/histogram', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
  });
