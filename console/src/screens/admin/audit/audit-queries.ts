/** Queries of the audit log. */
import { infiniteQueryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { components } from '#api/schema.gen.ts';
import { PAGING } from '#components/tables/paged-table.tsx';
import type { AuditSearch } from './audit-search.ts';

export type AuditEntry = components['schemas']['AuditEntry'];

const PAGE_ENTRIES = 50;

export const auditQuery = (search: AuditSearch) =>
  infiniteQueryOptions({
    queryKey: ['admin', 'audit', search],
    queryFn: ({ pageParam, signal }) => {
      const query = given({ ...search, limit: PAGE_ENTRIES, after: pageParam });
      return answerOf(api.GET('/admin/v1/audit', { params: { query }, signal }));
    },
    ...PAGING,
  });

/** Verifies the hash chain from the first entry to the newest. */
export async function checkChain() {
  const query = { limit: 1, verify: 'true' } as const;
  const { chain } = await answerOf(api.GET('/admin/v1/audit', { params: { query } }));
  if (chain === undefined) throw new Error('The response has no verification result.');
  return chain;
}

/** Returns the URL of the filtered entries, for a download. */
export const auditAddress = (search: AuditSearch): string =>
  `/admin/v1/audit?${new URLSearchParams(given(search))}`;
