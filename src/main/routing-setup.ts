/** Opens the catalogue, the upstream adapters and the health of routes. */
import type { Catalogue, Route } from '../catalogue/catalogue.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { Config } from '../config/config.ts';
import { publishedCards, publishedRates } from '../ledger/publish.ts';
import { dateOf, dayOf } from '../money/calendar.ts';
import type { StoredConfig } from '../revisions/stored-config.ts';
import {
  ConnectedUpstreams,
  missingSecrets,
  unreachableUpstreams,
} from '../routing/connected-upstreams.ts';
import { Prober, probeTarget } from '../routing/prober.ts';
import { RouteHealthBook, type RouteId, routeId } from '../routing/route-health.ts';
import { RouteStates } from '../routing/route-states.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { requireLists } from './price-lists-setup.ts';
import type { Store } from './store-setup.ts';

export type Routing = {
  readonly live: LiveCatalogue;
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
  readonly health: RouteHealthBook;
  readonly states: RouteStates;
  readonly prober: Pick<Prober, 'stop'>;
};

/** Opens the routing. Publishes price cards and rates first, because receipts refer to them. */
export async function setUpRouting(
  deps: GatewayDeps,
  store: Store,
  stored: StoredConfig | null,
): Promise<Routing> {
  const { config, clock, log } = deps;
  const connected = new ConnectedUpstreams(config, clock, (upstream, message) =>
    log.warn(
      { upstream, reason: message },
      'signing in to an upstream failed; the gateway retries',
    ),
  );
  const upstreams = () => connected.current;
  const health = routeHealth(deps, (route, outageMs) => {
    const { probe, probe_after: afterMs } = live.config.health;
    return probe && outageMs >= afterMs && probeTarget(live.whole, upstreams(), route) !== null;
  });
  const onRefused = (reason: unknown): void => {
    stored?.refused(reason);
    log.error(
      { reason: String(reason) },
      'configuration rejected; the previous one stays in force',
    );
  };
  const applyStates = (): void => setStates(health, live.current, states);
  const reloaded = { upstreams: connected, health, onRefused, applyStates };
  const live = liveCatalogue(deps, store, reloaded);
  const states = new RouteStates({
    sql: store.database.sql,
    clock,
    onChange: applyStates,
    onFailure: (err) =>
      log.warn({ err }, 'reading which routes are out of service failed; it will be retried'),
  });
  setRoutes(health, live.current, config);
  await states.start();
  await requireLists(store.database.sql, config, log);
  await publish(store, { next: live.current, before: null, config });
  const prober = new Prober({ clock, health, catalogue: () => live.whole, upstreams });
  return { live, upstreams, health, states, prober };
}

/**
 * The parts that a reload of the configuration updates. `onRefused` is called when a reload is
 * refused.
 */
type Reloaded = {
  readonly upstreams: ConnectedUpstreams;
  readonly health: RouteHealthBook;
  readonly onRefused: (reason: unknown) => void;
  readonly applyStates: () => void;
};

function liveCatalogue(
  { config, loadConfig, clock, log }: GatewayDeps,
  store: Store,
  { upstreams, health, onRefused, applyStates }: Reloaded,
): LiveCatalogue {
  const logUnreachable = async (current: Config): Promise<void> => {
    for (const { name, message } of await unreachableUpstreams(current, clock)) {
      log.error({ upstream: name }, message);
    }
  };
  void logUnreachable(config);
  logMissing(config, log);
  logEnded(config, clock.nowMs(), log);
  let connect = (): void => undefined;
  const live = new LiveCatalogue({
    config,
    load: loadConfig,
    clock,
    prepare: async (next, catalogue) => {
      await requireLists(store.database.sql, next, log);
      await publish(store, { next: catalogue, before: live.current, config: next });
      connect = upstreams.prepare(next);
      void logUnreachable(next);
      logMissing(next, log);
      logEnded(next, clock.nowMs(), log);
    },
    onReloaded: (catalogue) => {
      // Replaces the upstream adapters right after the catalogue, before any request can run, so
      // that every route has an adapter.
      connect();
      setRoutes(health, catalogue, live.config);
      applyStates();
      const { revision } = live.config;
      log.info(
        { version: catalogue.version, ...(revision === null ? {} : { revision }) },
        'configuration reloaded',
      );
    },
    onRefused,
    onNeedsRestart: (setting) =>
      log.warn({ setting }, 'a changed setting takes effect after a restart'),
  });
  return live;
}

