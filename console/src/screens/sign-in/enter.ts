/** Opens the console after a successful sign-in. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { announceSession } from '#api/session.ts';

/** Returns a function that clears the cache and opens a page of the console. */
export function useEnter(): (page: string) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (page) => {
    announceSession();
    queryClient.removeQueries();
    await navigate({ href: page, replace: true });
  };
}
