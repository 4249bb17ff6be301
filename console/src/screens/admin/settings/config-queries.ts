/** Queries of the settings in the database, and requests that change them. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { JsonObject } from '#api/json.ts';
import type { components } from '#api/schema.gen.ts';

type Schemas = components['schemas'];
export type SettingField = Schemas['SettingField'];
export type ConfigChange = Schemas['ConfigChange'];

export const settingsQuery = queryOptions({
  queryKey: ['admin', 'settings'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/settings', { signal })),
});

export const CONFIG = ['admin', 'config'] as const;

export const fieldsQuery = queryOptions({
  queryKey: [...CONFIG, 'fields'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/config/fields', { signal })),
});

/** The query of the fields of one upstream or model. */
export const recordFieldsQuery = (section: 'upstreams' | 'models', id: string) =>
  queryOptions({
    queryKey: [...CONFIG, 'fields', section, id],
    // Nothing is cached, so that the page starts with the newest revision. The gateway refuses
    // changes that are based on an older revision.
    gcTime: 0,
    queryFn: ({ signal }) =>
      answerOf(
        api.GET(`/admin/v1/config/${section}/{id}/fields`, { params: { path: { id } }, signal }),
      ),
  });

/** The keys of the queries whose data a change of the settings may change. */
const CHANGED = [
  ...[CONFIG, settingsQuery.queryKey, ['admin', 'routes'], ['admin', 'channels']],
  ...[['admin', 'cards'], ['admin', 'fx-rates'], ['models']],
];

/** Returns a function that reads the settings again after a change. */
export function useConfigChanged(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all(CHANGED.map((queryKey) => queries.invalidateQueries({ queryKey })));
  };
}

/** Options of a change: a dry run, or a note and the confirmed warnings. */
export type ChangeOptions = {
  readonly dry_run?: 'true';
  readonly note?: string;
  readonly confirm?: string;
};
/** Sends one change of the settings, as a dry run or to be saved. */
export type SendChange = (options: ChangeOptions) => Promise<ConfigChange>;

/**
 * Returns the parameters of a request that changes the configuration. The gateway refuses the
 * change if `revision` is no longer the newest one.
 */
export const parametersOf = (revision: number, query: ChangeOptions) => ({
  header: { 'If-Match': `"${revision}"` },
  query,
});

/**
 * Returns a function that sends a change of the configuration.
 * @param patch a JSON merge patch of the whole configuration.
 */
export const patchConfig =
  (revision: number, patch: JsonObject): SendChange =>
  (options) =>
    answerOf(
      api.PATCH('/admin/v1/config', {
        params: parametersOf(revision, options),
        body: { document: { ...patch } },
      }),
    );
