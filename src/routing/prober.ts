/**
 * Tests routes after a long outage, so that no caller's request has to. Probes contain no caller
 * data.
 */
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Clock } from '../clock.ts';
import { asGatewayError, GatewayError } from '../errors.ts';
import { withRouteDrop } from '../upstreams/known-servers.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { type LastFailure, type RouteHealthBook, type RouteId, routeId } from './route-health.ts';
import { describeFailure, type FailureContext, reportedFailure } from './upstream-failure.ts';
import { type ProbeEnd, type ProbeTarget, probeUpstream } from './upstream-probe.ts';

/** How often the prober looks for due probes. */
const LOOK_EVERY_MS = 1_000;
/**
 * The timeout of a probe. A route that needs longer for the few tokens of a probe has not
 * recovered.
 */
const PROBE_TIMEOUT_MS = 20_000;

export type RouteProbeTarget = ProbeTarget & {
  /** The model's public name, which callers use. */
  readonly knownAs: string;
};

export type ProberOptions = {
  readonly clock: Pick<Clock, 'every' | 'after' | 'monotonicMs'>;
  readonly health: Pick<RouteHealthBook, 'dueForProbe' | 'probed'>;
  readonly catalogue: () => Catalogue;
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
};

export class Prober {
  readonly #options: ProberOptions;
  readonly #running = new Set<RouteId>();
  readonly #stopped = new AbortController();

  /** Starts to look for due probes, until `stop` is called. */
  constructor(options: ProberOptions) {
    this.#options = options;
    const timer = options.clock.every(LOOK_EVERY_MS, () => this.#look());
    this.#stopped.signal.addEventListener('abort', () => timer.cancel());
  }

  stop(): void {
    this.#stopped.abort();
  }

  #look(): void {
    for (const route of this.#options.health.dueForProbe()) {
      if (!this.#running.has(route)) void this.#probe(route);
    }
  }

  async #probe(route: RouteId): Promise<void> {
    const { clock, health, catalogue, upstreams } = this.#options;
    const target = probeTarget(catalogue(), upstreams(), route);
    // The target is null if a reload of the configuration has removed the route in the meantime.
    if (target === null) return;
    this.#running.add(route);
    const failure = await probe(target, clock, this.#stopped.signal);
    this.#running.delete(route);
    if (!this.#stopped.signal.aborted) health.probed(route, failure);
  }
}

/**
 * Returns the target of a probe; null if the route no longer exists, or if its model is not probed.
 * Images cost too much to be probed, and embeddings are not streams.
 */
export function probeTarget(
  { models }: Catalogue,
  upstreams: ReadonlyMap<string, Upstream>,
  id: RouteId,
): RouteProbeTarget | null {
  for (const model of models.values()) {
    if (model.kind !== 'chat') continue;
    for (const { routes } of model.channels.values()) {
      const route = routes.find((each) => routeId(each) === id);
      const upstream = route === undefined ? undefined : upstreams.get(route.upstream);
      if (route === undefined || upstream === undefined) continue;
      const format = (['chat', 'messages', 'responses'] as const).find((each) =>
        upstream.formats.has(each),
      );
      if (format === undefined) continue;
      const quirks = withRouteDrop(upstream.quirks, route.drop);
      return { upstream, model: route.model, quirks, knownAs: model.id, format };
    }
  }
  return null;
}

/** Tests a route. Resolves with null when the route works. Never throws. */
export async function probe(
  target: RouteProbeTarget,
  clock: Pick<Clock, 'after' | 'monotonicMs'>,
  signal: AbortSignal,
): Promise<Omit<LastFailure, 'atMs'> | null> {
  const { end } = await probeUpstream(target, clock, PROBE_TIMEOUT_MS, signal);
  const { upstream, model, knownAs } = target;
  const names = { there: model, here: knownAs };
  const failure = failureOf(end, { hidden: upstream.hidden, model: names });
  // The upstream read the request and refused it as a caller's mistake, so the upstream works.
  if (failure === null || failure.status < 500) return null;
  const { code, message, cause } = failure;
  return { code, cause: `probe: ${cause instanceof Error ? cause.message : message}` };
}

function failureOf(end: ProbeEnd, context: FailureContext): GatewayError | null {
  switch (end.kind) {
    case 'complete':
    // The route works for non-streaming callers, so the probe counts as successful.
    case 'not_streamed':
      return null;
    case 'unanswered':
      return asGatewayError(end.thrown);
    case 'refused':
      return describeFailure(end.response.status, end.text, end.response.headers, context);
    case 'reported':
      return reportedFailure(end.error, context);
    case 'broken_off':
    case 'no_end_mark':
      return new GatewayError('upstream_truncated', 'its answer broke off');
    case 'unusable':
    case 'not_an_answer':
      return new GatewayError('upstream_failed', 'its response was not an answer');
  }
}
