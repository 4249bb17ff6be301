/** The signed-in user and their role. */
import { queryOptions, useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { answerOf, api } from './client.ts';
import { every } from './lists.ts';
import { showAccount } from './shown-account.ts';

const CHANNEL = 'modelgate.session';

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  // Ignores the signal, which is aborted when the last component that shows the session is removed.
  // The routes wait for the same answer.
  queryFn: async ({ client, queryKey }) => {
    const session = await answerOf(api.GET('/console/api/session'));
    const before = client.getQueryData<typeof session>(queryKey)?.person;
    const { person } = session;
    if (before == null) {
      showAccount(person?.account.id ?? null);
      return session;
    }
    if (person === null) throw ApiError.signedOut();
    // The session changed in another tab: somebody else signed in, or an administrator started or
    // stopped viewing an account. A reload discards everything that this page has loaded.
    if (person.id !== before.id || person.account.id !== before.account.id) openPage();
    return session;
  },
  staleTime: 30_000,
});

/**
 * The path of the page that is being loaded, or null. Once it is set, `openPage` cannot load
 * another page.
 */
let opening: string | null = null;

/** Whether another page is being loaded, so that this one must not request anything more. */
export const isOpeningPage = (): boolean => opening !== null;

/** Loads a page of the console, by default the overview. Discards all data of this page. */
export function openPage(path = ''): void {
  opening ??= path;
  globalThis.location.assign(import.meta.env.BASE_URL + opening);
}

export type Session = Awaited<ReturnType<NonNullable<typeof sessionQuery.queryFn>>>;
export type SignedIn = NonNullable<Session['person']>;
export type Role = SignedIn['role'];

/**
 * The broadcast channel of this tab. The tab has only one, because a second channel would receive
 * this tab's own messages.
 */
let channel: BroadcastChannel | null = null;

function sessionChannel(): BroadcastChannel {
  channel ??= new BroadcastChannel(CHANNEL);
  return channel;
}

/** Notifies the other tabs of this browser that the session has changed. */
export const announceSession = (): void => sessionChannel().postMessage(null);

/** Calls `listener` when the session has changed in another tab. */
export const onSessionElsewhere = (listener: () => void): void =>
  sessionChannel().addEventListener('message', listener);

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

/** The signed-in person; null without a session, and until the session is loaded. */
export const usePerson = (): SignedIn | null => useQuery(sessionQuery).data?.person ?? null;

/**
 * While an administrator views an account as its owner: the time at which this ends. Otherwise
 * null.
 */
export const useView = (): Session['view'] => useSuspenseQuery(sessionQuery).data.view;

/**
 * The accounts of the signed-in person, the main one first; empty while an administrator views
 * another account.
 */
export const useAccounts = (): Session['accounts'] => useSuspenseQuery(sessionQuery).data.accounts;

/** The signed-in person, on pages that require a session. */
export function useSignedIn(): SignedIn {
  const { person } = useSuspenseQuery(sessionQuery).data;
  if (person === null) throw new Error('this page is for people who are signed in');
  return person;
}
