/**
 * Which routes to try, and in which order. Pure: health and chance come in as values.
 *
 * The weights are the operator's will, so they decide as long as the routes fare alike. Requests that
 * share a prompt cache stay on one route; the others go to the less loaded of two that are drawn.
 */
import { hash } from 'node:crypto';
import type { Card, Channel, Route } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { Quirks } from '../protocols/quirks.ts';
import { withRouteDrop } from '../upstreams/known-servers.ts';
import type { Upstream, WireFormat } from '../upstreams/upstream.ts';
import { type Fitness, type RouteHealth, type RouteId, routeId } from './health.ts';
import type { FailureContext } from './upstream-failure.ts';

/** Where a request can be sent: a route of a channel, with all that is needed to send it there. */
export type Destination<C extends Card = Card> = {
  /** The channel that serves if this one answers: its card prices the request. */
  readonly channel: Channel<C>;
  readonly route: Route;
  readonly upstream: Upstream;
  /** What the upstream is asked in: the caller's own dialect where it speaks it. */
  readonly format: WireFormat;
  /** Whether that is not the caller's own dialect. */
  readonly isTranslated: boolean;
  /** The upstream's, and what this route's model refuses. */
  readonly quirks: Quirks;
};

/** What its failures must not show of it, and how its model is called here. */
export const failureContext = ({ upstream, route, channel }: Destination): FailureContext => ({
  upstream: upstream.name,
  hidden: upstream.hidden,
  model: { there: route.model, here: channel.card.model },
});

export type RouteAsk<C extends Card> = {
  /** The channel that serves, then the one it may fail over to: all routes of an earlier one come before those of a later. */
  readonly channels: readonly Channel<C>[];
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** What the request can be said in, the caller's own dialect first. */
  readonly formats: readonly WireFormat[];
  /**
   * Requests of one key go to one route while it is healthy, so that prompt caches stay warm; null: no
   * preference. Asked only where there is a choice, since finding it out takes time.
   */
  readonly affinity: () => string | null;
  readonly health: Pick<RouteHealth, 'fitness'>;
  /** In [0, 1). */
  readonly draw: () => number;
};

/** A route costs this many times as much as another before it gives way to it: noise must not beat the weights. */
const CLEARLY = 2;
/** With fewer requests in flight no route is crowded, however uneven they lie: a session's cache is worth more. */
const NEVER_CROWDED = 16;
/** Bytes of a digest that make a number which a double holds exactly. */
const DRAWN_BYTES = 6;
/** Clients ignore, or overreact to, a `retry-after` that is longer. */
const MAX_RETRY_SECONDS = 60;

type Candidate<C extends Card> = {
  readonly id: RouteId;
  readonly weight: number;
  readonly fitness: Fitness;
  readonly destination: Destination<C>;
};

/**
 * Every route that can take the request and may be tried now, once each, the chosen one first and the
 * others after it as fallbacks. Behind them those that are out, as the last resort, of each channel the
 * soonest first: they are for when nobody else was asked. A route that an earlier channel has already is not tried again for a later.
 *
 * @throws GatewayError `wrong_endpoint` when no route speaks any of the formats; `upstream_overloaded`
 *   when none of those that do may be tried now.
 */
export function planRoutes<C extends Card>(
  ask: RouteAsk<C>,
): readonly [Destination<C>, ...Destination<C>[]] {
  const plan: Destination<C>[] = [];
  const lastResort: Destination<C>[] = [];
  const seen = new Set<RouteId>();
  let shortestWaitMs = Number.POSITIVE_INFINITY;
  for (const channel of ask.channels) {
    const fit: Candidate<C>[] = [];
    const out: Candidate<C>[] = [];
    for (const route of channel.routes) {
      const candidate = candidateOf(ask, channel, route);
      if (candidate === null || seen.has(candidate.id)) continue;
      seen.add(candidate.id);
      if (candidate.fitness.waitMs === 0) fit.push(candidate);
      else if (isLastResort(candidate.fitness)) out.push(candidate);
      else shortestWaitMs = Math.min(shortestWaitMs, candidate.fitness.waitMs);
    }
    for (const { destination } of inOrder(fit, ask)) plan.push(destination);
    out.sort((a, b) => a.fitness.waitMs - b.fitness.waitMs);
    for (const { destination } of out) lastResort.push(destination);
  }
  const [first, ...rest] = [...plan, ...lastResort];
  if (first !== undefined) return [first, ...rest];
  throw seen.size === 0 ? spokenNowhere(ask.formats) : noneFitNow(shortestWaitMs);
}

/**
 * Whether a route that is out may be asked when there is no other. What made it fail may have been one
 * caller's peculiar request, and nobody may take a model from all others with that. A route that asked for
 * a pause gets it.
 */
export const isLastResort = ({ standing }: Fitness): boolean =>
  standing === 'open' || standing === 'half_open';

/** What a caller is told when every route has to be left alone for a while. */
export const noneFitNow = (waitMs: number): GatewayError =>
  new GatewayError(
    'upstream_overloaded',
    'The providers behind this channel are overloaded and get a pause. Try again shortly.',
    { retryAfterSeconds: Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(waitMs / 1000))) },
  );

