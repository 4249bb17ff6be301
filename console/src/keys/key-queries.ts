/** The account's keys and the requests that change them. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api, taggedPath } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import type { ApiKey, keyBodyOf } from './key-form.ts';

/** A key with its secret. The API returns the secret only once. */
export type CreatedKey = components['schemas']['CreatedKey'];
type KeyBody = ReturnType<typeof keyBodyOf>;

/** The maximum number of unrevoked keys in an account, which is also the API's page size. */
export const MAX_KEYS = 1_000;

export const KEYS = ['keys'] as const;

type KeyPage = { readonly data: readonly ApiKey[]; readonly next: string | null };
type PageQuery = { readonly limit: number; readonly after?: string };

/** Reads all pages of a list of keys, which may contain any number of revoked keys. */
export async function everyKey(
  read: (query: PageQuery) => Promise<KeyPage>,
): Promise<readonly ApiKey[]> {
  const keys: ApiKey[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const page: KeyPage = await read({ limit: MAX_KEYS, ...(after === '' ? {} : { after }) });
    keys.push(...page.data);
    after = page.next;
  }
  return keys;
}

export const keysQuery = queryOptions({
  queryKey: [...KEYS, 'list'],
  queryFn: ({ signal }) =>
    everyKey((query) => answerOf(api.GET('/console/api/keys', { params: { query }, signal }))),
});

export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS, id],
    queryFn: ({ signal }) =>
      answerOf(api.GET('/console/api/keys/{id}', { params: { path: { id } }, signal })),
  });

/** Returns a function that refreshes the cached keys after a change. */
export function useKeysChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: KEYS });
}

export const createKey = (body: KeyBody, idempotencyKey: string): Promise<CreatedKey> =>
  answerOf(api.POST('/console/api/keys', { headers: { 'Idempotency-Key': idempotencyKey }, body }));

export const readKey = (id: string): Promise<ApiKey> =>
  answerOf(api.GET('/console/api/keys/{id}', { params: { path: { id } } }));

export const changeKey = (id: string, body: KeyBody, etag: string): Promise<ApiKey> =>
  answerOf(api.PATCH('/console/api/keys/{id}', { ...taggedPath(id, etag), body }));

/**
 * Replaces the secret of a key.
 * @param overlap how long the previous secret stays valid, such as `24h`.
 */
export const rotateKey = (
  id: string,
  overlap: string,
  idempotencyKey: string,
): Promise<CreatedKey> =>
  answerOf(
    api.POST('/console/api/keys/{id}/rotate', {
      params: { path: { id } },
      headers: { 'Idempotency-Key': idempotencyKey },
      body: { overlap },
    }),
  );

export const disableKey = (id: string, etag: string): Promise<ApiKey> =>
  answerOf(api.POST('/console/api/keys/{id}/disable', taggedPath(id, etag)));

export const enableKey = (id: string, etag: string): Promise<ApiKey> =>
  answerOf(api.POST('/console/api/keys/{id}/enable', taggedPath(id, etag)));

export const revokeKey = (id: string): Promise<ApiKey> =>
  answerOf(api.DELETE('/console/api/keys/{id}', { params: { path: { id } } }));
