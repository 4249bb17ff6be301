/** A change of the priority and the weight of one route in the configuration. */
import { asList, asObject, type JsonObject } from '#api/json.ts';
import { type RouteHealth, share } from './route-groups.ts';

export const MAX_WEIGHT = 1_000_000;
export const MAX_PRIORITY = 100;

/** A route in one of its channels, where it has a priority and a weight. */
export type RoutePlace = RouteHealth;
export type Rank = Pick<RoutePlace, 'priority' | 'weight'>;

/**
 * Returns the merge patch with the channel's new list of routes; null if the configuration does not
 * contain the route.
 */
export function rankPatch(
  document: unknown,
  { model, channel, upstream, upstream_model: there }: Omit<RoutePlace, keyof Rank>,
  rank: Rank,
): JsonObject | null {
  const models = asObject(asObject(document)?.['models']);
  const channels = asObject(asObject(models?.[model])?.['channels']);
  const routes = asList(asObject(channels?.[channel])?.['routes']).map(asObject);
  const isIt = (route: JsonObject | null): boolean =>
    route?.['upstream'] === upstream && route['model'] === there;
  if (!routes.some(isIt)) return null;
  const changed = routes.map((route) =>
    isIt(route) ? { ...route, ...others(route, rank) } : route,
  );
  return { models: { [model]: { channels: { [channel]: { routes: changed } } } } };
}

/**
 * Returns those of `priority` and `weight` that differ from the configured values. A value that is
 * not configured is 1.
 */
const others = (route: JsonObject | null, { priority, weight }: Rank): Partial<Rank> =>
  Object.fromEntries(
    Object.entries({ priority, weight }).filter(([name, value]) => (route?.[name] ?? 1) !== value),
  );

const AVAILABLE = { out_of_service: null, retry_in_ms: 0 };

/**
 * Returns the fraction of its channel's requests that the route would get with this rank, once it
 * is available.
 */
export function shareWith(place: RoutePlace, all: readonly RoutePlace[], rank: Rank): number {
  const others = all.filter(
    (each) =>
      each.model === place.model &&
      each.channel === place.channel &&
      !(each.upstream === place.upstream && each.upstream_model === place.upstream_model),
  );
  const changed = { ...place, ...rank, ...AVAILABLE };
  return share(changed, [...others, changed]);
}
