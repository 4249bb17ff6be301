import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';

/** The query of a one-time link. The token is sent in the body, since URLs end up in logs. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token],
    queryFn: ({ signal }) => answerOf(api.POST('/console/api/link', { body: { token }, signal })),
    // The response never becomes stale, because only the use of the link changes it, and the form
    // closes after the use.
    staleTime: Number.POSITIVE_INFINITY,
  });

export type Link = Awaited<ReturnType<NonNullable<ReturnType<typeof linkQuery>['queryFn']>>>;
