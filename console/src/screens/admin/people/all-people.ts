/** The requests about people and invitations of all accounts, for administrators. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api, taggedPath } from '#api/client.ts';
import { given } from '#api/given.ts';
import { MOST_ROWS, PAGING } from '#components/tables/paged-table.tsx';
import { everyKey, KEYS } from '#keys/key-queries.ts';
import type { PeopleApi } from '#people/people-api.ts';
import { AdminLink } from '#screens/admin/admin-link.tsx';
import { AccountName, AccountSelect } from './account-select.tsx';
import type { PeopleSearch } from './people-search.ts';

const PEOPLE = ['admin', 'people'] as const;

export const peopleQuery = ({ search, account_id }: PeopleSearch) =>
  infiniteQueryOptions({
    queryKey: [...PEOPLE, { search, account_id }],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ search, account_id, limit: MOST_ROWS, after: pageParam });
      return answerOf(api.GET('/admin/v1/people', { params: { query }, signal }));
    },
    ...PAGING,
  });

export const invitationsQuery = infiniteQueryOptions({
  queryKey: [...PEOPLE, 'invitations'],
  queryFn: ({ pageParam, signal }) => {
    const query = given({ limit: MOST_ROWS, after: pageParam });
    return answerOf(api.GET('/admin/v1/invitations', { params: { query }, signal }));
  },
  ...PAGING,
});

const idPath = (id: string) => ({ params: { path: { id } } });

/**
 * Returns the API calls with which an administrator manages people.
 * @param accountId the account whose people are listed; null lists all people, each in their main
 *   account.
 */
export const allPeople = (accountId: string | null): PeopleApi => {
  const place = accountId === null ? {} : { account_id: accountId };
  const placed = (id: string) => ({ params: { path: { id }, query: place } });
  const tagged = (id: string, etag: string) => ({
    params: { ...taggedPath(id, etag).params, query: place },
  });
  return {
    queryKeys: [PEOPLE, KEYS],
    isOneAccount: accountId !== null,
    read: (id) => answerOf(api.GET('/admin/v1/people/{id}', placed(id))),
    change: (id, body, etag) =>
      answerOf(api.PATCH('/admin/v1/people/{id}', { ...tagged(id, etag), body })),
    limits: {
      read: (id) => answerOf(api.GET('/admin/v1/people/{id}/limits', placed(id))),
      change: (id, body, etag) =>
        answerOf(api.PUT('/admin/v1/people/{id}/limits', { ...tagged(id, etag), body })),
    },
    keysOf: ({ id }) =>
      everyKey((page) => {
        const query = { ...place, created_by: id, ...page };
        return answerOf(api.GET('/admin/v1/keys', { params: { query } }));
      }),
    remove: (id, keys) => {
      const params = { path: { id }, query: { ...place, keys } };
      return answerOf(api.DELETE('/admin/v1/people/{id}', { params }));
    },
    resetLink: (id) => answerOf(api.POST('/admin/v1/people/{id}/reset-link', placed(id))),
    invite: (body, key) =>
      answerOf(api.POST('/admin/v1/invitations', { headers: { 'Idempotency-Key': key }, body })),
    takeInvitationBack: (id) => answerOf(api.DELETE('/admin/v1/invitations/{id}', idPath(id))),
    everywhere: {
      removeTotp: (id) => answerOf(api.DELETE('/admin/v1/people/{id}/totp', idPath(id))),
      AccountLink: AdminLink,
      AccountName,
      AccountSelect,
    },
  };
};
export const ALL_PEOPLE = allPeople(null);
