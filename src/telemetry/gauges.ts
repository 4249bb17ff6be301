/** Metrics computed when `/metrics` is scraped: current state, and counts kept by other modules. */
import type { Registry } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import Gauge from 'prom-client/lib/gauge.js';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Standing } from '../routing/breaker.ts';
import { type RouteHealth, type RouteId, routeId } from '../routing/route-health.ts';
import type { LoopDelay } from './event-loop-delay.ts';

export type RouteStanding = {
  /** The configured name of the upstream; `model` is the upstream's own model name. */
  readonly upstream: string;
  readonly model: string;
  readonly standing: Standing;
  readonly inFlight: number;
};

export type Gauged = {
  /** The version of this program; `runtime` is the version of Bun. */
  readonly version: string;
  readonly runtime: string;
  /** The start time of the process, in milliseconds since 1970. */
  readonly startedAtMs: number;
  readonly requestsInFlight: () => number;
  readonly requestsReadOn: () => number;
  readonly requestBytesInFlight: () => number;
  readonly busiestAddress: () => number;
  readonly addressRefusals: () => number;
  readonly routes: () => Iterable<RouteStanding>;
  readonly loopDelay: () => LoopDelay;
  readonly settlementsSpooled: () => number;
  readonly nodesWithOtherPrices: () => number;
  readonly logLinesDropped: () => number;
  readonly spansDropped: () => number;
};

/** Returns the state of each route in the catalogue, without duplicates. */
export function routeStandings(
  { models }: Pick<Catalogue, 'models'>,
  health: Pick<RouteHealth, 'fitness'>,
): readonly RouteStanding[] {
  const found = new Map<RouteId, RouteStanding>();
  for (const { channels } of models.values()) {
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

const STANDINGS: readonly Standing[] = ['closed', 'half_open', 'open', 'cooling'];
const MICROS = 1e6;

export function addGauges(registry: Registry, gauged: Gauged): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  };
  const counter = (name: string, help: string, read: () => number): void => {
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  };
  gauge('modelgate_requests_in_flight', 'Requests with money held.', gauged.requestsInFlight);
  gauge(
    'modelgate_requests_read_on',
    'Requests whose caller has left while the answer is read on.',
    gauged.requestsReadOn,
  );
  gauge(
    'modelgate_request_bytes_in_flight',
    'Bytes of the bodies of running requests.',
    gauged.requestBytesInFlight,
  );
  gauge(
    'modelgate_busiest_address_requests',
    'Running requests of the client address that has most.',
    gauged.busiestAddress,
  );
  counter(
    'modelgate_address_refusals_total',
    'Requests refused because their client address had too many running.',
    gauged.addressRefusals,
  );
  gauge(
    'modelgate_settlements_spooled',
    'Settlements spooled on this machine while the store is unavailable.',
    gauged.settlementsSpooled,
  );
  gauge(
    'modelgate_nodes_with_other_prices',
    'Live nodes whose models, prices or rates differ from those of this node.',
    gauged.nodesWithOtherPrices,
  );
  counter(
    'modelgate_log_lines_dropped_total',
    'Request log lines dropped because the reader was too slow.',
    gauged.logLinesDropped,
  );
  counter(
    'modelgate_trace_spans_dropped_total',
    'Spans dropped because the collector was too slow or unavailable.',
    gauged.spansDropped,
  );
  for (const of of ['p50', 'p99', 'max'] as const) {
    const help = `Event loop delay of the last minute, ${of}.`;
    gauge(`modelgate_event_loop_delay_${of}_seconds`, help, () => gauged.loopDelay()[of] / 1000);
  }
  addRoutes(registry, gauged.routes);
  // These are the standard process metrics of Prometheus clients.
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss());
  gauge('process_start_time_seconds', 'Start time, since 1970.', () => gauged.startedAtMs / 1000);
  counter('process_cpu_seconds_total', 'CPU time, user and system.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROS;
  });
  addBuildInfo(registry, gauged);
}

function addBuildInfo(registry: Registry, { version, runtime }: Gauged): void {
  new Gauge({
    name: 'modelgate_build_info',
    help: 'Always 1; the labels name the version and the runtime.',
    labelNames: ['version', 'runtime'],
    registers: [registry],
  }).set({ version, runtime }, 1);
}

/** Each scrape rebuilds the gauges of routes, because a reload can add and remove routes. */
function addRoutes(registry: Registry, routes: Gauged['routes']): void {
  new Gauge({
    name: 'modelgate_route_standing',
    help: 'Circuit breaker of a route: 1 for its current state, 0 for the others.',
    labelNames: ['upstream', 'model', 'standing'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { upstream, model, standing } of routes()) {
        for (const each of STANDINGS)
          this.set({ upstream, model, standing: each }, each === standing ? 1 : 0);
      }
    },
  });
  new Gauge({
    name: 'modelgate_route_requests_in_flight',
    help: 'Requests in flight on a route.',
    labelNames: ['upstream', 'model'],
    registers: [registry],
    collect() {
      this.reset();
      for (const { upstream, model, inFlight } of routes()) this.set({ upstream, model }, inFlight);
    },
  });
}
