/** The requests about the people of the signed-in person's account, for its owners. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api, taggedPath } from '#api/client.ts';
import { PAGING } from '#components/tables/paged-table.tsx';
import { everyKey, KEYS } from '#keys/key-queries.ts';
import type { PeopleApi } from './people-api.ts';

const pageOf = (after: string) => ({ params: { query: after === '' ? {} : { after } } });

export const membersQuery = infiniteQueryOptions({
  queryKey: ['members'],
  queryFn: ({ pageParam, signal }) =>
    answerOf(api.GET('/console/api/members', { ...pageOf(pageParam), signal })),
  ...PAGING,
});

export const invitationsQuery = infiniteQueryOptions({
  queryKey: ['invitations'],
  queryFn: ({ pageParam, signal }) =>
    answerOf(api.GET('/console/api/invitations', { ...pageOf(pageParam), signal })),
  ...PAGING,
});

const idPath = (id: string) => ({ params: { path: { id } } });

export const OWN_PEOPLE: PeopleApi = {
  queryKeys: [membersQuery.queryKey, invitationsQuery.queryKey, KEYS],
  isOneAccount: true,
  read: (id) => answerOf(api.GET('/console/api/members/{id}', idPath(id))),
  change: (id, { role }, etag) =>
    answerOf(api.PATCH('/console/api/members/{id}', { ...taggedPath(id, etag), body: { role } })),
  limits: {
    read: (id) => answerOf(api.GET('/console/api/members/{id}/limits', idPath(id))),
    change: (id, body, etag) =>
      answerOf(api.PUT('/console/api/members/{id}/limits', { ...taggedPath(id, etag), body })),
  },
  keysOf: ({ id }) =>
    everyKey((page) => {
      const query = { created_by: id, ...page };
      return answerOf(api.GET('/console/api/keys', { params: { query } }));
    }),
  remove: (id, keys) =>
    answerOf(
      api.DELETE('/console/api/members/{id}', { params: { path: { id }, query: { keys } } }),
    ),
  resetLink: (id) => answerOf(api.POST('/console/api/members/{id}/reset-link', idPath(id))),
  invite: ({ role, email }, key) =>
    answerOf(
      api.POST('/console/api/invitations', {
        headers: { 'Idempotency-Key': key },
        body: { role, email },
      }),
    ),
  takeInvitationBack: (id) => answerOf(api.DELETE('/console/api/invitations/{id}', idPath(id))),
  everywhere: null,
};