/**
 * Logs each setting that has no value because its secret is missing. The message says what to do.
 */
function logMissing({ secretUses }: Config, log: GatewayDeps['log']): void {
  for (const { path, problem } of secretUses) {
    if (problem !== null) log.error({ setting: path.join('.'), problem }, 'a setting has no value');
  }
}

/** Logs each calendar that has ended. Only settings in the database may have one. */
function logEnded({ calendars }: Config, nowMs: number, log: GatewayDeps['log']): void {
  for (const [calendar, { until }] of Object.entries(calendars)) {
    if (until < dateOf(dayOf(nowMs)))
      log.error(
        { calendar, until },
        'a calendar has ended, so later holidays are charged as working days; add its dates',
      );
  }
}

/**
 * Drops the health of routes that are not in the catalogue, and blocks routes whose upstream has no
 * credential.
 */
function setRoutes(health: RouteHealthBook, catalogue: Catalogue, config: Config): void {
  const routes = [...routesOf(catalogue)];
  health.keepOnly(routes.map(routeId));
  const missing = missingSecrets(config);
  const blocked = new Map<RouteId, string>();
  for (const route of routes) {
    const problem = missing.get(route.upstream);
    if (problem !== undefined) blocked.set(routeId(route), problem);
  }
  health.block(blocked);
}

/** Takes routes out of service that operators have drained or disabled. */
function setStates(health: RouteHealthBook, catalogue: Catalogue, states: RouteStates): void {
  const off = new Set<RouteId>();
  const disabled = new Set<RouteId>();
  for (const route of states.hasAny ? routesOf(catalogue) : []) {
    const state = states.of(route)?.state;
    if (state !== undefined) off.add(routeId(route));
    if (state === 'disabled') disabled.add(routeId(route));
  }
  health.takeOut(off, disabled);
}

type Publication = {
  readonly next: Catalogue;
  /** The catalogue in force, whose prices are already published; null at the start. */
  readonly before: Catalogue | null;
  readonly config: Pick<Config, 'revision'>;
};

/** Publishes the prices of a catalogue in the ledger, and reports them to other nodes. */
async function publish(
  { database, prices }: Pick<Store, 'database' | 'prices'>,
  { next, before, config }: Publication,
): Promise<void> {
  await database.ledger.publish(publishedCards(next, before), publishedRates(next, before));
  await prices.report(next, config.revision);
}

/** Publishes all prices of a catalogue, of which the store may have lost some. */
export const publishAll = ({ database }: Pick<Store, 'database'>, all: Catalogue): Promise<void> =>
  database.ledger.publish(publishedCards(all), publishedRates(all));

/** Opens the health of routes, and logs each change of a circuit breaker. */
const routeHealth = (
  { clock, log }: GatewayDeps,
  isProbed: (route: RouteId, outageMs: number) => boolean,
): RouteHealthBook =>
  new RouteHealthBook({
    clock,
    isProbed,
    onChange: ({ to, waitMs, ...change }) =>
      log[to === 'closed' ? 'info' : 'warn'](
        { to, ...change, waitMs: Math.ceil(waitMs) },
        'a circuit breaker changed state',
      ),
  });

function* routesOf({ all }: Catalogue): Iterable<Route> {
  for (const { channels } of all.values()) {
    for (const { routes } of channels.values()) yield* routes;
  }
}
