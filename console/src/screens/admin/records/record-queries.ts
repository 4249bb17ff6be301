/** Queries and changes of a single upstream or model. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { asObject } from '#api/json.ts';
import type { RouteHealth } from '#screens/admin/channels/route-groups.ts';
import { CONFIG, parametersOf, type SendChange } from '#screens/admin/settings/config-queries.ts';

/** The query of a configured model with its channels. */
export const modelQuery = (id: string) =>
  queryOptions({
    queryKey: [...CONFIG, 'model', id],
    queryFn: async ({ signal }) => {
      const params = { path: { id } };
      const { value } = await answerOf(api.GET('/admin/v1/config/models/{id}', { params, signal }));
      return asObject(value) ?? {};
    },
  });

/** The query of the names of all upstreams. */
export const upstreamNamesQuery = queryOptions({
  queryKey: [...CONFIG, 'upstream-names'],
  queryFn: async ({ signal }) => {
    const { data } = await answerOf(api.GET('/admin/v1/config/upstreams', { signal }));
    return data.map(({ id }) => id);
  },
});

type RouteOf = Pick<RouteHealth, 'model' | 'channel' | 'upstream_model'>;

/**
 * Returns a function that removes a route of an upstream. If `route` is null, it removes the
 * upstream with all its routes.
 */
export const removeUpstream =
  (revision: number, id: string, route: RouteOf | null = null): SendChange =>
  (options) =>
    answerOf(
      api.POST('/admin/v1/config/upstreams/{id}/remove', {
        params: { ...parametersOf(revision, options), path: { id } },
        body:
          route === null
            ? {}
            : { model: route.model, channel: route.channel, upstream_model: route.upstream_model },
      }),
    );

export const retireModel =
  (revision: number, id: string): SendChange =>
  (options) =>
    answerOf(
      api.DELETE('/admin/v1/config/models/{id}', {
        params: { ...parametersOf(revision, options), path: { id } },
      }),
    );
