/** Groups and filters the routes of all channels. */
import type { components } from '#api/schema.gen.ts';

export type RouteHealth = components['schemas']['RouteHealth'];
export type Standing = RouteHealth['standing'];

export type ChannelRoutes = {
  readonly channel: RouteHealth['channel'];
  readonly routes: readonly RouteHealth[];
  /**
   * The state of the channel: `well` if the circuit breakers of all routes in service are closed,
   * `out` if no route is available, and `partly` in all other cases.
   */
  readonly state: 'well' | 'partly' | 'out';
};
export type ModelRoutes = {
  readonly model: string;
  readonly channels: readonly ChannelRoutes[];
};

/** Groups routes by model and channel, keeping their order of priority. */
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
  const isWell = routes.every((route) => !isInService(route) || route.standing === 'closed');
  return isWell ? 'well' : 'partly';
}

const isInService = (route: RouteHealth): boolean => route.out_of_service === null;

/**
 * Whether the route receives no requests now. It receives none if it is out of service. It also
 * receives none while its circuit breaker is open or it is cooling down, until the time to wait is
 * over.
 */
export const isOut = (route: RouteHealth): boolean =>
  !isInService(route) ||
  ((route.standing === 'open' || route.standing === 'cooling') && route.retry_in_ms > 0);

export type StandingCounts = { readonly out: number; readonly well: number; readonly bad: number };

/**
 * Counts the routes by state. `out`: out of service. `well`: in service with a closed circuit
 * breaker. `bad`: in service, but its circuit breaker is not closed.
 */
export function standingCounts(routes: readonly RouteHealth[]): StandingCounts {
  const inService = routes.filter(isInService);
  const well = inService.filter(({ standing }) => standing === 'closed').length;
  return { out: routes.length - inService.length, well, bad: inService.length - well };
}

/**
 * Returns the fraction of the channel's requests that the route receives. Only the available routes
 * with the lowest priority number receive requests, distributed by weight. All other routes get 0.
 * If no route is available, all count as available.
 * @param routes all routes of the channel.
 */
export function share(route: RouteHealth, routes: readonly RouteHealth[]): number {
  const available = routes.filter((each) => !isOut(each));
  const usable = available.length === 0 ? routes : available;
  const first = Math.min(...usable.map(priorityOf));
  const receiving = usable.filter((each) => each.priority === first);
  if (!receiving.includes(route)) return 0;
  return route.weight / receiving.reduce((sum, { weight }) => sum + weight, 0);
}

const priorityOf = ({ priority }: RouteHealth): number => priority;

/**
 * Returns the routes that match the search.
 * @param wanted a part of the name of a model, channel or upstream; empty for any.
 * @param onlyTrouble whether to leave out routes whose circuit breaker is closed.
 */
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

/** @param configured the names of all upstreams, so that those without a route are included. */
export function byUpstream(
  routes: readonly RouteHealth[],
  configured: readonly string[] = [],
): readonly UpstreamRoutes[] {
  const found = Map.groupBy(routes, ({ upstream }) => upstream);
  return [...new Set([...found.keys(), ...configured])].map((upstream) => {
    const own = found.get(upstream) ?? [];
    const models = [...new Set(own.map((route) => route.upstream_model))];
    return { upstream, routes: own, models };
  });
}

/** A route to test: the upstream, and the upstream's name for the model. */
export type TestedRoute = { readonly upstream: string; readonly model: string };
/** Routes that are tested together: all of a channel, or all of a model if `channel` is null. */
export type TestedGroup = {
  readonly channel: RouteHealth['channel'] | null;
  readonly routes: readonly TestedRoute[];
};

/**
 * Returns a group with all routes of the model, then a group for each of its channels. A route that
 * is in several channels counts once. A channel with the same routes as the model is omitted.
 */
export function testedGroups(all: readonly RouteHealth[], model: string): readonly TestedGroup[] {
  const own = all.filter((route) => route.model === model);
  const whole = { channel: null, routes: distinct(own) };
  const channels = [...Map.groupBy(own, ({ channel }) => channel)].map(([channel, routes]) => ({
    channel,
    routes: distinct(routes),
  }));
  return [whole, ...channels.filter(({ routes }) => routes.length < whole.routes.length)];
}

const distinct = (routes: readonly RouteHealth[]): readonly TestedRoute[] => [
  ...new Map(
    routes.map(({ upstream, upstream_model: model }) => [
      `${upstream}/${model}`,
      { upstream, model },
    ]),
  ).values(),
];
