/**
 * Decides the order in which routes are tried. The priority comes first. Within a priority,
 * requests that share a prompt cache stay on one route. For any other request, the gateway draws
 * two routes by weight. It takes the first unless the second is clearly faster or less loaded.
 */
import { hash } from 'node:crypto';
import type { Card, Channel, Route } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { GatewayError } from '../errors.ts';
import type { Quirks } from '../protocols/quirks.ts';
import { withRouteDrop } from '../upstreams/known-servers.ts';
import type { Upstream, WireFormat } from '../upstreams/upstream.ts';
import { type Fitness, type RouteHealth, type RouteId, routeId } from './route-health.ts';
import type { FailureContext } from './upstream-failure.ts';

/** A route of a channel, with everything needed to send a request to it. */
export type Destination<C extends Card = Card> = {
  /** The channel that serves if this route answers; its price card is charged. */
  readonly channel: Channel<C>;
  readonly route: Route;
  readonly upstream: Upstream;
  /**
   * The format in which the request is sent upstream. It is the caller's protocol if the upstream
   * supports that.
   */
  readonly format: WireFormat;
  /** The protocol in which the caller sent the request. */
  readonly callerFormat: WireFormat;
  /** Whether the format differs from the caller's protocol. */
  readonly isTranslated: boolean;
  /** The upstream's quirks. Their `drop` also lists the fields that this route's model refuses. */
  readonly quirks: Quirks;
};

/**
 * Returns the data from which `upstreamFailure` makes an error message: the upstream's name for
 * operators, the texts to mask, and the model's names at the upstream and for callers.
 */
export const failureContext = ({ upstream, route, channel }: Destination): FailureContext => ({
  upstream: upstream.name,
  hidden: upstream.hidden,
  model: { there: route.model, here: channel.card.model },
});

export type RouteAsk<C extends Card> = {
  /**
   * The channels to try in order. All routes of the first channel come before those of its
   * fallback.
   */
  readonly channels: readonly Channel<C>[];
  readonly upstreams: ReadonlyMap<string, Upstream>;
  /** The formats in which the request can be written. The caller's own protocol is first. */
  readonly formats: readonly WireFormat[];
  /**
   * Returns the affinity key or null. It is called only if there are several routes, since it takes
   * time.
   */
  readonly affinity: () => string | null;
  readonly health: Pick<RouteHealth, 'fitness'>;
  /** Returns a random number in [0, 1). */
  readonly draw: () => number;
};

/**
 * If the first of two drawn routes is slower or more loaded by this factor, the second is chosen.
 */
const CLEARLY = 2;
/**
 * A route with at most this many requests in flight never counts as crowded: its warm prompt cache
 * is worth more than the lower load of another route.
 */
const NEVER_CROWDED = 16;
/** How many bytes of a digest make one number: few enough for a double to hold it exactly. */
const DRAWN_BYTES = 6;
/** Maximum `retry-after` in seconds, since clients ignore longer waits or overreact to them. */
const MAX_RETRY_SECONDS = 60;

type Candidate<C extends Card> = {
  readonly id: RouteId;
  readonly weight: number;
  readonly fitness: Fitness;
  readonly destination: Destination<C>;
};

/**
 * Returns the routes that may be tried now, in the order in which to try them. As a last resort,
 * the routes with an open breaker follow, whatever their priority; within a channel, the route with
 * the shortest pause comes first.
 * @throws GatewayError `wrong_endpoint` when no route accepts a format; `upstream_overloaded` when
 *   no route may be tried now.
 */
export function planRoutes<C extends Card>(
  ask: RouteAsk<C>,
): readonly [Destination<C>, ...Destination<C>[]] {
  const plan: Destination<C>[] = [];
  const lastResort: Destination<C>[] = [];
  const seen: RouteId[] = [];
  let shortestWaitMs = Number.POSITIVE_INFINITY;
  for (const channel of ask.channels) {
    // The routes of one priority that may be tried now. `channel.routes` is sorted by priority.
    let fit: Candidate<C>[] = [];
    let priority = channel.routes[0].priority;
    let out: Candidate<C>[] = NO_CANDIDATES;
    for (const route of channel.routes) {
      if (route.priority !== priority) {
        for (const { destination } of inOrder(fit, ask)) plan.push(destination);
        fit = [];
        priority = route.priority;
      }
      const candidate = candidateOf(ask, channel, route);
      if (candidate === null || seen.includes(candidate.id)) continue;
      seen.push(candidate.id);
      if (candidate.fitness.waitMs === 0) fit.push(candidate);
      else if (isLastResort(candidate.fitness)) out = [...out, candidate];
      else shortestWaitMs = Math.min(shortestWaitMs, candidate.fitness.waitMs);
    }
    for (const { destination } of inOrder(fit, ask)) plan.push(destination);
    for (const { destination } of bySoonest(out)) lastResort.push(destination);
  }
  for (const destination of lastResort) plan.push(destination);
  if (isFilled(plan)) return plan;
  throw seen.length === 0 ? notAvailableHere(ask) : noneFitNow(shortestWaitMs);
}

