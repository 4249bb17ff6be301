/** Which routes of a channel to try, and in which order. Pure: chance comes in as a number. */
import type { Route } from '../catalogue/catalogue.ts';
import { GatewayError } from '../errors.ts';
import type { Upstream, WireFormat } from '../upstreams/upstream.ts';

export type Destination = { readonly route: Route; readonly upstream: Upstream };

/**
 * The routes that can take a request of this wire format, a weighted choice first and the others after
 * it, as fallbacks before the first byte.
 *
 * @param draw in [0, 1): decides the first.
 * @throws GatewayError `wrong_endpoint` when no route of the channel speaks the format.
 */
export function orderDestinations(
  routes: readonly Route[],
  upstreams: ReadonlyMap<string, Upstream>,
  format: WireFormat,
  draw: number,
): readonly Destination[] {
  const able: Destination[] = [];
  for (const route of routes) {
    const upstream = upstreams.get(route.upstream);
    if (upstream?.formats.has(format) === true) able.push({ route, upstream });
  }
  if (able.length === 0) {
    const other = format === 'chat' ? '/v1/messages' : '/v2/chat/completions';
    throw new GatewayError(
      'wrong_endpoint',
      `This model's channel does not answer here; call it at ${other}.`,
      { param: 'model' },
    );
  }
  if (able.length === 1) return able;
  const first = weightedIndex(able, draw);
  return [...able.slice(first, first + 1), ...able.slice(0, first), ...able.slice(first + 1)];
}

function weightedIndex(destinations: readonly Destination[], draw: number): number {
  const total = destinations.reduce((sum, d) => sum + d.route.weight, 0);
  let left = draw * total;
  for (const [index, destination] of destinations.entries()) {
    left -= destination.route.weight;
    if (left < 0) return index;
  }
  return destinations.length - 1;
}
