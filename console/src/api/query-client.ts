/** The cache of API responses, and the rules for fetching a response again. */
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { onConnection } from './connection.ts';
import { sessionQuery } from './session.ts';

const FRESH_MS = 10_000;
const MAX_RETRIES = 2;

/**
 * Creates the cache.
 * @param onSignedOut called when a response reports that the session has ended.
 */
export function createQueryClient(onSignedOut: () => void): QueryClient {
  const onError = (error: unknown): void => {
    if (!(error instanceof ApiError)) return;
    if (error.code === 'not_signed_in') onSignedOut();
    // The session now belongs to another account. Reading the session again reloads the console.
    if (error.code === 'other_account') void queryClient.invalidateQueries(sessionQuery);
  };
  const queryClient = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Without a network, a request fails at once. In the default mode, it would wait silently.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: FRESH_MS,
        // Retries a network error or a server error, which may pass. A refusal (4xx) is final.
        retry: (failures, error) =>
          failures < MAX_RETRIES &&
          !(error instanceof ApiError && error.status > 0 && error.status < 500),
      },
    },
  });
  onConnection((_now, before) => {
    if (before === 'lost') void queryClient.invalidateQueries();
  });
  return queryClient;
}