const NO_CANDIDATES: never[] = [];

const bySoonest = <C extends Card>(candidates: readonly Candidate<C>[]): readonly Candidate<C>[] =>
  candidates.length < 2
    ? candidates
    : candidates.toSorted((a, b) => a.fitness.waitMs - b.fitness.waitMs);

const isFilled = <Each>(list: Each[]): list is [Each, ...Each[]] => list.length > 0;

/**
 * Whether a route may be tried as a last resort although its breaker is not closed. Its failures
 * may have been due to unusual requests.
 */
export const isLastResort = ({ standing }: Fitness): boolean =>
  standing === 'open' || standing === 'half_open';

export const noneFitNow = (waitMs: number): GatewayError =>
  new GatewayError(
    'upstream_overloaded',
    'No provider of this channel can take requests now. Retry shortly.',
    { retryAfterSeconds: Math.min(MAX_RETRY_SECONDS, Math.max(1, Math.ceil(waitMs / 1000))) },
  );

/**
 * The formats and their endpoints. An error message recommends the first endpoint whose format the
 * channel supports.
 */
const ENDPOINTS: readonly (readonly [WireFormat, string])[] = [
  ['chat', '/v2/chat/completions'],
  ['messages', '/v1/messages'],
  ['responses', '/v1/responses'],
  ['images', '/v2/images/generations'],
];

function notAvailableHere({ channels, upstreams }: RouteAsk<Card>): GatewayError {
  const routes = channels.flatMap((channel) => channel.routes);
  const right = ENDPOINTS.find(([format]) =>
    routes.some(({ upstream }) => upstreams.get(upstream)?.formats.has(format) === true),
  );
  const remedy = right === undefined ? 'Choose another model' : `Call the model at ${right[1]}`;
  return new GatewayError(
    'wrong_endpoint',
    `This model's channel is not available at this endpoint. ${remedy}.`,
    { param: 'model' },
  );
}

/** Returns the route as a candidate; null when its upstream accepts none of the formats. */
function candidateOf<C extends Card>(
  { upstreams, formats, health }: RouteAsk<C>,
  channel: Channel<C>,
  route: Route,
): Candidate<C> | null {
  const upstream = upstreams.get(route.upstream);
  if (upstream === undefined) return null;
  let format = formats[0];
  // The caller's own protocol is tried before the search, since nearly every upstream speaks it.
  if (format === undefined || !upstream.formats.has(format))
    format = formats.find((spoken) => upstream.formats.has(spoken));
  const [callerFormat] = formats;
  if (format === undefined || callerFormat === undefined) return null;
  const id = routeId(route);
  const destination = destinationOf({ channel, route, upstream, format, callerFormat });
  return { id, weight: route.weight, fitness: health.fitness(id), destination };
}

/** The last destination of each route, cached because the next request usually needs the same. */
const lastOf = new WeakMap<Route, Destination>();

function destinationOf<C extends Card>(
  given: Omit<Destination<C>, 'isTranslated' | 'quirks'>,
): Destination<C> {
  const { channel, route, upstream, format, callerFormat } = given;
  const last = lastOf.get(route);
  if (
    last !== undefined &&
    last.channel === channel &&
    last.upstream === upstream &&
    last.format === format &&
    last.callerFormat === callerFormat
  )
    return last as Destination<C>;
  const isTranslated = format !== callerFormat;
  const made = { ...given, isTranslated, quirks: withRouteDrop(upstream.quirks, route.drop) };
  lastOf.set(route, made);
  return made;
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
 * Orders the routes by weighted rendezvous hashing of the affinity key (`arrival` is exponentially
 * distributed), with crowded routes last. With this method, traffic follows the weights, all nodes
 * agree on the order, and removing a route moves only the keys of that route.
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

/**
 * Returns a number in (0, 1) that is derived from the key and the route, so that it is the same on
 * every node.
 */
function drawnFrom(key: string, id: RouteId): number {
  const digest = hash('sha256', `${id}\n${key}`, 'buffer');
  return (digest.readUIntBE(0, DRAWN_BYTES) + 0.5) / 2 ** (8 * DRAWN_BYTES);
}

/** Orders the candidates: repeatedly draws two routes by weight and takes the better one. */
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

/** Returns the ratio of the two routes' times to the first byte; 1 if either is unknown. */
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
  if (last === undefined) throw new Error('no candidate to draw from');
  return last;
}

const RESOLUTION = 2 ** 16;

/** Returns a random number in [0, 1), for `draw`. */
export function randomFraction(clock: Pick<Clock, 'randomBytes'>): number {
  const [high = 0, low = 0] = clock.randomBytes(2);
  return (high * 256 + low) / RESOLUTION;
}
