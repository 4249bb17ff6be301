/** The signed-in user and their role. */
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import { every } from './lists.ts';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/session', { signal })),
  staleTime: 30_000,
});

export type Session = Awaited<ReturnType<NonNullable<typeof sessionQuery.queryFn>>>;
export type SignedIn = NonNullable<Session['person']>;
export type Role = SignedIn['role'];

/** All roles, from the fewest permissions to the most. */
export const ROLES = every<Role>({
  read_only: true,
  member: true,
  owner: true,
  administrator: true,
});

/** Whether `role` has at least the permissions of `least`. */
export const mayAs = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);

/** The signed-in person; null on public pages without a session. */
export const usePerson = (): SignedIn | null => useQuery(sessionQuery).data?.person ?? null;

/** The signed-in person, on pages that require a session. */
export function useSignedIn(): SignedIn {
  const { person } = useSuspenseQuery(sessionQuery).data;
  if (person === null) throw new Error('this page is for people who are signed in');
  return person;
}