function spokenNowhere([format]: readonly WireFormat[]): GatewayError {
  const other = format === 'chat' ? '/v1/messages' : '/v2/chat/completions';
  return new GatewayError(
    'wrong_endpoint',
    `This model's channel does not answer here; call it at ${other}.`,
    { param: 'model' },
  );
}

/** Null when its upstream cannot be asked in any of the formats. */
function candidateOf<C extends Card>(
  { upstreams, formats, health }: RouteAsk<C>,
  channel: Channel<C>,
  route: Route,
): Candidate<C> | null {
  const upstream = upstreams.get(route.upstream);
  if (upstream === undefined) return null;
  const format = formats.find((spoken) => upstream.formats.has(spoken));
  if (format === undefined) return null;
  const id = routeId(route);
  const quirks = withRouteDrop(upstream.quirks, route.drop);
  return {
    id,
    weight: route.weight,
    fitness: health.fitness(id),
    destination: {
      channel,
      route,
      upstream,
      format,
      isTranslated: format !== formats[0],
      quirks,
    },
  };
}

function inOrder<C extends Card>(
  candidates: readonly Candidate<C>[],
  { affinity, draw }: RouteAsk<C>,
): readonly Candidate<C>[] {
  if (candidates.length < 2) return candidates;
  const key = affinity();
  return key === null ? byLoad(candidates, draw) : byAffinity(candidates, key);
}

/**
 * Weighted rendezvous hashing: each route draws a number from the key and its own name, and the earliest
 * arrival of a Poisson process with its weight as the rate comes first. So the shares are exactly the
 * weights, every node comes to the same order, and a route that leaves moves none but its own keys.
 */
function byAffinity<C extends Card>(
  candidates: readonly Candidate<C>[],
  key: string,
): readonly Candidate<C>[] {
  const inFlight = candidates.reduce((sum, { fitness }) => sum + fitness.inFlight, 0);
  const weight = candidates.reduce((sum, each) => sum + each.weight, 0);
  const isCrowded = ({ fitness, weight: own }: Candidate<C>): boolean =>
    fitness.inFlight > Math.max(NEVER_CROWDED, (CLEARLY * inFlight * own) / weight);
  const placed = candidates.map((candidate) => ({
    candidate,
    crowded: isCrowded(candidate),
    arrival: -Math.log(drawnFrom(key, candidate.id)) / candidate.weight,
  }));
  placed.sort((a, b) => Number(a.crowded) - Number(b.crowded) || a.arrival - b.arrival);
  return placed.map(({ candidate }) => candidate);
}

/** In (0, 1), the same on every node. */
function drawnFrom(key: string, id: RouteId): number {
  const digest = hash('sha256', `${id}\n${key}`, 'buffer');
  return (digest.readUIntBE(0, DRAWN_BYTES) + 0.5) / 2 ** (8 * DRAWN_BYTES);
}

/** Again and again the better of two that are drawn by weight. */
function byLoad<C extends Card>(
  candidates: readonly Candidate<C>[],
  draw: () => number,
): readonly Candidate<C>[] {
  const left = [...candidates];
  const meanWeight = left.reduce((sum, { weight }) => sum + weight, 0) / left.length;
  const order: Candidate<C>[] = [];
  while (left.length > 0) {
    const chosen = betterOfTwo(left, draw, meanWeight);
    left.splice(left.indexOf(chosen), 1);
    order.push(chosen);
  }
  return order;
}

function betterOfTwo<C extends Card>(
  candidates: readonly Candidate<C>[],
  draw: () => number,
  meanWeight: number,
): Candidate<C> {
  const one = drawByWeight(candidates, draw());
  if (candidates.length === 1) return one;
  const others = candidates.filter((candidate) => candidate !== one);
  const other = drawByWeight(others, draw());
  const queue = ({ fitness, weight }: Candidate<C>): number =>
    1 + (fitness.inFlight * meanWeight) / weight;
  const slower = timesSlower(one.fitness, other.fitness);
  return queue(one) * slower > CLEARLY * queue(other) ? other : one;
}

/** How many times longer the first byte of one takes than the other's; 1 where either is not known. */
const timesSlower = (one: Fitness, other: Fitness): number =>
  one.firstByteMs === null || other.firstByteMs === null
    ? 1
    : (one.firstByteMs + 1) / (other.firstByteMs + 1);

function drawByWeight<C extends Card>(
  candidates: readonly Candidate<C>[],
  drawn: number,
): Candidate<C> {
  const total = candidates.reduce((sum, { weight }) => sum + weight, 0);
  let left = drawn * total;
  for (const candidate of candidates) {
    left -= candidate.weight;
    if (left < 0) return candidate;
  }
  const last = candidates.at(-1);
  if (last === undefined) throw new Error('there is nothing to draw from');
  return last;
}

const RESOLUTION = 2 ** 16;

/** In [0, 1), for `draw`. */
export function randomFraction(clock: Pick<Clock, 'randomBytes'>): number {
  const [high = 0, low = 0] = clock.randomBytes(2);
  return (high * 256 + low) / RESOLUTION;
}
