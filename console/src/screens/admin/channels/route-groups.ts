/** The routes of every channel, as an administrator looks at them: what is out first. */
import type { components } from '../../../api/schema.gen.ts';

export type RouteHealth = components['schemas']['RouteHealth'];
export type Standing = RouteHealth['standing'];

export type ChannelRoutes = {
  readonly channel: RouteHealth['channel'];
  readonly routes: readonly RouteHealth[];
  /** out: no route may be asked now. partly: one is left alone, or on trial. */
  readonly state: 'well' | 'partly' | 'out';
};
export type ModelRoutes = {
  readonly model: string;
  readonly channels: readonly ChannelRoutes[];
};

/** In the order in which they come. */
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

/** It may not be asked before its pause is over. */
export const isOut = ({ standing, retry_in_ms: waitMs }: RouteHealth): boolean =>
  (standing === 'open' || standing === 'cooling') && waitMs > 0;

/** The part of the channel's requests that is meant for the route while all are well. */
export function share(route: RouteHealth, routes: readonly RouteHealth[]): number {
  const total = routes.reduce((sum, { weight }) => sum + weight, 0);
  return total === 0 ? 0 : route.weight / total;
}

/** @param wanted part of a model's, a channel's or an upstream's name; empty: any. */
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
  /** Its own names of the models that are sold from it, each once. */
  readonly models: readonly string[];
};

export function byUpstream(routes: readonly RouteHealth[]): readonly UpstreamRoutes[] {
  return [...Map.groupBy(routes, ({ upstream }) => upstream)].map(([upstream, own]) => ({
    upstream,
    routes: own,
    models: [...new Set(own.map((route) => route.upstream_model))],
  }));
}
