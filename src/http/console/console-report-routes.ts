/** The account's own money and requests, for whoever is signed in: the same reports that its keys may read. */
import { ownReports } from '../caller/reports/own-reports.ts';
import type { ReportDeps } from '../caller/reports/reports.ts';
import { consoleRoute, type Route } from '../edge/route.ts';

export const consoleReportRoutes = (deps: ReportDeps): readonly Route[] =>
  ownReports(deps, 'person').map(({ path, doc, answer }) =>
    consoleRoute('GET', path, 'read_only', doc, (call) => answer(call, call.person.accountId)),
  );
