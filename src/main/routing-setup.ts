/** Opens the catalogue, the upstream adapters and the health of routes. */
import type { Catalogue } from '../catalogue/catalogue.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { Config } from '../config/config.ts';
import { publishedCards, publishedRates } from '../ledger/publish.ts';
import { ConnectedUpstreams, unreachableUpstreams } from '../routing/connected-upstreams.ts';
import { Prober, probeTarget } from '../routing/prober.ts';
import { RouteHealthBook, type RouteId, routeId } from '../routing/route-health.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { Store } from './store-setup.ts';

export type Routing = {
  readonly live: LiveCatalogue;
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
  readonly health: RouteHealthBook;
  readonly prober: Pick<Prober, 'stop'>;
};

/** Opens the routing. Publishes cards and rates first, because receipts refer to them. */
export async function setUpRouting(deps: GatewayDeps, store: Store): Promise<Routing> {
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
    return probe && outageMs >= afterMs && probeTarget(live.current, upstreams(), route) !== null;
  });
  const live = liveCatalogue(deps, store, connected, health);
  health.keepOnly(routesOf(live.current));
  await publish(store, live.current);
  const prober = new Prober({ clock, health, catalogue: () => live.current, upstreams });
  return { live, upstreams, health, prober };
}

function liveCatalogue(
  { config, loadConfig, clock, log }: GatewayDeps,
  store: Store,
  upstreams: ConnectedUpstreams,
  health: RouteHealthBook,
): LiveCatalogue {
  const logUnreachable = async (current: Config): Promise<void> => {
    for (const { name, message } of await unreachableUpstreams(current, clock)) {
      log.error({ upstream: name }, message);
    }
  };
  void logUnreachable(config);
  let connect = (): void => undefined;
  return new LiveCatalogue({
    config,
    load: loadConfig,
    clock,
    prepare: async (next, catalogue) => {
      await publish(store, catalogue);
      connect = upstreams.prepare(next);
      void logUnreachable(next);
    },
    onReloaded: (catalogue) => {
      // Adapters and catalogue are replaced together, so that every route has its upstream.
      connect();
      health.keepOnly(routesOf(catalogue));
      log.info({ version: catalogue.version }, 'configuration reloaded');
    },
    onRefused: (reason) =>
      log.error(
        { reason: String(reason) },
        'configuration rejected; the previous one stays in force',
      ),
    onNeedsRestart: (setting) =>
      log.warn({ setting }, 'a changed setting takes effect after a restart'),
  });
}

/** Publishes the prices in the ledger, and reports them to the other nodes. */
async function publish(
  { database, prices }: Pick<Store, 'database' | 'prices'>,
  catalogue: Catalogue,
): Promise<void> {
  await database.ledger.publish(publishedCards(catalogue), publishedRates(catalogue));
  await prices.report(catalogue);
}

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

function* routesOf({ models }: Catalogue): Iterable<RouteId> {
  for (const { channels } of models.values()) {
    for (const { routes } of channels.values()) yield* routes.map(routeId);
  }
}
