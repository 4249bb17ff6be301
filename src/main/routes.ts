/** Collects all routes of the gateway with their dependencies, grouped by who may call them. */
import { AccountDirectory } from '../accounts/account-directory.ts';
import { accountsOnLists } from '../accounts/accounts-on-lists.ts';
import type { Config } from '../config/config.ts';
import { adminAccountRoutes } from '../http/admin/admin-account-routes.ts';
import { adminAlertRoutes } from '../http/admin/admin-alert-routes.ts';
import { adminChannelRoutes } from '../http/admin/admin-channel-routes.ts';
import { adminHealthRoutes } from '../http/admin/admin-health-routes.ts';
import { adminKeyRoutes } from '../http/admin/admin-key-routes.ts';
import { adminLedgerRoutes } from '../http/admin/admin-ledger-routes.ts';
import { adminMailRoutes } from '../http/admin/admin-mail-routes.ts';
import { adminMoneyRoutes } from '../http/admin/admin-money-routes.ts';
import { adminPeopleRoutes } from '../http/admin/admin-people-routes.ts';
import { adminPriceRoutes } from '../http/admin/admin-price-routes.ts';
import { adminPromptRoutes } from '../http/admin/admin-prompt-routes.ts';
import { adminReconcileRoutes } from '../http/admin/admin-reconcile-routes.ts';
import { adminRedeemRoutes } from '../http/admin/admin-redeem-routes.ts';
import { adminReportRoutes } from '../http/admin/admin-report-routes.ts';
import { adminSettingsRoutes } from '../http/admin/admin-settings-routes.ts';
import { adminStreamRoutes } from '../http/admin/admin-stream-routes.ts';
import { adminSummaryRoutes } from '../http/admin/admin-summary-routes.ts';
import { adminUpstreamRoutes } from '../http/admin/admin-upstream-routes.ts';
import { archiveRoutes } from '../http/admin/archives/archive-routes.ts';
import { backupRoutes } from '../http/admin/backups/backup-routes.ts';
import { changedUpstream } from '../http/admin/config/changed-upstream.ts';
import type { ConfigDeps } from '../http/admin/config/config-calls.ts';
import { configRoutes } from '../http/admin/config/config-routes.ts';
import { priceDataRoutes } from '../http/admin/config/price-data-routes.ts';
import { priceListRoutes } from '../http/admin/config/price-list-routes.ts';
import { pricePreviewRoutes } from '../http/admin/config/price-preview-routes.ts';
import { adminProviderRoutes } from '../http/admin/providers/admin-provider-routes.ts';
import { adminSecretRoutes } from '../http/admin/secrets/admin-secret-routes.ts';
import { noticeRoutes } from '../http/admin/traffic/notice-routes.ts';
import { routeHistoryRoutes } from '../http/admin/traffic/route-history-routes.ts';
import { routeStateRoutes } from '../http/admin/traffic/route-state-routes.ts';
import { accountRoutes } from '../http/caller/account-routes.ts';
import { azureRoutes } from '../http/caller/azure-routes.ts';
import { catalogueRoutes } from '../http/caller/catalogue-routes.ts';
import type { HealthOf } from '../http/caller/channel-health-body.ts';
import { embeddingRoutes } from '../http/caller/embedding-routes.ts';
import { geminiRoutes } from '../http/caller/gemini-routes.ts';
import { imageFileRoutes } from '../http/caller/images/image-file-routes.ts';
import { imageRoutes } from '../http/caller/images/image-routes.ts';
import { managingRoutes } from '../http/caller/keys/managing-routes.ts';
import { llmsRoutes } from '../http/caller/llms-routes.ts';
import { withAge } from '../http/caller/reports/data-age.ts';
import { reportRoutes } from '../http/caller/reports/report-routes.ts';
import { statusRoutes } from '../http/caller/status/status-routes.ts';
import { textRoutes } from '../http/caller/text-routes.ts';
import { topUpRoutes } from '../http/caller/top-up-routes.ts';
import { consoleAlertRoutes } from '../http/console/console-alert-routes.ts';
import { consoleKeyRoutes } from '../http/console/console-key-routes.ts';
import { consoleOverviewRoutes } from '../http/console/console-overview-routes.ts';
import { consolePromptRoutes } from '../http/console/console-prompt-routes.ts';
import { consoleReportRoutes } from '../http/console/console-report-routes.ts';
import { consoleRoutes } from '../http/console/console-routes.ts';
import { consoleTopUpRoutes } from '../http/console/console-top-up-routes.ts';
import { consoleWebhookRoutes } from '../http/console/console-webhook-routes.ts';
import { membershipRoutes } from '../http/console/membership-routes.ts';
import { passkeyRoutes } from '../http/console/passkey-routes.ts';
import { peopleRoutes } from '../http/console/people-routes.ts';
import { profileRoutes } from '../http/console/profile-routes.ts';
import { sessionRoutes } from '../http/console/session-routes.ts';
import { viewRoutes } from '../http/console/view-routes.ts';
import { idempotentChanges } from '../http/edge/idempotent-changes.ts';
import { openApiDocument } from '../http/edge/openapi.ts';
import type { Route } from '../http/edge/route.ts';
import { serviceRoutes } from '../http/edge/service-routes.ts';
import { withDescribedFields } from '../http/reference/described-fields.ts';
import { openArchive } from '../ledger/archive/receipt-archive.ts';
import { resetFutureWindows } from '../ledger/future-windows.ts';
import { AuditLog } from '../reports/audit-log.ts';
import { BooksByMonth } from '../reports/books-by-month.ts';
import { BooksReport } from '../reports/books-report.ts';
import { StatementsByMonth } from '../reports/monthly-statements.ts';
import { ImageSums } from '../reports/operator/image-sums.ts';
import { OperatorSummary } from '../reports/operator/operator-summary.ts';
import { PricePreview } from '../reports/operator/price-preview.ts';
import { configuredCost, operatorCost } from '../reports/operator-cost.ts';
import { Overruns } from '../reports/overruns.ts';
import { PublishedPrices } from '../reports/published-prices.ts';
import { hasSucceeded, recentUse } from '../reports/recent-use.ts';
import { RequestCosts } from '../reports/request-cost.ts';
import { RequestHistogram } from '../reports/request-histogram.ts';
import { RequestLog } from '../reports/request-log.ts';
import { Spending } from '../reports/spending.ts';
import { Statements } from '../reports/statements.ts';
import { UsageReport } from '../reports/usage-report.ts';
import { channelHealth } from '../routing/channel-health.ts';
import { supportedParameters } from '../routing/supported-parameters.ts';
import type { HistorySnapshot } from '../telemetry/channel-history.ts';
import { RefusalLog } from '../telemetry/refused/refusal-log.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { movingIn } from './move-in/move-in-setup.ts';
import { priceListsIn } from './price-lists-setup.ts';
import type { Rooms } from './rooms.ts';
import { loadSeals } from './secrets.ts';
import { configDeps } from './settings-setup.ts';

