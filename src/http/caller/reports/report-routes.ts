/** The reports of an account, for any of its API keys. */
import { callerRoutes, type Route } from '../../edge/route.ts';
import { ownReports } from './own-reports.ts';
import type { ReportDeps } from './reports.ts';

export const reportRoutes = (deps: ReportDeps): readonly Route[] =>
  ownReports(deps, 'program').flatMap(({ at, doc, answer }) =>
    callerRoutes(at, doc, (call) => answer(call, call.caller.accountId)),
  );
