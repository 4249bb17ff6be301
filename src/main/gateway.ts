/** The composition root: builds every room and connects them. */
import { join } from 'node:path';
import { Accounts } from '../accounts/accounts.ts';
import { AuditLog } from '../accounts/audit-log.ts';
import { BooksReport } from '../accounts/books-report.ts';
import { ControlFeed } from '../accounts/control-feed.ts';
import { IdempotencyKeys } from '../accounts/idempotency-keys.ts';
import { Limiter } from '../accounts/limiter.ts';
import { RequestCosts } from '../accounts/request-cost.ts';
import { RequestLog } from '../accounts/request-log.ts';
import { Spending } from '../accounts/spending.ts';
import { Statements } from '../accounts/statements.ts';
import { UsageReport } from '../accounts/usage-report.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { accountRoutes } from '../http/account-routes.ts';
import { adminAlertRoutes } from '../http/admin-alert-routes.ts';
import { adminMoneyRoutes } from '../http/admin-money-routes.ts';
import { adminRedeemRoutes } from '../http/admin-redeem-routes.ts';
import { adminReportRoutes } from '../http/admin-report-routes.ts';
import { adminRoutes } from '../http/admin-routes.ts';
import { catalogueRoutes } from '../http/catalogue-routes.ts';
import { createEdge, type Edge } from '../http/edge.ts';
import type { OnceDeps } from '../http/idempotency.ts';
import { imageFileRoutes } from '../http/image-file-routes.ts';
import { imageRoutes } from '../http/image-routes.ts';
import { Metrics } from '../http/metrics.ts';
import { openApiDocument } from '../http/openapi.ts';
import { operatorCost } from '../http/operator-cost.ts';
import { reportRoutes } from '../http/report-routes.ts';
import type { Route } from '../http/route.ts';
import { serviceRoutes } from '../http/service-routes.ts';
import { textRoutes } from '../http/text-routes.ts';
import { topUpRoutes } from '../http/top-up-routes.ts';
import type { ImageStore } from '../images/image-store.ts';
import { openLocalImageStore } from '../images/local-store.ts';
import { S3ImageStore } from '../images/s3-store.ts';
import { ImageUrls } from '../images/signed-url.ts';
import { loadSigningKey } from '../images/signing-key.ts';
import { startImageSweep } from '../images/sweep.ts';
import type { Database } from '../ledger/database.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { publishedCards, publishedRates } from '../ledger/publication.ts';
import { SettlementSpool } from '../ledger/settlement-spool.ts';
import { InFlight } from '../relay/in-flight.ts';
import type { RelayDeps } from '../relay/relay-text.ts';
import type { Upstream } from '../upstreams/upstream.ts';
import { loadAdminToken } from './admin-token.ts';
import { ConnectedUpstreams } from './connect-upstreams.ts';
import { type FirstStart, firstStart } from './first-start.ts';
import type { Log } from './log.ts';
import { NodeLease } from './node-lease.ts';
import { openDatabase } from './open-database.ts';
import { openTopUps, type TopUps } from './open-top-ups.ts';

const IMAGE_FOLDER = 'images';
const SPOOL_FILE = 'spool.db';
/** After the streams are ended, their settlements get this long. */
const SETTLE_GRACE_MS = 5_000;

export type GatewayDeps = {
  readonly config: Config;
  readonly loadConfig: () => Config;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Where callers reach the gateway. */
  readonly publicUrl: string;
};

export type Gateway = {
  readonly edge: Edge;
  readonly live: LiveCatalogue;
  readonly firstStart: FirstStart | null;
  /** Refuses new requests, waits for those that run, settles, and closes everything. */
  readonly close: () => Promise<void>;
};

