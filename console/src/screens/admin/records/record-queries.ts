/** Changes of one upstream, and of one model. */
import { answerOf, api } from '#api/client.ts';
import type { RouteHealth } from '#screens/admin/channels/route-groups.ts';
import { parametersOf, type SendChange } from '#screens/admin/settings/config-queries.ts';

type RouteOf = Pick<RouteHealth, 'model' | 'channel' | 'upstream_model'>;

/** Removes a route of an upstream; without one, the upstream with all its routes. */
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
