/**
 * Opens the telemetry: a log line, metrics and spans for every request, and gauges of the gateway.
 */
import type { AddressRequests } from '../http/edge/address-requests.ts';
import type { RequestBytes } from '../http/edge/request-bytes.ts';
import type { InFlight } from '../relay/in-flight.ts';
import { Notices } from '../reports/notices/notices.ts';
import { exactCost, operatorCost } from '../reports/operator-cost.ts';
import { ChannelHistory } from '../telemetry/channel-history.ts';
import { EventLoopDelay } from '../telemetry/event-loop-delay.ts';
import { type BackupFigures, routeStandings } from '../telemetry/gauges.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { type PromptKeys, PromptLog } from '../telemetry/prompts/prompt-log.ts';
import { PromptSwitch } from '../telemetry/prompts/prompt-switch.ts';
import { AttemptFailures } from '../telemetry/refused/attempt-failures.ts';
import { Refusals } from '../telemetry/refused/refusals.ts';
import { RequestJournal } from '../telemetry/request-journal.ts';
import { RouteHistory } from '../telemetry/route-history.ts';
import { openTracing } from '../telemetry/tracing.ts';
import type { BackupsRoom } from './backup/backups-setup.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { Routing } from './routing-setup.ts';
import type { Store } from './store-setup.ts';

export type TelemetryParts = {
  readonly store: Pick<Store, 'spool' | 'prices' | 'database' | 'unansweredRecalls'>;
  readonly routing: Pick<Routing, 'live' | 'health'>;
  readonly secrets: PromptKeys;
  readonly backups: BackupsRoom;
  readonly inFlight: InFlight;
  readonly requestBytes: Pick<RequestBytes, 'inFlight'>;
  readonly addressRequests: Pick<AddressRequests, 'busiest' | 'refused'>;
};

export type Telemetry = {
  readonly metrics: Metrics;
  readonly journal: RequestJournal;
  readonly history: ChannelHistory;
  readonly routeHistory: RouteHistory;
  readonly notices: Notices;
  readonly refusals: Refusals;
  readonly failures: AttemptFailures;
  readonly promptSwitch: PromptSwitch;
  readonly prompts: PromptLog;
  readonly onReplayed: Metrics['replayed'];
  /**
   * Exports the remaining spans, with a timeout. Does not close the logs that are stored in the
   * database: `closeRooms` closes these before the store.
   */
  readonly close: () => Promise<void>;
};

export function setUpTelemetry(deps: GatewayDeps, parts: TelemetryParts): Telemetry {
  const { clock, requestLines, version } = deps;
  const { store, routing, inFlight, requestBytes, addressRequests } = parts;
  const { live } = routing;
  const loop = new EventLoopDelay(clock);
  const tracing = openTracing(deps, live);
  const metrics = new Metrics({
    clock,
    operatorCost: (receipt) => operatorCost(live.whole, receipt),
    gauged: {
      version,
      runtime: `bun ${Bun.version}`,
      startedAtMs: clock.nowMs(),
      requestsInFlight: () => inFlight.count,
      requestsReadOn: () => inFlight.readOnCount,
      requestBytesInFlight: () => requestBytes.inFlight,
      busiestAddress: () => addressRequests.busiest,
      addressRefusals: () => addressRequests.refused,
      routes: () => routeStandings(live.whole, routing.health),
      loopDelay: () => loop.read(),
      settlementsSpooled: () => store.spool.waiting,
      recallsUnanswered: () => store.unansweredRecalls.count,
      nodesWithOtherPrices: () => store.prices.comparison.others.length,
      backups: () => backupFigures(parts.backups),
      reportAgeMs: store.database.reports.ageMs,
      configRevision: () => live.config.revision ?? 0,
      logLinesDropped: () => requestLines.dropped,
      spansDropped: tracing.dropped,
    },
  });
  const isModel = (id: string): boolean => live.current.all.has(id);
  const history = channelHistory(deps, parts);
  const routeHistory = openRouteHistory(deps, parts);
  const refusals = openRefusals(deps, parts);
  const promptSwitch = new PromptSwitch({ sql: store.database.sql, clock });
  const journal = new RequestJournal({
    clock,
    sampling: tracing.sampling,
    onFinished: (finished) => {
      metrics.finished(finished);
      history.finished(finished);
      routeHistory.finished(finished);
      requestLines.write(finished, isModel);
      tracing.record(finished);
      refusals.finished(finished);
    },
  });
  return {
    metrics,
    journal,
    history,
    routeHistory,
    notices: openNotices(deps, parts),
    refusals,
    failures: attemptFailures(deps, parts),
    promptSwitch,
    prompts: promptLog(deps, parts, promptSwitch),
    onReplayed: (endpoint) => metrics.replayed(endpoint),
    close: async () => {
      loop.stop();
      await tracing.close();
    },
  };
}

