/** The reports of an account, for any of its API keys. */
import { callerRoutes, type Route } from '../../edge/route.ts';
import { type OwnReportDeps, ownReports } from './own-reports.ts';

export const reportRoutes = (deps: OwnReportDeps): readonly Route[] =>
  ownReports(deps, 'program').flatMap(({ at, doc, answer }) =>
    callerRoutes(at, 'usage', doc, (call) => answer(call, call.caller.accountId)),
  );
