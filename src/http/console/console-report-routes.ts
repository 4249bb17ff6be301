/** Reports on the signed-in person's account, the same that its API keys can read. */
import { ownReports } from '../caller/reports/own-reports.ts';
import type { ReportDeps } from '../caller/reports/reports.ts';
import { consoleRoute, type Route } from '../edge/route.ts';

export const consoleReportRoutes = (deps: ReportDeps): readonly Route[] =>
  ownReports(deps, 'person').map(({ at, doc, answer }) =>
    consoleRoute(at, 'read_only', doc, (call) => answer(call, call.person.accountId)),
  );
