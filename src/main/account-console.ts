/** What the console asks about the account of whoever is signed in. */
import type { Accounts } from '../accounts/accounts.ts';
import type { LiveCatalogue } from '../catalogue/live-catalogue.ts';
import type { ReportDeps } from '../http/caller/reports/reports.ts';
import { consoleAlertRoutes } from '../http/console/console-alert-routes.ts';
import { consoleKeyRoutes } from '../http/console/console-key-routes.ts';
import {
  consoleOverviewRoutes,
  type OverviewDeps,
} from '../http/console/console-overview-routes.ts';
import { consoleReportRoutes } from '../http/console/console-report-routes.ts';
import { consoleTopUpRoutes } from '../http/console/console-top-up-routes.ts';
import type { Route } from '../http/edge/route.ts';
import type { Database } from '../ledger/database.ts';
import { hasSucceeded, recentUse } from '../reports/recent-use.ts';
import type { TopUps } from './open-top-ups.ts';

export type AccountConsoleParts = {
  readonly database: Pick<Database, 'sql' | 'ledger'>;
  readonly live: Pick<LiveCatalogue, 'current'>;
  readonly accounts: Accounts;
  readonly topUps: Pick<TopUps, 'codes' | 'card' | 'lowBalance'>;
  readonly reports: ReportDeps & Pick<OverviewDeps, 'requests'>;
};

export function accountConsoleRoutes(parts: AccountConsoleParts): readonly Route[] {
  const { accounts, live, topUps, reports } = parts;
  const { sql, ledger } = parts.database;
  const { clock } = reports;
  return [
    ...consoleOverviewRoutes({
      ...{ accounts, ledger, clock },
      lowBalance: topUps.lowBalance,
      recentUse: (accountId) => recentUse(sql, accountId, clock.nowMs()),
      hasSucceeded: (accountId) => hasSucceeded(sql, accountId),
      requests: reports.requests,
      catalogue: () => live.current,
    }),
    ...consoleKeyRoutes(accounts),
    ...consoleReportRoutes(reports),
    ...consoleTopUpRoutes(topUps),
    ...consoleAlertRoutes(topUps.lowBalance),
  ];
}
