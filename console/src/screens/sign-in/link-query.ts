import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '../../api/client.ts';

/** What a one-time link is for. It is asked for in a body, since addresses end up in logs. */
export const linkQuery = (token: string) =>
  queryOptions({
    queryKey: ['link', token],
    queryFn: ({ signal }) => answerOf(api.POST('/console/api/link', { body: { token }, signal })),
    // It changes only by being used, and then there is no form left to show.
    staleTime: Number.POSITIVE_INFINITY,
  });

export type Link = Awaited<ReturnType<NonNullable<ReturnType<typeof linkQuery>['queryFn']>>>;
