/** The routes of every channel, sorted for an administrator: problems first. */
import type { components } from '../../../api/schema.gen.ts';

export type RouteHealth = components['schemas']['RouteHealth'];
export type Standing = RouteHealth['standing'];

export type ChannelRoutes = {
  readonly channel: RouteHealth['channel'];
  readonly routes: readonly RouteHealth[];
  /** out: no route is available. partly: some route is disabled or half-open. */
  readonly state: 'well' | 'partly' | 'out';
};
export type ModelRoutes = {
  readonly model: string;
  readonly channels: readonly ChannelRoutes[];
};

/** In priority order. */
export function byModel(routes: readonly RouteHealth[]): readonly ModelRoutes[] {
  return [...Map.groupBy(routes, ({ model }) => model)].map(([model, ofModel]) => ({
    model,
    channels: [...Map.groupBy(ofModel, ({ channel }) => channel)].map(([channel, ofChannel]) => ({
      channel,
      routes: ofChannel,
      state: stateOf(ofChannel),
    })),
  }));
}

function stateOf(routes: readonly RouteHealth[]): ChannelRoutes['state'] {
  if (routes.every(isOut)) return 'out';
  return routes.every(({ standing }) => standing === 'closed') ? 'well' : 'partly';
}

/** Still cooling down. */
export const isOut = ({ standing, retry_in_ms: waitMs }: RouteHealth): boolean =>
  (standing === 'open' || standing === 'cooling') && waitMs > 0;

/** The route's share of the channel's requests while all routes are available. */
export function share(route: RouteHealth, routes: readonly RouteHealth[]): number {
  const total = routes.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : route.weight / total;
}

/** @param wanted a part of the name of a model, channel or upstream; empty: any. */
export function matching(
  routes: readonly RouteHealth[],
  wanted: string,
  onlyTrouble: boolean,
): readonly RouteHealth[] {
  const part = wanted.trim().toLowerCase();
  return routes
    .filter(({ standing }) => !onlyTrouble || standing !== 'closed')
    .filter(({ model, channel, upstream, upstream_model: there }) =>
      [model, channel, upstream, there].some((name) => name.toLowerCase().includes(part)),
    );
}

export type UpstreamRoutes = {
  readonly upstream: string;
  readonly routes: readonly RouteHealth[];
  /** The upstream's own model names, without duplicates. */
  readonly models: readonly string[];
};

export function byUpstream(routes: readonly RouteHealth[]): readonly UpstreamRoutes[] {
  return [...Map.groupBy(routes, ({ upstream }) => upstream)].map(([upstream, own]) => ({
    upstream,
    routes: own,
    models: [...new Set(own.map((route) => route.upstream_model))],
  }));
}
