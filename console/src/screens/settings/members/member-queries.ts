import { infiniteQueryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '../../../api/client.ts';
import { PAGING } from '../../../components/paged-table.tsx';

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

type RowOf<Options extends { readonly queryFn?: unknown }> =
  NonNullable<Options['queryFn']> extends (...given: never[]) => infer Answer
    ? Awaited<Answer> extends { readonly data: readonly (infer Row)[] }
      ? Row
      : never
    : never;
export type Member = RowOf<typeof membersQuery>;
export type Invitation = RowOf<typeof invitationsQuery>;

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
