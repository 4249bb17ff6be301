/** Somebody has just signed in. */
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

/** @returns leads into the console, to a page of it, with all asked anew as the one who signed in. */
export function useEnter(): (page: string) => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  return async (page) => {
    queryClient.removeQueries();
    await navigate({ href: page, replace: true });
  };
}
