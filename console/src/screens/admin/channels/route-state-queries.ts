/** Changes of the state of routes: drained, disabled or in service. */
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { answerOf, api } from '#api/client.ts';
import type { components } from '#api/schema.gen.ts';
import { routesQuery } from './channel-queries.ts';

export type OutState = components['schemas']['OutOfService']['state'];
export type StoppedChannel = components['schemas']['StoppedChannel'];

/** A route, or all routes of an upstream if `model` is null. */
export type RouteScope = { readonly upstream: string; readonly model: string | null };

export const scopeName = ({ upstream, model }: RouteScope): string =>
  model === null ? upstream : `${upstream}/${model}`;

type Change = RouteScope & {
  readonly state: OutState | 'enabled';
  readonly forSeconds?: number | null;
  readonly reason?: string;
  readonly confirm?: boolean;
};

const send = ({ upstream, model, forSeconds = null, ...body }: Change, isDryRun = false) =>
  answerOf(
    api.POST('/admin/v1/upstreams/{name}/state', {
      params: { path: { name: upstream } },
      body: {
        ...body,
        ...(model === null ? {} : { model }),
        ...(forSeconds === null ? {} : { for_seconds: forSeconds }),
        ...(isDryRun ? { dry_run: true } : {}),
      },
    }),
  );

export const setRouteState = (change: Change) => send(change);

/** The query of the channels that a change would leave without a route. */
export const stopsQuery = (scope: RouteScope, state: OutState) =>
  queryOptions({
    queryKey: ['admin', 'route-stops', scope, state],
    queryFn: async () => (await send({ ...scope, state }, true)).stops,
    gcTime: 0,
  });

/** Returns a function that reads the routes again after a change. */
export function useRoutesChanged(): () => Promise<void> {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: routesQuery.queryKey });
}
