/** Queries of channels and routes for administrators. */
import { queryOptions } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import { given } from '#api/given.ts';
import type { JsonObject } from '#api/json.ts';
import type { components } from '#api/schema.gen.ts';

/** The polling interval, which is also the maximum delay before a changed route is visible. */
export const REFRESH_SECONDS = 5;

export const routesQuery = queryOptions({
  queryKey: ['admin', 'routes'],
  queryFn: ({ signal }) => answerOf(api.GET('/admin/v1/routes', { signal })),
  refetchInterval: REFRESH_SECONDS * 1000,
});

export type UpstreamTest = components['schemas']['UpstreamTest'];

export type Tested = {
  readonly name: string;
  /**
   * The name that the upstream uses for the model. If it is null, the test uses the upstream's
   * first model of the kind.
   */
  readonly model: string | null;
  /** The kind of the model; omitted for a chat model. */
  readonly kind?: 'chat' | 'image' | 'embedding';
  /**
   * A merge patch with unsaved settings, which the test applies. If it is omitted, the test uses
   * the saved settings.
   */
  readonly change?: JsonObject | undefined;
};

export const testUpstream = ({ name, model, ...asked }: Tested): Promise<UpstreamTest> =>
  answerOf(
    api.POST('/admin/v1/upstreams/{name}/test', {
      params: { path: { name } },
      body: given({ ...asked, model: model ?? undefined }),
    }),
  );
