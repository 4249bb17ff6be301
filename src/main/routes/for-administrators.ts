/** Collects the routes for administrators. */
import { AccountDirectory } from '../../accounts/account-directory.ts';
import { accountsOnLists } from '../../accounts/accounts-on-lists.ts';
import type { Config } from '../../config/config.ts';
import { adminAccountRoutes } from '../../http/admin/admin-account-routes.ts';
import { adminAlertRoutes } from '../../http/admin/admin-alert-routes.ts';
import { adminChannelRoutes } from '../../http/admin/admin-channel-routes.ts';
import { adminHealthRoutes } from '../../http/admin/admin-health-routes.ts';
import { adminKeyRoutes } from '../../http/admin/admin-key-routes.ts';
import { adminLedgerRoutes } from '../../http/admin/admin-ledger-routes.ts';
import { adminMailRoutes } from '../../http/admin/admin-mail-routes.ts';
import { adminMoneyRoutes } from '../../http/admin/admin-money-routes.ts';
import { adminPeopleRoutes } from '../../http/admin/admin-people-routes.ts';
import { adminPriceRoutes } from '../../http/admin/admin-price-routes.ts';
import { adminPromptRoutes } from '../../http/admin/admin-prompt-routes.ts';
import { adminReconcileRoutes } from '../../http/admin/admin-reconcile-routes.ts';
import { adminRedeemRoutes } from '../../http/admin/admin-redeem-routes.ts';
import { adminReportRoutes } from '../../http/admin/admin-report-routes.ts';
import { adminSettingsRoutes } from '../../http/admin/admin-settings-routes.ts';
import { adminStreamRoutes } from '../../http/admin/admin-stream-routes.ts';
import { adminSummaryRoutes } from '../../http/admin/admin-summary-routes.ts';
import { adminUpstreamRoutes } from '../../http/admin/admin-upstream-routes.ts';
import { archiveRoutes } from '../../http/admin/archives/archive-routes.ts';
import { backupRoutes } from '../../http/admin/backups/backup-routes.ts';
import { changedUpstream } from '../../http/admin/config/changed-upstream.ts';
import type { ConfigDeps } from '../../http/admin/config/config-calls.ts';
import { configRoutes } from '../../http/admin/config/config-routes.ts';
import { priceDataRoutes } from '../../http/admin/config/price-data-routes.ts';
import { priceListRoutes } from '../../http/admin/config/price-list-routes.ts';
import { pricePreviewRoutes } from '../../http/admin/config/price-preview-routes.ts';
import { adminProviderRoutes } from '../../http/admin/providers/admin-provider-routes.ts';
import { adminSecretRoutes } from '../../http/admin/secrets/admin-secret-routes.ts';
import { noticeRoutes } from '../../http/admin/traffic/notice-routes.ts';
import { routeHistoryRoutes } from '../../http/admin/traffic/route-history-routes.ts';
import { routeStateRoutes } from '../../http/admin/traffic/route-state-routes.ts';
import type { Route } from '../../http/edge/route.ts';
import { openArchive } from '../../ledger/archive/receipt-archive.ts';
import { resetFutureWindows } from '../../ledger/future-windows.ts';
import { BooksByMonth } from '../../reports/books-by-month.ts';
import { BooksReport } from '../../reports/books-report.ts';
import { ImageSums } from '../../reports/operator/image-sums.ts';
import { OperatorSummary } from '../../reports/operator/operator-summary.ts';
import { PricePreview } from '../../reports/operator/price-preview.ts';
import { configuredCost, operatorCost } from '../../reports/operator-cost.ts';
import { Overruns } from '../../reports/overruns.ts';
import { PublishedPrices } from '../../reports/published-prices.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import { movingIn } from '../move-in/move-in-setup.ts';
import type { Rooms } from '../rooms.ts';
import { configDeps } from '../settings-setup.ts';
import { promptDeps, type Reports } from './route-deps.ts';

