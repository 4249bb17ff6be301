import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';

/** The query of a one-time link. The token is sent in the body, since URLs end up in logs. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token],
    queryFn: ({ signal }) => answerOf(api.POST('/console/api/link', { body: { token }, signal })),
    // The response stays valid: a link changes only when it is used, and then its form closes.
    staleTime: Number.POSITIVE_INFINITY,
  });

export type Link = Awaited<ReturnType<NonNullable<ReturnType<typeof linkQuery>['queryFn']>>>;
