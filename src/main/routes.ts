/** Everything that can be asked of the gateway: each endpoint with what it needs. */
import { AccountDirectory } from '../accounts/account-directory.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { adminAlertRoutes } from '../http/admin/admin-alert-routes.ts';
import { adminBackupRoutes } from '../http/admin/admin-backup-routes.ts';
import { adminChannelRoutes } from '../http/admin/admin-channel-routes.ts';
import { adminHealthRoutes } from '../http/admin/admin-health-routes.ts';
import { adminMoneyRoutes } from '../http/admin/admin-money-routes.ts';
import { adminPeopleRoutes } from '../http/admin/admin-people-routes.ts';
import { adminPriceRoutes } from '../http/admin/admin-price-routes.ts';
import { adminRedeemRoutes } from '../http/admin/admin-redeem-routes.ts';
import { adminReportRoutes } from '../http/admin/admin-report-routes.ts';
import { adminRoutes } from '../http/admin/admin-routes.ts';
import { adminSettingsRoutes } from '../http/admin/admin-settings-routes.ts';
import { adminUpstreamRoutes } from '../http/admin/admin-upstream-routes.ts';
import { accountRoutes } from '../http/caller/account-routes.ts';
import { catalogueRoutes } from '../http/caller/catalogue-routes.ts';
import type { InferenceDeps } from '../http/caller/idempotent-inference.ts';
import { imageFileRoutes } from '../http/caller/image-file-routes.ts';
import { imageRoutes } from '../http/caller/image-routes.ts';
import { llmsRoutes } from '../http/caller/llms-routes.ts';
import { reportRoutes } from '../http/caller/reports/report-routes.ts';
import { statusRoutes } from '../http/caller/status-routes.ts';
import { textRoutes } from '../http/caller/text-routes.ts';
import { topUpRoutes } from '../http/caller/top-up-routes.ts';
import type { ConsoleAssets } from '../http/console/console-assets.ts';
import { consoleRoutes } from '../http/console/console-routes.ts';
import { peopleRoutes } from '../http/console/people-routes.ts';
import { profileRoutes } from '../http/console/profile-routes.ts';
import { sessionRoutes } from '../http/console/session-routes.ts';
import { idempotentChanges } from '../http/edge/idempotent-changes.ts';
import { openApiDocument } from '../http/edge/openapi.ts';
import type { Route } from '../http/edge/route.ts';
import { serviceRoutes } from '../http/edge/service-routes.ts';
import { Backups } from '../ledger/backups.ts';
import type { Database } from '../ledger/database.ts';
import type { People } from '../people/people.ts';
import type { RelayDeps } from '../relay/sell.ts';
import { AuditLog } from '../reports/audit-log.ts';
import { BooksReport } from '../reports/books-report.ts';
import { StatementsByMonth } from '../reports/monthly-statements.ts';
import { operatorCost } from '../reports/operator-cost.ts';
import { PublishedPrices } from '../reports/published-prices.ts';
import { RequestCosts } from '../reports/request-cost.ts';
import { RequestHistogram } from '../reports/request-histogram.ts';
import { RequestLog } from '../reports/request-log.ts';
import { Spending } from '../reports/spending.ts';
import { Statements } from '../reports/statements.ts';
import { UsageReport } from '../reports/usage-report.ts';
import { channelHealth } from '../routing/channel-health.ts';
import type { RouteHealthBook } from '../routing/route-health.ts';
import { supportedParameters } from '../routing/supported-parameters.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { accountConsoleRoutes } from './account-console.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import type { Images } from './open-images.ts';
import type { TopUps } from './open-top-ups.ts';

export type RouteParts = {
  readonly database: Database;
  readonly relay: RelayDeps;
  readonly idempotency: InferenceDeps['idempotency'];
  readonly images: Images;
  readonly topUps: TopUps;
  readonly consoleAssets: ConsoleAssets;
  readonly live: LiveCatalogue;
  readonly health: RouteHealthBook;
  readonly accounts: Accounts;
  readonly people: People;
  readonly metrics: Metrics;
  readonly isDraining: () => boolean;
};

