/** Queries of channels and routes for administrators. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { JsonObject } from '#api/json.ts';
import type { components } from '#api/schema.gen.ts';

/** The polling interval, which is also the longest delay before a changed route is visible. */
export const REFRESH_SECONDS = 5;

export const routesQuery = queryOptions({
  queryKey: ['admin', 'routes'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/routes', { signal })),
  refetchInterval: REFRESH_SECONDS * 1000,
});

export type UpstreamTest = components['schemas']['UpstreamTest'];

/**
 * Tests an upstream.
 * @param model the upstream model; null for the model of the first route.
 * @param change a merge patch of its settings that is not saved; null: as it is.
 */
export const testUpstream = (
  name: string,
  model: string | null,
  change: JsonObject | null = null,
): Promise<UpstreamTest> =>
  answerOf(
    api.POST('/admin/v1/upstreams/{name}/test', {
      params: { path: { name } },
      body: { ...(model === null ? {} : { model }), ...(change === null ? {} : { change }) },
    }),
  );
