/** Reads models from the configuration and changes their prices. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { JsonObject } from '#api/json.ts';
import type { components } from '#api/schema.gen.ts';
import type { Models } from './price-edit.ts';

export type ConfigChange = components['schemas']['ConfigChange'];

/** The newest revision of the configuration; null if the configuration is in a file. */
export const revisionQuery = queryOptions({
  queryKey: ['admin', 'config', 'newest'],
  queryFn: async ({ signal }) => {
    const query = { limit: 1 };
    const { data } = await answerOf(
      api.GET('/admin/v1/config/revisions', { params: { query }, signal }),
    );
    return data[0]?.revision ?? null;
  },
});

export type ReadModels = { readonly revision: number | null; readonly models: Models };

/** The query of models as they are configured, with the revision that contains them. */
export const configuredQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: ['admin', 'config', 'models', ids],
    queryFn: () => readModels(ids),
    // An editor always loads the current values, never cached ones.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });

export async function readModels(ids: readonly string[]): Promise<ReadModels> {
  const [id, ...more] = ids;
  if (id !== undefined && more.length === 0) {
    const path = { id };
    const { revision, value } = await answerOf(
      api.GET('/admin/v1/config/models/{id}', { params: { path } }),
    );
    return { revision, models: new Map([[id, value]]) };
  }
  const { revision, data } = await answerOf(api.GET('/admin/v1/config/models'));
  const wanted = new Set(ids);
  const found = data.filter((model) => wanted.has(model.id));
  return { revision, models: new Map(found.map((model) => [model.id, model.value])) };
}

export type PriceChange = {
  /** The revision on which the change is based; null if the configuration is in the file. */
  readonly revision: number | null;
  readonly patch: JsonObject;
};
export type Saving = { readonly note: string; readonly confirmed: readonly string[] };

const querySaving = (saving: Saving | null) =>
  saving === null
    ? ({ dry_run: 'true' } as const)
    : given({
        note: saving.note || undefined,
        confirm: saving.confirmed.join(',') || undefined,
      });

/**
 * Restores the price of an earlier price card on the same channel. If `saving` is null, this is a
 * dry run.
 */
export const restoreCard = (
  id: string,
  revision: number | null,
  saving: Saving | null,
): Promise<ConfigChange> =>
  answerOf(
    api.POST('/admin/v1/config/cards/{id}/restore', {
      params: {
        path: { id },
        header: { 'If-Match': `"${revision ?? 0}"` },
        query: querySaving(saving),
      },
    }),
  );

/** Changes the configuration. If `saving` is null, this is a dry run that reports the effects. */
export const changeConfig = (
  { revision, patch }: PriceChange,
  saving: Saving | null,
): Promise<ConfigChange> =>
  answerOf(
    api.PATCH('/admin/v1/config', {
      params: {
        header: { 'If-Match': `"${revision ?? 0}"` },
        query: querySaving(saving),
      },
      body: { document: patch },
    }),
  );

export type PricePreview = components['schemas']['PricePreview'];

/**
 * The change to preview: a merge patch, a configuration file, an old revision, or the price of an
 * earlier price card.
 */
export type Previewable =
  | { readonly document: JsonObject }
  | { readonly yaml: string }
  | { readonly revision: number }
  | { readonly card: string };

/** Calculates what the requests of the last 30 days would have cost with the change. */
export const previewPrices = (of: Previewable): Promise<PricePreview> =>
  answerOf(api.POST('/admin/v1/config/prices/preview', { body: of }));

/** Whether the change contains prices, whose effect can be previewed. */
export const hasPrices = ({ changes }: Pick<ConfigChange, 'changes'>): boolean =>
  changes.some(({ path }) => /\.(?:price|upcoming)(?:\.|$)|^price_lists\./.test(path));
