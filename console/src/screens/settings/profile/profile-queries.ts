import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { profileQuery } from '#api/profile.ts';
import { sessionQuery } from '#api/session.ts';

export const ownSessionsQuery = queryOptions({
  queryKey: ['profile', 'sessions'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/profile/sessions', { signal })),
});

export type OwnSession = Awaited<
  ReturnType<NonNullable<typeof ownSessionsQuery.queryFn>>
>['data'][number];

/** Returns a function that refreshes the profile, the sessions and the name in the header. */
export function useProfileChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries(profileQuery),
      queryClient.invalidateQueries(sessionQuery),
    ]);
  };
}
