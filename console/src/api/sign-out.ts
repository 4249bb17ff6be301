/** Ends the session in this page and clears everything it holds in memory. */
import { useMutation } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';

/** @param next the page to return to after the session expired; left out after signing out. */
export function leaveToSignIn(next?: string): void {
  const search = next === undefined ? '' : `?${new URLSearchParams({ next, ended: 'true' })}`;
  // A full reload discards all cached, typed and received data.
  globalThis.location.replace(`${import.meta.env.BASE_URL}sign-in${search}`);
}

export function useSignOut(): { readonly signOut: () => void; readonly isRunning: boolean } {
  const { mutate, isPending } = useMutation({
    mutationFn: () => answerOf(api.POST('/console/api/sign-out')),
    onSuccess: () => leaveToSignIn(),
  });
  return { signOut: mutate, isRunning: isPending };
}
