/** The requests about people and invitations of all accounts, for administrators. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api, taggedPath } from '#api/client.ts';
import { given } from '#api/given.ts';
import { MOST_ROWS, PAGING } from '#components/tables/paged-table.tsx';
import { KEYS, MAX_KEYS } from '#keys/key-queries.ts';
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

export const ALL_PEOPLE: PeopleApi = {
  queryKeys: [PEOPLE, KEYS],
  read: (id) => answerOf(api.GET('/admin/v1/people/{id}', idPath(id))),
  change: (id, body, etag) =>
    answerOf(api.PATCH('/admin/v1/people/{id}', { ...taggedPath(id, etag), body })),
  keysOf: async ({ id, account }) => {
    const query = { account_id: account.id, created_by: id, limit: MAX_KEYS };
    return (await answerOf(api.GET('/admin/v1/keys', { params: { query } }))).data;
  },
  remove: (id, keys) =>
    answerOf(api.DELETE('/admin/v1/people/{id}', { params: { path: { id }, query: { keys } } })),
  resetLink: (id) => answerOf(api.POST('/admin/v1/people/{id}/reset-link', idPath(id))),
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
