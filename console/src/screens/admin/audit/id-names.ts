/** The names of the IDs in the audit log: accounts, people, keys, batches, invitations. */
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { answerOf, api } from '#api/client.ts';
import { MOST_ROWS } from '#components/tables/paged-table.tsx';
import { useTexts } from '#i18n/texts.ts';
import { auditTexts } from './audit-texts.ts';

const namesQuery = queryOptions({
  queryKey: ['admin', 'names'],
  queryFn: async ({ signal }) => {
    const of = { params: { query: { limit: MOST_ROWS } }, signal };
    const [accounts, people, keys, batches, invitations] = await Promise.all([
      answerOf(api.GET('/admin/v1/accounts', of)),
      answerOf(api.GET('/admin/v1/people', of)),
      answerOf(api.GET('/admin/v1/keys', of)),
      answerOf(api.GET('/admin/v1/redeem-batches', of)),
      answerOf(api.GET('/admin/v1/invitations', of)),
    ]);
    return [
      ...accounts.data.map(({ id, name }) => [id, name] as const),
      ...people.data.map(({ id, email }) => [id, email] as const),
      ...keys.data.map(({ id, name }) => [id, name] as const),
      ...batches.data.map(({ id, reason }) => [id, reason] as const),
      ...invitations.data.map(({ id, email }) => [id, email ?? id] as const),
    ];
  },
});

/** Returns the loaded names by ID, including those of actors that are not people. */
export function useIdNames(): ReadonlyMap<string, string> {
  const t = useTexts(auditTexts);
  const { data } = useQuery(namesQuery);
  return useMemo(
    () => new Map([['admin', t('admin')], ['system', t('system')], ...(data ?? [])]),
    [data, t],
  );
}
