/** People of all accounts, and invitations, as administrators see and change them. */
import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import { given } from '../../../api/given.ts';
import type { components } from '../../../api/schema.gen.ts';
import type { Role } from '../../../api/session.ts';
import { PAGING } from '../../../components/tables/paged-table.tsx';
import type { SearchTexts } from '../search-texts.ts';

export type Person = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];
const PEOPLE_FILTERS = ['email', 'account_id'] as const;
export type PeopleFilters = SearchTexts<(typeof PEOPLE_FILTERS)[number]>;

const PAGE_ROWS = 50;
const PEOPLE = ['admin', 'people'] as const;

export const peopleQuery = (filters: PeopleFilters) =>
  infiniteQueryOptions({
    queryKey: [...PEOPLE, filters],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ ...filters, limit: PAGE_ROWS, after: pageParam });
      return answerOf(api.GET('/admin/v1/people', { params: { query }, signal }));
    },
    ...PAGING,
  });

export const invitationsQuery = infiniteQueryOptions({
  queryKey: [...PEOPLE, 'invitations'],
  queryFn: ({ pageParam, signal }) => {
    const query = given({ limit: PAGE_ROWS, after: pageParam });
    return answerOf(api.GET('/admin/v1/invitations', { params: { query }, signal }));
  },
  ...PAGING,
});

/** @returns shows people and invitations as they are after a change. */
export function usePeopleChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: PEOPLE });
}

const idPath = (id: string) => ({ params: { path: { id } } });

export type PersonChange = { readonly role: Role; readonly account_id: string };

export const changePerson = (id: string, body: PersonChange) =>
  answerOf(api.PATCH('/admin/v1/people/{id}', { ...idPath(id), body }));

export const removePerson = (id: string) =>
  answerOf(api.DELETE('/admin/v1/people/{id}', idPath(id)));

export const removeTotp = (id: string) =>
  answerOf(api.DELETE('/admin/v1/people/{id}/totp', idPath(id)));

export const makeResetLink = (id: string) =>
  answerOf(api.POST('/admin/v1/people/{id}/reset-link', idPath(id)));

export const takeInvitationBack = (id: string) =>
  answerOf(api.DELETE('/admin/v1/invitations/{id}', idPath(id)));

/** Of `account_id` and `account_name` one is given. */
export type NewInvitation = {
  readonly role: Role;
  readonly email: string | null;
  readonly account_id?: string;
  readonly account_name?: string;
};

export const invite = (body: NewInvitation, key: string) =>
  answerOf(api.POST('/admin/v1/invitations', { headers: { 'Idempotency-Key': key }, body }));
