import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import type { components } from '../../../api/schema.gen.ts';
import { PAGING } from '../../../components/tables/paged-table.tsx';

export type Member = components['schemas']['Member'];
export type Invitation = components['schemas']['Invitation'];

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

/** @returns shows the people and invitations as they are after a change. */
export function useMembersChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await Promise.all([
      queryClient.invalidateQueries(membersQuery),
      queryClient.invalidateQueries(invitationsQuery),
    ]);
  };
}
