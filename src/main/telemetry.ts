/** What the gateway tells of itself: a line, figures and spans for every request, and how it stands. */
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { RequestBytes } from '../http/edge/request-bytes.ts';
import type { InFlight } from '../relay/in-flight.ts';
import { operatorCost } from '../reports/operator-cost.ts';
import { type RouteHealth, type RouteId, routeId } from '../routing/health.ts';
import { EventLoopDelay } from '../telemetry/event-loop-delay.ts';
import type { RouteStanding } from '../telemetry/gauges.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { RequestJournal } from '../telemetry/request-journal.ts';
import { openTracing } from '../telemetry/tracing.ts';
import type { Books } from './books.ts';
import type { GatewayDeps } from './gateway-deps.ts';

export type TelemetryParts = Pick<Books, 'spool'> & {
  readonly inFlight: InFlight;
  readonly live: LiveCatalogue;
  readonly health: Pick<RouteHealth, 'fitness'>;
  readonly requestBytes: Pick<RequestBytes, 'inFlight'>;
};

export type Telemetry = {
  readonly metrics: Metrics;
  readonly journal: RequestJournal;
  readonly onReplayed: Metrics['replayed'];
  /** Sends what spans are left, within a limit. */
  readonly close: () => Promise<void>;
};

export function openTelemetry(deps: GatewayDeps, parts: TelemetryParts): Telemetry {
  const { clock, requestLines, version } = deps;
  const { inFlight, live, health, spool, requestBytes } = parts;
  const loop = new EventLoopDelay(clock);
  const tracing = openTracing(deps, live);
  const metrics = new Metrics({
    operatorCost: (receipt) => operatorCost(live.current, receipt),
    gauged: {
      version,
      runtime: `bun ${Bun.version}`,
      startedAtMs: clock.nowMs(),
      requestsInFlight: () => inFlight.count,
      requestBytesInFlight: () => requestBytes.inFlight,
      routes: () => standings(live, health),
      loopDelay: () => loop.read(),
      settlementsSpooled: () => spool.waiting,
      logLinesDropped: () => requestLines.dropped,
      spansDropped: tracing.dropped,
    },
  });
  const isModel = (id: string): boolean => live.current.models.has(id);
  const journal = new RequestJournal({
    clock,
    sampling: tracing.sampling,
    onOver: (finished) => {
      metrics.finished(finished);
      requestLines.write(finished, isModel);
      tracing.record(finished);
    },
  });
  return {
    metrics,
    journal,
    onReplayed: (endpoint) => metrics.replayed(endpoint),
    close: async () => {
      loop.stop();
      await tracing.close();
    },
  };
}

/** Every route that the catalogue in force names, once. */
function standings(
  live: LiveCatalogue,
  health: Pick<RouteHealth, 'fitness'>,
): readonly RouteStanding[] {
  const found = new Map<RouteId, RouteStanding>();
  for (const { channels } of live.current.models.values()) {
    for (const { routes } of channels.values()) {
      for (const { upstream, model } of routes) {
        const id = routeId({ upstream, model });
        if (found.has(id)) continue;
        const { standing, inFlight } = health.fitness(id);
        found.set(id, { upstream, model, standing, inFlight });
      }
    }
  }
  return [...found.values()];
}
