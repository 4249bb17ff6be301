/** Requests of the guided form: known providers, tests, and the change of the settings. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { asObject } from '#api/json.ts';
import type { components } from '#api/schema.gen.ts';
import { freeSecretName, withSecrets } from '#screens/admin/secrets/secret-queries.ts';
import {
  draftBody,
  type Kind,
  type ProviderFields,
  patchOf,
  type Settings,
  type SoldModel,
} from './provider-draft.ts';

export type ProviderModels = components['schemas']['ProviderModels'];
export type UpstreamTest = components['schemas']['UpstreamTest'];
export type ConfigChange = components['schemas']['ConfigChange'];

export const providersQuery = queryOptions({
  queryKey: ['admin', 'providers'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/providers', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The query of the configuration and its mode. Secrets are hidden. */
export const configQuery = queryOptions({
  queryKey: ['admin', 'config'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/config', { signal })),
});

/** Returns a section of the configuration, such as `upstreams`; empty if it is not set. */
export const sectionOf = (document: Settings | undefined, section: string): Settings =>
  asObject(document?.[section]) ?? {};

export const readModels = (fields: ProviderFields): Promise<ProviderModels> =>
  answerOf(api.POST('/admin/v1/providers/models', { body: draftBody(fields) }));

export const testProvider = (
  fields: ProviderFields,
  model: string,
  kind: Kind,
): Promise<UpstreamTest> =>
  answerOf(api.POST('/admin/v1/providers/test', { body: { ...draftBody(fields), model, kind } }));

/** The query of a saved upstream's model list, read with the upstream's own key. */
export const upstreamModelsQuery = (name: string) =>
  queryOptions({
    queryKey: ['admin', 'upstream-models', name],
    queryFn: ({ signal }) =>
      answerOf(
        api.POST('/admin/v1/upstreams/{name}/models', { params: { path: { name } }, signal }),
      ),
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export const etag = (revision: number): { 'If-Match': string } => ({ 'If-Match': `"${revision}"` });

export type ProviderChange = {
  readonly fields: ProviderFields;
  readonly sold: readonly SoldModel[];
  /** Whether the upstream is new; false if models are added to an existing upstream. */
  readonly isNew: boolean;
};

/** The result of a dry run on the current configuration, and what is needed to save the change. */
export type Review = {
  readonly planned: ConfigChange;
  readonly patch: Settings;
  /** The name of the secret in which the key will be stored; null if there is no key. */
  readonly secret: string | null;
};

export async function reviewOf({ fields, sold, isNew }: ProviderChange): Promise<Review> {
  const [{ revision, document }, secrets] = await Promise.all([
    answerOf(api.GET('/admin/v1/config')),
    answerOf(api.GET('/admin/v1/secrets')),
  ]);
  const taken = new Set(secrets.data.map(({ name }) => name));
  const secret =
    fields.api_key.trim() === '' ? null : freeSecretName(fields.name, 'api_key', taken);
  const { upstreams, models } = patchOf(fields, secret, sold, sectionOf(document, 'models'));
  const patch = isNew ? { upstreams, models } : { models };
  const plan = await answerOf(
    api.PATCH('/admin/v1/config', {
      params: { header: etag(revision ?? 0), query: { dry_run: 'true' } },
      body: { document: patch },
    }),
  );
  // The entered key is stored only when the change is saved, so the dry run reports it as missing.
  const warnings = plan.warnings.filter(
    ({ code, path }) =>
      code !== 'secret_missing' || secret === null || path !== `upstreams.${fields.name}.api_key`,
  );
  return { planned: { ...plan, warnings }, patch, secret };
}

export type SaveOptions = {
  readonly key: string;
  readonly note: string;
  readonly confirmed: readonly string[];
};

/** Stores the key, then the change as one revision. If the change fails, deletes the key again. */
export const saveProvider = (
  { planned, patch, secret }: Review,
  { key, note, confirmed }: SaveOptions,
): Promise<ConfigChange> =>
  withSecrets(secret === null ? [] : [{ name: secret, value: key.trim() }], () =>
    answerOf(
      api.PATCH('/admin/v1/config', {
        params: {
          header: etag(planned.revision),
          query: { note, ...(confirmed.length === 0 ? {} : { confirm: confirmed.join(',') }) },
        },
        body: { document: patch },
      }),
    ),
  );
