/** The end of a session, whoever ended it: nothing of it stays in the memory of this page. */
import { useMutation } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';

/** @param next the page to come back to when the session ended; none after somebody signed out by themselves. */
export function leaveToSignIn(next?: string): void {
  const search = next === undefined ? '' : `?${new URLSearchParams({ next, ended: 'true' })}`;
  // The page is loaded anew, so that what was asked for, typed or answered is gone.
  globalThis.location.replace(`${import.meta.env.BASE_URL}sign-in${search}`);
}

export function useSignOut(): { readonly signOut: () => void; readonly isRunning: boolean } {
  const { mutate, isPending } = useMutation({
    mutationFn: () => answerOf(api.POST('/console/api/sign-out')),
    onSuccess: () => leaveToSignIn(),
  });
  return { signOut: mutate, isRunning: isPending };
}
