import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';

/** The query of a one-time link. The token is sent in the body, since URLs end up in logs. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token],
    queryFn: ({ signal }) => answerOf(api.POST('/console/api/link', { body: { token }, signal })),
    // The response never becomes stale: only the use of the link changes it, which closes the form.
    staleTime: Number.POSITIVE_INFINITY,
  });

export type Link = Awaited<ReturnType<NonNullable<ReturnType<typeof linkQuery>['queryFn']>>>;
