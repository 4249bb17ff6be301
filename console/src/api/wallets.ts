/** What the account has, in each currency: always in sight, and never old. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from './client.ts';

/** Often enough to watch money being spent; the answer is a few hundred bytes from memory. */
const POLL_MS = 5_000;

export const walletsQuery = queryOptions({
  queryKey: ['wallets'],
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/wallets', { signal })),
  // Only while the page is looked at.
  refetchInterval: POLL_MS,
  refetchOnWindowFocus: 'always',
});

export type Wallet = Awaited<ReturnType<NonNullable<typeof walletsQuery.queryFn>>>['data'][number];
