/** Queries and changes of the notices that administrators publish on the status page. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, taggedPath } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import type { NewNotice, NoticeEdit, NoticeUpdate } from './notice-form.ts';

export type AdminNotice = components['schemas']['AdminNotice'];

export const noticesQuery = queryOptions({
  queryKey: ['admin', 'notices'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/notices', { signal })),
});

/** Returns a function that refetches the notices and the public status page after a change. */
export function useNoticesChanged(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    await client.invalidateQueries({ queryKey: noticesQuery.queryKey });
    void client.invalidateQueries({ queryKey: ['status'] });
    void client.invalidateQueries({ queryKey: ['status-history'] });
  };
}

const idPath = (id: string) => ({ params: { path: { id } } });

export const readNotice = (id: string): Promise<AdminNotice> =>
  answerOf(api.GET('/admin/v1/notices/{id}', idPath(id)));

export const createNotice = (body: NewNotice, key: string): Promise<AdminNotice> =>
  answerOf(api.POST('/admin/v1/notices', { headers: { 'Idempotency-Key': key }, body }));

export const editNotice = (id: string, body: NoticeEdit, etag: string): Promise<AdminNotice> =>
  answerOf(api.PATCH('/admin/v1/notices/{id}', { ...taggedPath(id, etag), body }));

export const updateNotice = (id: string, body: NoticeUpdate, key: string): Promise<AdminNotice> =>
  answerOf(
    api.POST('/admin/v1/notices/{id}/updates', {
      ...idPath(id),
      headers: { 'Idempotency-Key': key },
      body,
    }),
  );

export const deleteNotice = (id: string) =>
  answerOf(api.DELETE('/admin/v1/notices/{id}', idPath(id)));
