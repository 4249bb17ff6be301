/** Channels, routes and upstreams for the tests of routing. */
import type { Channel, ChannelName, ImageCard, Route } from '../catalogue/catalogue.ts';
import { NO_NAMES } from '../money/card-terms.ts';
import { NO_QUIRKS } from '../protocols/quirks.ts';
import { PLAIN_FIELDS } from '../upstreams/known-fields.ts';
import type { Upstream, WireFormat } from '../upstreams/upstream.ts';
import type { Fitness, RouteId } from './route-health.ts';
import type { Destination } from './route-plan.ts';

export const fit: Fitness = { standing: 'closed', waitMs: 0, inFlight: 0, firstByteMs: null };

export const upstreamNamed = (
  name: string,
  formats: readonly WireFormat[] = ['chat'],
  send: Upstream['send'] = () => Promise.reject(new Error('not called')),
): Upstream => ({
  name,
  formats: new Set(formats),
  quirks: NO_QUIRKS,
  fields: PLAIN_FIELDS,
  firstByteTimeoutMs: null,
  hidden: [],
  send,
});

export const routeTo = (upstream: string, weight = 1, model = 'x', priority = 1): Route => ({
  upstream,
  model,
  weight,
  priority,
  drop: [],
});

export function channelOf(
  name: ChannelName,
  first: Route,
  ...others: readonly Route[]
): Channel<ImageCard> {
  const card: ImageCard = {
    unit: 'image',
    id: `card_${name}`,
    model: 'x',
    channel: name,
    currency: 'USD',
    example: true,
    list: null,
    perImage: new Map(),
    drawn: { names: NO_NAMES, admits: { size: [], quality: [] } },
    listed: {},
  };
  return { name, onlyOn: null, card, dated: [], cost: null, routes: [first, ...others] };
}

export const destinationAt = (
  upstream: Upstream,
  channel: ChannelName = 'direct',
): Destination<ImageCard> => {
  const route = routeTo(upstream.name);
  const format = 'chat';
  return {
    channel: channelOf(channel, route),
    route,
    upstream,
    format,
    callerFormat: format,
    isTranslated: false,
    quirks: upstream.quirks,
  };
};

/**
 * Returns route health in which every route may be tried now, except for the differences in
 * `others`.
 */
export const healthOf = (
  others: Readonly<Record<RouteId, Partial<Fitness>>> = {},
): { readonly fitness: (route: RouteId) => Fitness } => ({
  fitness: (route) => ({ ...fit, ...others[route] }),
});
