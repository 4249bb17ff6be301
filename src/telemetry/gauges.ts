/**
 * Metrics computed when `/metrics` is scraped: the current state, and counters of other modules.
 */
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Fitness, type RouteHealth, type RouteId, routeId } from '../routing/route-health.ts';
import type { LoopDelay } from './event-loop-delay.ts';
import { type Metric, readMetric } from './prometheus.ts';

export type RouteStanding = {
  /**
   * The configured name of the upstream. `model` is the name under which the upstream knows the
   * model.
   */
  readonly upstream: string;
  readonly model: string;
  readonly standing: Fitness['standing'];
  readonly inFlight: number;
};

/** The state of backups, with times in milliseconds since 1970; 0 where a value does not exist. */
export type BackupFigures = {
  readonly intervalMs: number;
  readonly lastGoodMs: number;
  readonly failures: number;
};

export type Gauged = {
  /** The version of this program. `runtime` is the version of Bun. */
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
  readonly recallsUnanswered: () => number;
  readonly nodesWithOtherPrices: () => number;
  /**
   * The age, in milliseconds, of the replica's data from which reports are made; 0 without a
   * replica.
   */
  readonly reportAgeMs: () => number;
  readonly configRevision: () => number;
  readonly backups: () => BackupFigures;
  readonly logLinesDropped: () => number;
  readonly spansDropped: () => number;
};

/** Yields the state of each route in the catalogue, only once if several models use the route. */
export function* routeStandings(
  { models }: Pick<Catalogue, 'models'>,
  health: Pick<RouteHealth, 'fitness'>,
): Generator<RouteStanding> {
  const found = new Set<RouteId>();
  for (const { channels } of models.values()) {
    for (const { routes } of channels.values()) {
      for (const { upstream, model } of routes) {
        const id = routeId({ upstream, model });
        if (found.has(id)) continue;
        found.add(id);
        const { standing, inFlight } = health.fitness(id);
        yield { upstream, model, standing, inFlight };
      }
    }
  }
}

const STANDINGS: readonly Fitness['standing'][] = ['closed', 'half_open', 'open', 'cooling', 'off'];
const MICROS = 1e6;

type Read = () => number;

const gauge = (name: string, help: string, read: Read): Metric =>
  readMetric('gauge', name, help, [], () => [[[], read()]]);

const counter = (name: string, help: string, read: Read): Metric =>
  readMetric('counter', name, help, [], () => [[[], read()]]);

export const gauges = (gauged: Gauged): readonly Metric[] => [
  gauge('modelgate_requests_in_flight', 'Running requests with a hold.', gauged.requestsInFlight),
  gauge(
    'modelgate_requests_read_on',
    'Requests whose caller has disconnected but whose answer is still being read.',
    gauged.requestsReadOn,
  ),
  gauge(
    'modelgate_request_bytes_in_flight',
    'Bytes of the bodies of running requests.',
    gauged.requestBytesInFlight,
  ),
  gauge(
    'modelgate_busiest_address_requests',
    'Running requests of the busiest client address.',
    gauged.busiestAddress,
  ),
  counter(
    'modelgate_address_refusals_total',
    'Requests refused because their client address had too many running.',
    gauged.addressRefusals,
  ),
  gauge(
    'modelgate_settlements_spooled',
    'Settlements spooled on this machine while the store is unavailable.',
    gauged.settlementsSpooled,
  ),
  counter(
    'modelgate_recalls_unanswered_total',
    'Recalls of money assigned to a node that did not respond in time.',
    gauged.recallsUnanswered,
  ),
  gauge(
    'modelgate_nodes_with_other_prices',
    'Live nodes whose models, prices or rates differ from those of this node.',
    gauged.nodesWithOtherPrices,
  ),
  gauge(
    'modelgate_report_age_seconds',
    'Age of the data that reports read from a replica; 0 without a replica.',
    () => gauged.reportAgeMs() / 1_000,
  ),
  gauge(
    'modelgate_config_revision',
    'Revision of the configuration that this node runs; 0 if the configuration is kept in a file.',
    gauged.configRevision,
  ),
  ...backupGauges(gauged.backups),
  counter(
    'modelgate_log_lines_dropped_total',
    'Request log lines dropped because the reader of the log was too slow.',
    gauged.logLinesDropped,
  ),
  counter(
    'modelgate_trace_spans_dropped_total',
    'Spans dropped because the collector was too slow or unavailable.',
    gauged.spansDropped,
  ),
  ...(['p50', 'p99', 'max'] as const).map((of) =>
    gauge(
      `modelgate_event_loop_delay_${of}_seconds`,
      `Event loop delay of the last minute, ${of}.`,
      () => gauged.loopDelay()[of] / 1000,
    ),
  ),
  ...routeGauges(gauged.routes),
  ...processMetrics(gauged),
  buildInfo(gauged),
];

/** The standard process metrics of Prometheus clients. */
const processMetrics = (gauged: Gauged): readonly Metric[] => [
  gauge('process_resident_memory_bytes', 'Resident memory.', () => process.memoryUsage.rss()),
  gauge(
    'process_start_time_seconds',
    'Start time of the process, in seconds since 1970.',
    () => gauged.startedAtMs / 1000,
  ),
  counter('process_cpu_seconds_total', 'CPU time, user and system.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / MICROS;
  }),
];

const backupGauges = (figures: Gauged['backups']): readonly Metric[] => [
  gauge(
    'modelgate_backup_interval_seconds',
    'Time between scheduled backups; 0 if none are scheduled.',
    () => figures().intervalMs / 1000,
  ),
  gauge(
    'modelgate_backup_last_success_timestamp_seconds',
    'Time of the newest sound backup of all nodes, in seconds since 1970; 0 before the first.',
    () => figures().lastGoodMs / 1000,
  ),
  counter(
    'modelgate_backup_failures_total',
    'Scheduled backups that failed on this node.',
    () => figures().failures,
  ),
];

const buildInfo = ({ version, runtime }: Gauged): Metric =>
  readMetric(
    'gauge',
    'modelgate_build_info',
    'Always 1; the labels name the version and the runtime.',
    ['version', 'runtime'],
    () => [[[version, runtime], 1]],
  );

/** The routes are read at each scrape, because a reload can add and remove routes. */
const routeGauges = (routes: Gauged['routes']): readonly Metric[] => [
  readMetric(
    'gauge',
    'modelgate_route_standing',
    'State of a route: the state of its circuit breaker, or off if it is out of service. 1 for the current state, else 0.',
    ['upstream', 'model', 'standing'],
    function* () {
      for (const { upstream, model, standing } of routes())
        for (const each of STANDINGS) yield [[upstream, model, each], each === standing ? 1 : 0];
    },
  ),
  readMetric(
    'gauge',
    'modelgate_route_requests_in_flight',
    'Requests in flight on a route.',
    ['upstream', 'model'],
    function* () {
      for (const { upstream, model, inFlight } of routes()) yield [[upstream, model], inFlight];
    },
  ),
];