const backupFigures = ({ schedule, everyMs }: BackupsRoom): BackupFigures => ({
  intervalMs: everyMs ?? 0,
  lastGoodMs: schedule.state.good?.atMs ?? 0,
  failures: schedule.failures,
});

const channelHistory = (
  { clock, log }: GatewayDeps,
  { store, routing: { live } }: TelemetryParts,
): ChannelHistory =>
  new ChannelHistory({
    sql: store.database.sql,
    clock,
    channelOf: (id, requested) => {
      const model = live.current.all.get(id);
      const isSold = [...(model?.channels.keys() ?? [])].some((name) => name === requested);
      return isSold ? requested : (model?.defaultChannel ?? null);
    },
    onFailure: (thrown) =>
      log.warn({ err: thrown }, 'could not store the request counts of channels; retrying'),
  });

const openRouteHistory = (
  { clock, log }: GatewayDeps,
  { store, routing: { live } }: TelemetryParts,
): RouteHistory =>
  new RouteHistory({
    sql: store.database.sql,
    clock,
    costOf: (receipt) => {
      const { reportedCostPico: pico } = receipt;
      const reported = pico === null ? null : ({ pico, currency: 'USD' } as const);
      return exactCost(live.whole, receipt) ?? reported;
    },
    onFailure: (thrown) =>
      log.warn({ err: thrown }, 'could not store the attempt counts of routes; retrying'),
  });

const openNotices = ({ clock, log }: GatewayDeps, { store }: TelemetryParts): Notices =>
  new Notices({
    sql: store.database.sql,
    clock,
    onFailure: (thrown) =>
      log.warn({ err: thrown }, 'reading the notices of the status page failed; it is retried'),
  });

const openRefusals = (
  { clock, log }: GatewayDeps,
  { store, routing: { live } }: TelemetryParts,
): Refusals =>
  new Refusals({
    sql: store.database.sql,
    clock,
    keptMs: () => live.config.retention.refusals,
    onSampled: (unlisted) =>
      log.warn(unlisted, 'more requests were refused in a minute than are listed; all are counted'),
    onFailure: (thrown) =>
      log.warn({ err: thrown }, 'storing refused requests failed; it will be retried'),
  });

const attemptFailures = (
  { clock, log }: GatewayDeps,
  { store, routing: { live } }: TelemetryParts,
): AttemptFailures =>
  new AttemptFailures({
    sql: store.database.sql,
    clock,
    keptMs: () => live.config.retention.refusals,
    onFailure: (thrown) =>
      log.warn({ err: thrown }, 'could not store the answers of providers to failed attempts'),
  });

const promptLog = (
  { clock, log }: GatewayDeps,
  { store, secrets, routing: { live } }: TelemetryParts,
  promptSwitch: PromptSwitch,
): PromptLog =>
  new PromptLog({
    sql: store.database.sql,
    clock,
    keys: secrets,
    isOn: (caller) => promptSwitch.isOn(caller),
    keptMs: () => live.config.retention.prompts,
    onFailure: (thrown) =>
      log.warn({ err: thrown }, 'storing logged prompts failed; it will be retried'),
  });
