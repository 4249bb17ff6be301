/** Queries and changes of accounts by administrators. */
import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useQueryClient,
} from '@tanstack/react-query';
import { answerOf, api, taggedPath } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { walletsQuery } from '#api/wallets.ts';
import { MOST_ROWS, PAGING } from '#components/tables/paged-table.tsx';
import type { KeyApi } from '#keys/key-api.ts';
import { everyKey, KEYS } from '#keys/key-queries.ts';

export type AccountEntry = components['schemas']['AccountEntry'];
export type Account = components['schemas']['AccountWithWallets'];
export type Wallet = components['schemas']['Wallet'];
export type Currency = Wallet['currency'];
export type LoggedRequest = components['schemas']['AdminRequestRecord'];

const PAGE_ROWS = 50;
const ACCOUNTS = ['admin', 'accounts'] as const;

export const accountsQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...ACCOUNTS, 'list', search],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ search, limit: MOST_ROWS, after: pageParam });
      return answerOf(api.GET('/admin/v1/accounts', { params: { query }, signal }));
    },
    placeholderData: keepPreviousData,
    ...PAGING,
  });

export const idPath = (id: string) => ({ params: { path: { id } } });

export const accountQuery = (id: string) =>
  queryOptions({
    queryKey: [...ACCOUNTS, id],
    queryFn: () => readAccount(id),
  });

export const accountLedgerQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...ACCOUNTS, id, 'ledger'],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ limit: PAGE_ROWS, after: pageParam });
      return answerOf(
        api.GET('/admin/v1/accounts/{id}/ledger', { params: { path: { id }, query }, signal }),
      );
    },
    ...PAGING,
  });

/** @param request the id of a request, or its beginning; empty for all requests. */
export const accountRequestsQuery = (id: string, request: string) =>
  infiniteQueryOptions({
    queryKey: [...ACCOUNTS, id, 'requests', request],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ account_id: id, id: request, limit: PAGE_ROWS, after: pageParam });
      return answerOf(api.GET('/admin/v1/requests', { params: { query }, signal }));
    },
    ...PAGING,
  });

export const accountKeysQuery = (id: string) =>
  queryOptions({
    // Like the query key of the person's own API keys, this one starts with `KEYS`, so that one
    // invalidation refreshes both lists.
    queryKey: [...KEYS, 'account', id],
    queryFn: ({ signal }) =>
      everyKey((page) => {
        const params = { query: { account_id: id, ...page } };
        return answerOf(api.GET('/admin/v1/keys', { params, signal }));
      }),
  });

export const thresholdsQuery = (id: string) =>
  queryOptions({
    queryKey: [...ACCOUNTS, id, 'alerts'],
    queryFn: () => readThresholds(id),
  });

export const readThresholds = (id: string) =>
  answerOf(api.GET('/admin/v1/accounts/{id}/alerts', idPath(id)));

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...ACCOUNTS, id, 'webhook'],
    queryFn: () => answerOf(api.GET('/admin/v1/accounts/{id}/webhook', idPath(id))),
  });

/** Reads the current state of an account, bypassing the cache. */
export const readAccount = (id: string): Promise<Account> =>
  answerOf(api.GET('/admin/v1/accounts/{id}', idPath(id)));

/** Returns a function that refreshes everything about accounts after a change. */
export function useAccountsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries({ queryKey: ACCOUNTS }),
      // The changed account may be the administrator's own, whose balance the header shows.
      queries.invalidateQueries(walletsQuery),
    ]);
  };
}

/** Returns the requests that change the keys of an account through the administrator's API. */
export const keyApiOf = (accountId: string): KeyApi => ({
  create: (body, key) =>
    answerOf(
      api.POST('/admin/v1/keys', {
        headers: { 'Idempotency-Key': key },
        body: { ...body, account_id: accountId },
      }),
    ),
  read: (id) => answerOf(api.GET('/admin/v1/keys/{id}', idPath(id))),
  change: (id, body, etag) =>
    answerOf(api.PATCH('/admin/v1/keys/{id}', { ...taggedPath(id, etag), body })),
  rotate: (id, overlap, key) =>
    answerOf(
      api.POST('/admin/v1/keys/{id}/rotate', {
        ...idPath(id),
        headers: { 'Idempotency-Key': key },
        body: { overlap },
      }),
    ),
  disable: (id, etag) => answerOf(api.POST('/admin/v1/keys/{id}/disable', taggedPath(id, etag))),
  enable: (id, etag) => answerOf(api.POST('/admin/v1/keys/{id}/enable', taggedPath(id, etag))),
  revoke: (id) => answerOf(api.DELETE('/admin/v1/keys/{id}', idPath(id))),
});