export async function openGateway(deps: GatewayDeps): Promise<Gateway> {
  const { config, clock, log } = deps;
  const books = await openBooks(deps);
  const { ledger, sql } = books.database;
  const { live, upstreams } = liveParts(deps, ledger);
  await publish(ledger, live.current);

  const accounts = new Accounts({
    sql,
    clock,
    onLastUsedFailure: (thrown) => log.warn({ err: thrown }, 'last use of keys not written yet'),
  });
  const { feed } = controls(deps, books, accounts);
  const first = await firstStart({ accounts, ledger, catalogue: live.current, config, clock });
  const images = await openImages(deps);
  const inFlight = new InFlight(clock, (thrown) =>
    log.error({ err: thrown }, 'a request could not be looked after'),
  );
  const metrics = new Metrics(() => inFlight.count);
  const relay = relayDeps(deps, { ...books, inFlight, metrics, live, upstreams });
  const keys = idempotencyKeys(deps, books);
  const topUps = await openTopUps(deps, books.database);

  let draining = false;
  const isDraining = (): boolean => draining;
  const idempotency = { keys, onReplayed: metrics.replayed.bind(metrics) };
  const shared = { relay, idempotency, images, live, accounts, topUps, metrics, isDraining };
  const parts = { ...books, ...shared };
  const routes = routesOf(deps, parts);
  const edge = createEdge(routes, {
    clock,
    authenticate: (headers, address) => accounts.authenticateRequest(headers, address),
    trustedProxies: config.trusted_proxies,
    adminToken: loadAdminToken(config, clock),
    publicUrl: deps.publicUrl,
    isDraining,
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
    await images.sweep.stop();
    await keys.close();
    await topUps.close();
    feed.stop();
    await accounts.close();
    await books.close();
  };
  return { edge, live, firstStart: first, close };
}

type Books = {
  readonly database: Database;
  readonly spool: SettlementSpool;
  readonly lease: Pick<NodeLease, 'epoch'>;
  readonly close: () => Promise<void>;
};

/** The store, with this process's lease on it and what waits on this machine's disk to be written. */
async function openBooks({ config, clock, log }: GatewayDeps): Promise<Books> {
  const database = await openDatabase(config, clock);
  const spool = new SettlementSpool(join(config.data_dir, SPOOL_FILE));
  const lease = await NodeLease.take({
    ledger: database.ledger,
    spool,
    clock,
    log,
    name: config.node_name,
    onNodes: () => undefined,
  });
  const close = async (): Promise<void> => {
    await lease.stop();
    spool.close();
    await database.close();
  };
  return { database, spool, lease, close };
}

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

/** The limits that are counted in this process, and what tells it of changes that others make. */
function controls({ clock, log }: GatewayDeps, books: Books, accounts: Accounts) {
  const feed = new ControlFeed({
    sql: books.database.sql,
    clock,
    onFailure: (thrown) =>
      log.warn(
        { err: thrown },
        'changes of keys and accounts cannot be read; they are tried again',
      ),
  });
  feed.subscribe((change) => accounts.forget(change));
  feed.start();
  void feed.poll();
  return { feed, limiter: new Limiter({ clock }) };
}

type RouteParts = {
  readonly database: Database;
  readonly relay: RelayDeps;
  readonly idempotency: OnceDeps['idempotency'];
  readonly images: Awaited<ReturnType<typeof openImages>>;
  readonly live: LiveCatalogue;
  readonly accounts: Accounts;
  readonly topUps: TopUps;
  readonly metrics: Metrics;
  readonly isDraining: () => boolean;
};

/** Everything that can be asked of the gateway. */
function routesOf({ config, clock, publicUrl, version }: GatewayDeps, parts: RouteParts): Route[] {
  const { database, relay, idempotency, images, live, accounts, topUps, metrics, isDraining } =
    parts;
  const { ledger, sql } = database;
  const routes: Route[] = [
    ...textRoutes({
      ...relay,
      idempotency,
      streamDefault: () => live.config.chat.stream_default,
    }),
    ...imageRoutes({ ...relay, idempotency, ...images }),
    ...imageFileRoutes(images),
    ...catalogueRoutes({ catalogue: () => live.current, isPublic: config.catalogue.public }),
    ...accountRoutes({ accounts, ledger, spending: new Spending(sql, clock) }),
    ...adminRoutes({ accounts, ledger, clock }),
    ...topUpRoutes(topUps),
    ...adminRedeemRoutes(topUps),
    ...adminAlertRoutes({ accounts, lowBalance: topUps.lowBalance }),
    ...moneyRoutes(database, live, accounts, clock),
    ...serviceRoutes({
      isDraining,
      pingStore: database.ping,
      metrics,
      version,
      openApi: () => openApiDocument(routes, publicUrl, version),
    }),
  ];
  return routes;
}

/** Statements, reports and the audit log for whom they concern, and the administrator's money. */
function moneyRoutes(
  { sql, ledger }: Database,
  live: LiveCatalogue,
  accounts: Accounts,
  clock: Clock,
): readonly Route[] {
  const requests = new RequestLog(sql);
  const reports = {
    statements: new Statements(sql),
    requests,
    costs: new RequestCosts(sql),
    usage: new UsageReport(sql),
    audit: new AuditLog(sql),
    clock,
  };
  return [
    ...reportRoutes(reports),
    ...adminReportRoutes({
      ...reports,
      accounts,
      books: new BooksReport(sql),
      operatorCost: (request) => operatorCost(live.config.models, live.current, request),
    }),
    ...adminMoneyRoutes({ accounts, ledger, requests, catalogue: () => live.current, clock }),
  ];
}

/** The catalogue in force and the adapters that serve it, which a reload replaces together. */
function liveParts({ config, loadConfig, clock, log }: GatewayDeps, ledger: Ledger) {
  const upstreams = new ConnectedUpstreams(config, clock);
  const live = new LiveCatalogue({
    config,
    load: loadConfig,
    clock,
    prepare: async (next, catalogue) => {
      await publish(ledger, catalogue);
      upstreams.replace(next);
    },
    onReloaded: (catalogue) => log.info({ version: catalogue.version }, 'configuration reloaded'),
    onRefused: (reason) =>
      log.error(
        { reason: String(reason) },
        'configuration not reloaded; the old one stays in force',
      ),
    onNeedsRestart: (setting) =>
      log.warn({ setting }, 'this change takes effect at the next start'),
  });
  return { live, upstreams: () => upstreams.current };
}

/** Cards and rates are in the books before any receipt can name them. */
async function publish(ledger: Ledger, catalogue: Catalogue): Promise<void> {
  await ledger.publish(publishedCards(catalogue), publishedRates(catalogue));
}

async function openImages({ config, clock, log, publicUrl }: GatewayDeps) {
  const { images } = config;
  const store: ImageStore =
    images.store === 'local'
      ? await openLocalImageStore(join(config.data_dir, IMAGE_FOLDER), clock)
      : new S3ImageStore(
          {
            bucket: images.bucket,
            endpoint: images.endpoint,
            accessKeyId: images.access_key_id,
            secretAccessKey: images.secret_access_key.reveal(),
            ...(images.region === undefined ? {} : { region: images.region }),
            ...(images.prefix === undefined ? {} : { prefix: images.prefix }),
          },
          clock,
        );
  const lifetimeMs = images.url_ttl;
  const keys = await loadSigningKey(config.data_dir, clock);
  const urls = new ImageUrls({ publicUrl, keys, lifetimeMs, clock });
  const onFailure = (error: unknown): void =>
    log.warn({ err: error }, 'an expired image was not deleted yet');
  return { store, urls, sweep: startImageSweep({ store, clock, lifetimeMs, onFailure }) };
}

type RelayParts = Pick<Books, 'database' | 'spool' | 'lease'> & {
  readonly inFlight: InFlight;
  readonly metrics: Metrics;
  readonly live: LiveCatalogue;
  readonly upstreams: () => ReadonlyMap<string, Upstream>;
};

function relayDeps({ config, clock, log }: GatewayDeps, parts: RelayParts): RelayDeps {
  const { limits } = config;
  return {
    ledger: parts.database.ledger,
    clock,
    epoch: () => parts.lease.epoch,
    spool: parts.spool,
    inFlight: parts.inFlight,
    catalogue: () => parts.live.current,
    upstreams: parts.upstreams,
    limits: {
      keepAliveMs: limits.keep_alive,
      idleTimeoutMs: limits.idle_timeout,
      firstByteTimeoutMs: limits.first_byte_timeout,
      stallTimeoutMs: limits.stall_timeout,
      totalTimeoutMs: limits.total_timeout,
      firstEventHoldMs: limits.first_event_hold,
      maxAnswerBytes: limits.answer_size,
      maxEventBytes: limits.event_size,
    },
    onSettled: (settled) => parts.metrics.settled(settled),
    onBrokenStream: (requestId, { code, message, cause }) =>
      log.warn({ requestId, code, cause: describeCause(cause) }, message),
    onSettleFailed: (command, thrown) => {
      parts.metrics.settleFailed();
      // With this line the command can be booked by hand: nothing else knows of it.
      log.error({ command: JSON.stringify(command, bigintAsText), err: thrown }, 'not booked');
    },
  };
}

const bigintAsText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? String(value) : value;

/** The cause tells the operator what the caller must not see; it is masked where it was made. */
function describeCause(cause: unknown): string | null {
  if (cause === undefined || cause === null) return null;
  return cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
}
