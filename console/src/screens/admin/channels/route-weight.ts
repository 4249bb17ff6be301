/** A change of the weight of one route in the configuration. */
import { asList, asObject, type JsonObject } from '#api/json.ts';
import type { RouteHealth } from './route-groups.ts';

export const MAX_WEIGHT = 1_000_000;

export type RoutePlace = Pick<
  RouteHealth,
  'model' | 'channel' | 'upstream' | 'upstream_model' | 'weight'
>;

/**
 * Returns the merge patch, which replaces the list of routes of the channel; null if the
 * configuration does not have the route.
 */
export function weightPatch(
  document: unknown,
  { model, channel, upstream, upstream_model: there }: RoutePlace,
  weight: number,
): JsonObject | null {
  const models = asObject(asObject(document)?.['models']);
  const channels = asObject(asObject(models?.[model])?.['channels']);
  const routes = asList(asObject(channels?.[channel])?.['routes']).map(asObject);
  const isIt = (route: JsonObject | null): boolean =>
    route?.['upstream'] === upstream && route['model'] === there;
  if (!routes.some(isIt)) return null;
  const changed = routes.map((route) => (isIt(route) ? { ...route, weight } : route));
  return { models: { [model]: { channels: { [channel]: { routes: changed } } } } };
}

/** Returns the route's share of the requests of its channel, if it had this weight. */
export function shareWith(place: RoutePlace, all: readonly RoutePlace[], weight: number): number {
  const others = all.filter(
    (each) =>
      each.model === place.model &&
      each.channel === place.channel &&
      !(each.upstream === place.upstream && each.upstream_model === place.upstream_model),
  );
  return weight / others.reduce((sum, each) => sum + each.weight, weight);
}
