/** Queries about the account's money. */
import { infiniteQueryOptions, queryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { walletsQuery } from '#api/wallets.ts';
import { PAGING } from '#components/tables/paged-table.tsx';
import { overviewQuery } from '#screens/account/account-queries.ts';
import type { LedgerFilter } from './billing-search.ts';

export type Movement = components['schemas']['Movement'];
export type TopUp = components['schemas']['TopUp'];

const LEDGER = ['ledger'] as const;
export const STATEMENTS = ['statements'] as const;
export const TOP_UPS = ['top-ups'] as const;
const PAGE_MOVEMENTS = 50;
const PAGE_ORDERS = 20;
/** The polling interval while the API is still summing a long statement. */
const SUMMING_POLL_MS = 500;
/** The polling interval while a payment is in progress. */
const PAYING_POLL_MS = 4_000;

export const ledgerQuery = (filter: LedgerFilter) =>
  infiniteQueryOptions({
    queryKey: [...LEDGER, filter],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ ...filter, limit: PAGE_MOVEMENTS, after: pageParam });
      return answerOf(api.GET('/console/api/ledger', { params: { query }, signal }));
    },
    ...PAGING,
  });

export const statementsQuery = queryOptions({
  queryKey: STATEMENTS,
  queryFn: ({ signal }) => answerOf(api.GET('/console/api/statements', { signal })),
  refetchInterval: ({ state: { data } }) => (data?.is_whole === false ? SUMMING_POLL_MS : false),
});

export const topUpsQuery = queryOptions({
  queryKey: TOP_UPS,
  queryFn: ({ signal }) =>
    answerOf(
      api.GET('/console/api/top-ups', { params: { query: { limit: PAGE_ORDERS } }, signal }),
    ),
  refetchInterval: ({ state: { data } }) =>
    data?.data.some(({ status }) => status === 'open' || status === 'pending') === true
      ? PAYING_POLL_MS
      : false,
});

/** Returns a function that refreshes balances and ledger after a payment. */
export function useMoneyCameIn(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    const changed = [walletsQuery.queryKey, overviewQuery.queryKey, LEDGER, STATEMENTS];
    await Promise.all(changed.map((queryKey) => queryClient.invalidateQueries({ queryKey })));
  };
}

export const redeemCode = (code: string, idempotencyKey: string) =>
  answerOf(
    api.POST('/console/api/redeem', {
      headers: { 'Idempotency-Key': idempotencyKey },
      body: { code },
    }),
  );

export const orderTopUp = (
  order: { readonly amount: string; readonly currency: TopUp['currency'] },
  idempotencyKey: string,
) =>
  answerOf(
    api.POST('/console/api/top-ups', {
      headers: { 'Idempotency-Key': idempotencyKey },
      body: order,
    }),
  );