export function routesOf(deps: GatewayDeps, rooms: Rooms, isReady: () => boolean): Route[] {
  const { publicUrl, version } = deps;
  const reports = reportsOf(deps, rooms);
  const aged = withAge(rooms.store.database.reports.asOfMs);
  const routes: Route[] = idempotentChanges(
    aged([
      ...forCallers(deps, rooms, reports),
      ...llmsRoutes(() => ({
        name: rooms.routing.live.config.brand.name,
        publicUrl,
        routes,
        catalogue: catalogueIn(rooms),
      })),
      ...forAdministrators(deps, rooms, reports),
      ...forPeople(deps, rooms, reports),
      ...serviceRoutes({
        isReady,
        pingStore: rooms.store.database.ping,
        hasSamePrices: () => rooms.store.prices.isReady,
        metrics: rooms.telemetry.metrics,
        version,
        openApi: (isForCallers) => {
          const isShown = ({ doc }: Route) => !isForCallers || !INTERNAL_TAGS.includes(doc.tag);
          return withDescribedFields(openApiDocument(routes.filter(isShown), publicUrl, version));
        },
      }),
    ]),
    rooms.idempotency.keys,
  );
  return routes;
}

/** The tags of routes for the console and for administrators. */
const INTERNAL_TAGS: readonly Route['doc']['tag'][] = ['console', 'admin'];

type Reports = ReturnType<typeof reportsOf>;

function reportsOf({ clock }: GatewayDeps, { store, telemetry }: Rooms) {
  const { sql, reports } = store.database;
  const usage = new UsageReport(reports);
  return {
    statements: new Statements(sql),
    months: new StatementsByMonth(reports),
    requests: new RequestLog(sql, reports),
    costs: new RequestCosts(sql),
    usage,
    histogram: new RequestHistogram(reports, usage),
    audit: new AuditLog(sql),
    refusals: new RefusalLog(sql, () => telemetry.refusals.flush()),
    clock,
  };
}