export function forAdministrators(
  deps: GatewayDeps,
  rooms: Rooms,
  reports: Reports,
): readonly Route[] {
  const { clock } = deps;
  const { store, routing, topUps, accounts } = rooms;
  const { sql, ledger, reports: reads } = store.database;
  const { live, health, states, upstreams } = routing;
  const catalogue = () => live.whole;
  const configured = configDeps(deps, rooms);
  const costs = {
    ...reports,
    images: new ImageSums(sql),
    costOf: (model: string, channel: string) => configuredCost(live.whole, model, channel),
    fx: () => live.current.fx,
  };
  return [
    ...adminChannelRoutes({ catalogue, clock }),
    ...adminPriceRoutes({ prices: new PublishedPrices(sql), catalogue: () => live.current, clock }),
    ...adminSettingsRoutes(() => live.config),
    ...adminSecretRoutes({
      vault: rooms.secrets,
      uses: () => live.config.secretUses,
      apply: rooms.secretsChanged.apply,
    }),
    ...configRoutes(configured),
    ...priceListRoutes({ config: () => live.config, accountsOn: () => accountsOnLists(sql) }),
    ...priceDataRoutes({ ...configured, clock }),
    ...pricePreviewRoutes({
      ...configured,
      catalogue,
      preview: new PricePreview({ ...costs, sql }),
    }),
    ...adminHealthRoutes({ catalogue, health, states, clock }),
    ...routeStateRoutes({ states, catalogue, upstreams, clock }),
    ...routeHistoryRoutes({ history: rooms.telemetry.routeHistory, clock }),
    ...noticeRoutes({ notices: rooms.telemetry.notices, catalogue: () => live.current, clock }),
    ...forUpstreams(deps, rooms, configured),
    ...adminAccountRoutes({
      directory: new AccountDirectory(sql, clock, ledger.inMemory),
      accounts,
      ledger,
      priceLists: () => [...live.current.lists.keys()],
    }),
    ...adminLedgerRoutes({
      resetWindows: (actor, nowMs) => resetFutureWindows(sql, actor, nowMs),
      clock,
      ledger,
      overruns: new Overruns(sql, reports.costs),
    }),
    ...backupRoutes(rooms.backups),
    ...archiveRoutes(openArchive(deps, store.database)),
    ...adminReconcileRoutes({ ...rooms.reconciling, clock }),
    ...adminKeyRoutes(accounts),
    ...adminReportRoutes({
      ...reports,
      accounts,
      books: new BooksReport(sql),
      booksByMonth: new BooksByMonth(reads, costs),
      failures: rooms.telemetry.failures,
      operatorCost: (request) => operatorCost(live.whole, request),
    }),
    ...adminStreamRoutes(clock),
    ...adminSummaryRoutes({ summary: new OperatorSummary(reads, costs), ...rooms.backups, clock }),
    ...adminMoneyRoutes({
      accounts,
      ledger: topUps.ledger,
      requests: reports.requests,
      clock,
      catalogue,
    }),
    ...adminRedeemRoutes({ codes: topUps.codes }),
    ...adminPromptRoutes({ ...promptDeps(rooms), accounts }),
    ...adminAlertRoutes({ accounts, ...topUps, ...topUps.accountHooks }),
    ...adminMailRoutes({ ...rooms.mail, clock }),
    ...adminPeopleRoutes({ ...rooms.people, accounts, clock }),
    ...movingIn(deps, rooms),
  ];
}

/** Returns the routes for administrators that are about providers and upstreams. */
function forUpstreams(
  { clock }: GatewayDeps,
  { routing }: Rooms,
  configured: ConfigDeps,
): readonly Route[] {
  const { live, upstreams } = routing;
  return [
    ...adminProviderRoutes({
      limits: () => live.started.limits,
      connected: (name) => {
        const settings = live.config.upstreams[name];
        const upstream = upstreams().get(name);
        if (settings === undefined || upstream === undefined) return null;
        return settings.protocol === 'builtin' ? null : { upstream, settings };
      },
      clock,
    }),
    ...adminUpstreamRoutes({
      upstreams,
      catalogue: () => live.whole,
      baseUrlOf: (name) => baseUrlOf(live.config, name),
      changed: (name, patch) => changedUpstream({ ...configured, clock }, name, patch),
      clock,
    }),
  ];
}

function baseUrlOf({ upstreams }: Config, name: string): string | null {
  const settings = upstreams[name];
  return settings === undefined || settings.protocol === 'builtin' ? null : settings.base_url;
}
