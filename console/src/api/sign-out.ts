/** Ends the session and clears everything that the page holds in memory. */
import { useMutation } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';
import { announceSession } from './session.ts';

/**
 * Leaves the console and loads the sign-in page.
 * @param next the page to open after the next sign-in; left out when the person signed out.
 */
export function leaveToSignIn(next?: string): void {
  const search = next === undefined ? '' : `?${new URLSearchParams({ next, ended: 'true' })}`;
  // Only a full reload discards all cached responses and all typed text.
  globalThis.location.replace(`${import.meta.env.BASE_URL}sign-in${search}`);
}

export function useSignOut(): { readonly signOut: () => void; readonly isRunning: boolean } {
  const { mutate, isPending } = useMutation({
    mutationFn: () => answerOf(api.POST('/console/api/sign-out')),
    onSuccess: () => {
      announceSession();
      leaveToSignIn();
    },
  });
  return { signOut: mutate, isRunning: isPending };
}