/** Returns the routes for an API key, for no credential, or for a session (the playground). */
function forCallers(
  { config, clock, publicUrl }: GatewayDeps,
  rooms: Rooms,
  reports: Reports,
): readonly Route[] {
  const { store, routing, shop, idempotency, images, topUps, accounts } = rooms;
  const { sql, ledger } = store.database;
  const { live, health } = routing;
  const history = async () => await rooms.telemetry.history.current();
  const healthOf =
    (counts: HistorySnapshot): HealthOf =>
    (model, channel) =>
      channelHealth(health, channel, counts.of(model.id, channel.name));
  const inference = [
    ...textRoutes({
      shop,
      countRules: {
        limiter: rooms.countLimiter,
        perMinute: config.limits.count_tokens_per_minute,
        wallets: (accountId) => ledger.wallets(accountId),
      },
      clock,
      idempotency,
      streamDefault: () => live.config.chat.stream_default,
      seals: loadSeals(config, clock),
      prompts: rooms.telemetry.prompts,
    }),
    ...embeddingRoutes({ shop, clock, idempotency }),
    ...imageRoutes({
      ...{ shop, clock, idempotency, shelf: { ...images, clock } },
      statusHoldMs: config.limits.image_status_hold,
    }),
    ...catalogueRoutes({
      catalogue: () => live.current,
      priceLists: priceListsIn(accounts),
      health: async () => healthOf(await history()),
      parameters: (channel) => supportedParameters(channel, shop.upstreams()),
      clock,
      isPublic: () => live.config.catalogue.public,
    }),
  ];
  return [
    ...inference,
    ...azureRoutes(inference),
    ...geminiRoutes(inference, config.limits.event_size),
    ...imageFileRoutes(images),
    ...statusRoutes({
      siteName: () => live.config.brand.name,
      history,
      notices: () => rooms.telemetry.notices.current(),
      healthOf,
      publicUrl,
      clock,
      catalogue: () => live.current,
      isPublic: () => isStatusPublic(live.config),
    }),
    ...accountRoutes({
      ...{ ...reports, accounts, ledger, spending: new Spending(sql, clock) },
      memberCaps: rooms.people.memberCaps,
    }),
    ...managingRoutes(accounts),
    ...reportRoutes(reports),
    ...topUpRoutes(topUps),
  ];
}

function forAdministrators(deps: GatewayDeps, rooms: Rooms, reports: Reports): readonly Route[] {
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

/** Returns the routes that connect, list and test upstreams. */
function forUpstreams(
  { clock }: GatewayDeps,
  { routing }: Rooms,
  configured: ConfigDeps,
): readonly Route[] {
  const { live, upstreams } = routing;
  return [
    ...adminProviderRoutes({
      limits: () => live.config.limits,
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

/** Returns the routes of the console: its pages, sign-in and the signed-in person's account. */
function forPeople(
  { clock, publicUrl }: GatewayDeps,
  rooms: Rooms,
  reports: Reports,
): readonly Route[] {
  const { store, routing, people, topUps, accounts } = rooms;
  const { sql, ledger } = store.database;
  const entry = { ...people, publicUrl, clock, brand: () => routing.live.config.brand };
  return [
    ...consoleOverviewRoutes({
      accounts,
      memberCaps: people.memberCaps,
      ledger,
      clock,
      lowBalance: topUps.lowBalance,
      recentUse: (accountId) => recentUse(sql, accountId, clock.nowMs()),
      hasSucceeded: (accountId) => hasSucceeded(sql, accountId),
      requests: reports.requests,
      catalogue: () => routing.live.current,
    }),
    ...consoleKeyRoutes(accounts),
    ...consoleReportRoutes(reports),
    ...consolePromptRoutes(promptDeps(rooms)),
    ...consoleTopUpRoutes(topUps),
    ...consoleAlertRoutes({ ...topUps, ...people, mail: rooms.mail, clock }),
    ...consoleWebhookRoutes(topUps.accountHooks),
    ...sessionRoutes(entry),
    ...passkeyRoutes(entry),
    ...viewRoutes(people),
    ...membershipRoutes({ ...people, accounts }),
    ...profileRoutes(people),
    ...peopleRoutes({ ...people, accounts, clock }),
    ...consoleRoutes({
      assets: rooms.consoleAssets,
      clock,
      pages: () => ({
        publicUrl,
        catalogue: catalogueIn(rooms),
        isStatusPublic: isStatusPublic(routing.live.config),
        isIndexable: routing.live.config.console.indexable,
        brand: routing.live.config.brand,
      }),
    }),
  ];
}

/** Returns the dependencies of the routes that change and read the log of prompts. */
function promptDeps({ telemetry, secrets, accounts, routing }: Rooms) {
  const { prompts, promptSwitch } = telemetry;
  return {
    prompts: {
      one: prompts.one.bind(prompts),
      delete: prompts.delete.bind(prompts),
      noteRead: prompts.noteRead.bind(prompts),
      requireKey: () => secrets.firstKey(),
    },
    promptSwitch,
    accounts,
    keptMs: () => routing.live.config.retention.prompts,
  };
}

/** Returns the catalogue if it is public; otherwise null. */
const catalogueIn = ({ routing: { live } }: Rooms) =>
  live.config.catalogue.public ? live.current : null;

const isStatusPublic = ({ status, catalogue }: Config): boolean =>
  status.public && catalogue.public;

function baseUrlOf({ upstreams }: Config, name: string): string | null {
  const settings = upstreams[name];
  return settings === undefined || settings.protocol === 'builtin' ? null : settings.base_url;
}
