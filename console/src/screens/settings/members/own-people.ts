/** The requests about the people of the signed-in person's account. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { PAGING } from '#components/tables/paged-table.tsx';
import type { PeopleApi } from '#people/people-api.ts';

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
  queryKeys: [membersQuery.queryKey, invitationsQuery.queryKey],
  change: (id, { role }) =>
    answerOf(api.PATCH('/console/api/members/{id}', { ...idPath(id), body: { role } })),
  remove: (id) => answerOf(api.DELETE('/console/api/members/{id}', idPath(id))),
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
