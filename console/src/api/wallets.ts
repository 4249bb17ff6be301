/** The account's balances by currency, shown on every page and kept up to date. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';

/**
 * The polling interval, short enough to watch spending live. The gateway answers from memory with a
 * few hundred bytes.
 */
const POLL_MS = 5_000;

export const walletsQuery = queryOptions({
  queryKey: ['wallets'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/wallets', { signal })),
  // TanStack Query polls only while the page is visible.
  refetchInterval: POLL_MS,
  refetchOnWindowFocus: 'always',
});

export type Wallet = Awaited<ReturnType<NonNullable<typeof walletsQuery.queryFn>>>['data'][number];
