/** Reads, stores and deletes secrets. No answer has the value of a secret. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';

export type StoredSecret = components['schemas']['Secret'];

export const secretsQuery = queryOptions({
  queryKey: ['admin', 'secrets'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/secrets', { signal })),
});

export function useSecretsChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: secretsQuery.queryKey });
}

export const saveSecret = (name: string, value: string): Promise<StoredSecret> =>
  answerOf(api.PUT('/admin/v1/secrets/{name}', { params: { path: { name } }, body: { value } }));

export const deleteSecret = (name: string) =>
  answerOf(api.DELETE('/admin/v1/secrets/{name}', { params: { path: { name } } }));
