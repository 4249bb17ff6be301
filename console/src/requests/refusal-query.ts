/** Queries of refused requests: of the person's account, or for administrators of all accounts. */
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiError } from '#api/api-error.ts';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components, paths } from '#api/schema.gen.ts';
import { PAGING } from '#components/tables/paged-table.tsx';
import { daysOf } from '#components/time-range.ts';

/** `own`: the requests of the person's account. `all`: those of all accounts. */
export type RefusalScope = 'own' | 'all';
/** A refused request. Only administrators see its account. */
export type Refusal = components['schemas']['Refusal'] & { readonly account_id?: string };
/** One refused request. Only administrators see what providers answered. */
export type RefusalDetails = Refusal &
  Partial<Pick<components['schemas']['AdminRefusalDetails'], 'provider_errors'>>;
export type RefusalFilter = NonNullable<paths['/admin/v1/refusals']['get']['parameters']['query']>;

const PAGE_SIZE = 50;
const LIST = { own: '/console/api/refusals', all: '/admin/v1/refusals' } as const;

export const refusalsQuery = (scope: RefusalScope, filter: RefusalFilter) =>
  infiniteQueryOptions({
    queryKey: ['refusals', scope, filter],
    queryFn: async ({ pageParam, signal }) => {
      const query = { ...filter, ...given({ after: pageParam }), limit: PAGE_SIZE };
      const asked = { params: { query }, signal };
      const page: { data: readonly Refusal[]; next: string | null } =
        scope === 'all'
          ? await answerOf(api.GET(LIST.all, asked))
          : await answerOf(api.GET(LIST.own, asked));
      return page;
    },
    placeholderData: keepPreviousData,
    ...PAGING,
  });

/** Returns the URL of all refused requests that pass the filter, for a download. */
export const refusalsHref = (scope: RefusalScope, filter: RefusalFilter): string =>
  `${LIST[scope]}?${new URLSearchParams(filter as Record<string, string>)}`;

/**
 * The query of one refused request; its data is null if the gateway has no record of a request with
 * this id.
 */
export const refusalQuery = (scope: RefusalScope, id: string) =>
  queryOptions({
    queryKey: ['refusals', scope, id],
    queryFn: async ({ signal }): Promise<RefusalDetails | null> => {
      const asked = { params: { path: { id } }, signal };
      try {
        const { data } =
          scope === 'all'
            ? await answerOf(api.GET('/admin/v1/refusals/{id}', asked))
            : await answerOf(api.GET('/console/api/refusals/{id}', asked));
        return data;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });

/**
 * The query of the exact number of refusals by error code, most frequent code first. It honors only
 * the account and the days of the filter, not its times or other fields.
 */
export const refusalCountsQuery = (scope: RefusalScope, filter: RefusalFilter) => {
  const query = given({ ...daysOf(filter, 'UTC'), account_id: filter.account_id });
  return queryOptions({
    queryKey: ['refusals', 'counts', scope, query],
    queryFn: async ({ signal }) => {
      const asked = { params: { query }, signal };
      const { data } =
        scope === 'all'
          ? await answerOf(api.GET('/admin/v1/refusals/counts', asked))
          : await answerOf(api.GET('/console/api/refusals/counts', asked));
      const sums = new Map<string, number>();
      for (const { code, requests } of data) sums.set(code, (sums.get(code) ?? 0) + requests);
      return [...sums].toSorted(([, a], [, b]) => b - a);
    },
    placeholderData: keepPreviousData,
  });
};
