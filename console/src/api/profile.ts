/** The profile of the signed-in person. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/profile', { signal })),
});

export type Profile = Awaited<ReturnType<NonNullable<typeof profileQuery.queryFn>>>;
