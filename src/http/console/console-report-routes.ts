/** Reports on the signed-in person's account: the same reports that its API keys can read. */
import { type OwnReportDeps, ownReports } from '../caller/reports/own-reports.ts';
import { consoleRoute, type Route } from '../edge/route.ts';

export const consoleReportRoutes = (deps: OwnReportDeps): readonly Route[] =>
  ownReports(deps, 'person').map(({ at, doc, answer }) =>
    consoleRoute(at, 'read_only', doc, (call) => answer(call, call.person.accountId)),
  );
