/** Reads, stores and deletes secrets. No response contains the value of a secret. */
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

export type NewSecret = { readonly name: string; readonly value: string };

/**
 * Stores secrets, then makes the change that uses them. If the change fails, deletes the secrets
 * again.
 */
export async function withSecrets<Made>(
  secrets: readonly NewSecret[],
  make: () => Promise<Made>,
): Promise<Made> {
  try {
    for (const { name, value } of secrets) await saveSecret(name, value);
    return await make();
  } catch (thrown) {
    // If the change succeeded and only its response was lost, the secrets are in use, and the
    // gateway refuses to delete them.
    for (const { name } of secrets) await deleteSecret(name).catch(() => undefined);
    throw thrown;
  }
}

/**
 * Returns an unused name for a secret, since the secret of another upstream must not be replaced,
 * even if that upstream was removed.
 */
export function freeSecretName(upstream: string, key: string, taken: ReadonlySet<string>): string {
  const name = `${/^[a-z]/.test(upstream) ? '' : 'upstream-'}${upstream}.${key}`;
  for (let at = 1; ; at += 1) {
    const tried = at === 1 ? name : `${name}-${at}`;
    if (!taken.has(tried)) return tried;
  }
}