export function routesOf(
  { config, clock, publicUrl, version }: GatewayDeps,
  parts: RouteParts,
): Route[] {
  const { database, relay, idempotency, images, topUps, live, health, accounts, metrics } = parts;
  const { ledger } = database;
  const { lowBalance } = topUps;
  const registered: Route[] = [
    ...textRoutes({
      ...relay,
      idempotency,
      streamDefault: () => live.config.chat.stream_default,
    }),
    ...imageRoutes({ ...relay, idempotency, ...images }),
    ...imageFileRoutes(images),
    ...catalogueRoutes({
      catalogue: () => live.current,
      health: (channel) => channelHealth(health, channel),
      parameters: (channel) => supportedParameters(channel, relay.upstreams()),
      clock,
      isPublic: config.catalogue.public,
    }),
    ...statusRoutes({
      ...{ health, clock },
      catalogue: () => live.current,
      isPublic: config.status.public && config.catalogue.public,
    }),
    ...llmsRoutes({
      text: () => ({
        ...{ publicUrl, routes },
        catalogue: config.catalogue.public ? live.current : null,
      }),
    }),
    ...adminChannelRoutes({ catalogue: () => live.current }),
    ...adminPriceRoutes({
      prices: new PublishedPrices(database.sql),
      catalogue: () => live.current,
    }),
    ...adminSettingsRoutes(() => live.config),
    ...adminHealthRoutes({ catalogue: () => live.current, health }),
    ...adminUpstreamRoutes({
      upstreams: relay.upstreams,
      catalogue: () => live.current,
      baseUrlOf: (name) => baseUrlOf(live.config, name),
      clock,
    }),
    ...adminRoutes({
      directory: new AccountDirectory(database.sql, clock),
      accounts,
      ledger,
    }),
    ...moneyRoutes(database, live, accounts, topUps, clock),
    ...adminBackupRoutes(new Backups({ database, dataDir: config.data_dir, clock })),
    ...topUpRoutes(topUps),
    ...adminRedeemRoutes({ codes: topUps.codes }),
    ...adminAlertRoutes({ accounts, lowBalance }),
    ...personRoutes(parts.people, clock, publicUrl),
    ...consoleRoutes({ assets: parts.consoleAssets, clock, publicUrl }),
    ...serviceRoutes({
      isDraining: parts.isDraining,
      pingStore: database.ping,
      metrics,
      version,
      openApi: () => openApiDocument(routes, publicUrl, version),
    }),
  ];
  const routes = idempotentChanges(registered, idempotency.keys);
  return routes;
}

/** Who signs in, what they do with that themselves, and who looks after others. */
function personRoutes(people: People, clock: Clock, publicUrl: string): readonly Route[] {
  return [
    ...sessionRoutes({ ...people, publicUrl }),
    ...profileRoutes(people),
    ...peopleRoutes({ ...people, clock }),
    ...adminPeopleRoutes({ ...people, clock }),
  ];
}

function baseUrlOf({ upstreams }: Config, name: string): string | null {
  const settings = upstreams[name];
  return settings === undefined || settings.protocol === 'builtin' ? null : settings.base_url;
}

/** Statements, reports and the audit log for whom they concern, and the administrator's money. */
function moneyRoutes(
  { sql, ledger }: Database,
  live: LiveCatalogue,
  accounts: Accounts,
  topUps: TopUps,
  clock: Clock,
): readonly Route[] {
  const { lowBalance } = topUps;
  const requests = new RequestLog(sql);
  const usage = new UsageReport(sql);
  const reports = {
    statements: new Statements(sql),
    months: new StatementsByMonth(sql),
    requests,
    costs: new RequestCosts(sql),
    usage,
    histogram: new RequestHistogram(sql, usage),
    audit: new AuditLog(sql),
    clock,
  };
  return [
    ...accountRoutes({ ...reports, accounts, ledger, spending: new Spending(sql, clock) }),
    ...reportRoutes(reports),
    ...accountConsoleRoutes({ database: { sql, ledger }, live, accounts, topUps, reports }),
    ...adminReportRoutes({
      ...reports,
      accounts,
      books: new BooksReport(sql),
      operatorCost: (request) => operatorCost(live.current, request),
    }),
    ...adminMoneyRoutes({
      ...{ accounts, ledger, requests, lowBalance, clock },
      catalogue: () => live.current,
    }),
  ];
}
