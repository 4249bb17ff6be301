/** The composition root: builds every room and connects them. */
import { Accounts } from '../accounts/accounts.ts';
import { Limiter } from '../accounts/limits/limiter.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import { attendanceOf } from '../http/edge/authorize.ts';
import { createEdge, type Edge } from '../http/edge/edge.ts';
import { RequestBytes } from '../http/edge/request-bytes.ts';
import { IdempotencyKeys } from '../idempotency/idempotency-keys.ts';
import type { NewLink } from '../people/one-time-links.ts';
import type { People } from '../people/people.ts';
import { InFlight } from '../relay/in-flight.ts';
import { loadAdminToken } from './admin-token.ts';
import { type Books, openBooks } from './books.ts';
import { startControlFeed } from './controls.ts';
import { type FirstStart, firstStart } from './first-start.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { openConsole } from './open-console.ts';
import { openImages } from './open-images.ts';
import { openConsolePeople } from './open-people.ts';
import { openRouting } from './open-routing.ts';
import { openTopUps } from './open-top-ups.ts';
import { describeCause, relayDeps } from './relay-deps.ts';
import { routesOf } from './routes.ts';
import { openTelemetry } from './telemetry.ts';

/** After the streams are ended, their settlements get this long: until a store that is away is given up. */
const SETTLE_GRACE_MS = 8_000;

export type Gateway = {
  readonly edge: Edge;
  readonly live: LiveCatalogue;
  readonly firstStart: FirstStart | null;
  /** Makes the first administrator, once; null: there is one. */
  readonly setupLink: NewLink | null;
  /** Refuses new requests, waits for those that run, settles, and closes everything. */
  readonly close: () => Promise<void>;
};

export async function openGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, clock, log } = deps;
  const limiter = new Limiter({ clock });
  const books = await openBooks(deps, (nodes) => limiter.setShare(nodes));
  const { ledger, sql } = books.database;
  const routing = await openRouting(deps, ledger);
  const { live } = routing;

  const accounts = new Accounts({
    sql,
    clock,
    onLastUsedFailure: (thrown) => log.warn({ err: thrown }, 'last use of keys not written yet'),
  });
  const first = await firstStart({ accounts, ledger, catalogue: live.current, config, clock });
  const images = await openImages(deps);
  const topUps = await openTopUps(deps, books.database);
  const people = await openConsolePeople(deps, books);
  const consoleAssets = await openConsole(deps);
  const inFlight = new InFlight(clock, (thrown) =>
    log.error({ err: thrown }, 'a request could not be looked after'),
  );
  const feed = startControlFeed(deps, books, accounts, inFlight);
  const requestBytes = new RequestBytes(config.limits.request_bytes);
  const telemetry = openTelemetry(deps, { ...books, ...routing, inFlight, requestBytes });
  const relay = relayDeps(deps, {
    ...books,
    ...routing,
    ...telemetry,
    inFlight,
    limiter,
    lowBalance: topUps.lowBalance,
  });
  const keys = idempotencyKeys(deps, books);

  let draining = false;
  const isDraining = (): boolean => draining;
  const idempotency = { keys, onReplayed: telemetry.onReplayed };
  const parts = {
    ...books,
    ...routing,
    ...{ relay, idempotency, images, topUps, consoleAssets, accounts, people, isDraining },
    metrics: telemetry.metrics,
  };
  const routes = routesOf(deps, parts);
  const edge = createEdge(routes, {
    journal: telemetry.journal,
    authenticate: (headers, address) => accounts.authenticateRequest(headers, address),
    playgroundOf: ({ accountId, id }, address) => accounts.playgroundOf(accountId, id, address),
    signedIn: (headers) => signedIn(people, headers),
    requireTotp: people.requireTotp,
    trustedProxies: config.trusted_proxies,
    adminToken: loadAdminToken(config, clock),
    publicUrl: deps.publicUrl,
    isDraining,
    requestBytes,
    during: (answer) => inFlight.during(answer),
    onFailure: (requestId, path, error) =>
      log.error(
        { requestId, path, code: error.code, cause: describeCause(error.cause) },
        error.message,
      ),
  });
  const close = async (): Promise<void> => {
    draining = true;
    const cut = await inFlight.drain(live.config.limits.drain, SETTLE_GRACE_MS);
    if (cut > 0) log.warn({ cut }, 'requests ended before they were finished');
    routing.prober.stop();
    await images.sweep.stop();
    await keys.close();
    feed.stop();
    await topUps.close();
    await accounts.close();
    await books.close();
    await telemetry.close();
  };
  const setupLink = await newSetupLink(people);
  return { edge, live, firstStart: first, setupLink, close };
}

async function signedIn({ sessions }: Pick<People, 'sessions'>, headers: Headers) {
  const session = await sessions.of(headers.get('cookie'), attendanceOf(headers));
  return session?.person ?? null;
}

/** A start that finds nobody makes a new link, and those of earlier starts no longer work. */
const newSetupLink = async ({ joining }: People): Promise<NewLink | null> =>
  (await joining.setupNeeded()) ? await joining.newSetupLink('system') : null;

/** What is known of requests that may be made again under the same `Idempotency-Key`. */
function idempotencyKeys({ config, clock, log }: GatewayDeps, books: Books): IdempotencyKeys {
  return new IdempotencyKeys({
    sql: books.database.sql,
    clock,
    epoch: () => books.lease.epoch,
    totalTimeoutMs: config.limits.total_timeout,
    onFailure: (thrown) =>
      log.warn({ err: thrown }, 'an Idempotency-Key could not be looked after; it is tried again'),
  });
}
