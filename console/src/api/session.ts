/** Who is signed in, and what they may do. */
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

/** From the least rights to the most. */
export const ROLES = every<Role>({
  read_only: true,
  member: true,
  owner: true,
  administrator: true,
});

/** Whether `role` may do what is for `least` and up. */
export const mayAs = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);

/** Null on the public pages of somebody who is not signed in. */
export const usePerson = (): SignedIn | null => useQuery(sessionQuery).data?.person ?? null;

/** For pages that only a signed-in person reaches. */
export function useSignedIn(): SignedIn {
  const { person } = useSuspenseQuery(sessionQuery).data;
  if (person === null) throw new Error('this page is for people who are signed in');
  return person;
}
