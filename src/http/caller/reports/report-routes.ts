/** The reports of an account, for any of its API keys. */
import type { Route } from '../../edge/route.ts';
import { ownReports } from './own-reports.ts';
import type { ReportDeps } from './reports.ts';

const PREFIXES = ['/v1', '/v2'] as const;

export const reportRoutes = (deps: ReportDeps): readonly Route[] =>
  ownReports(deps, 'program').flatMap(({ path, doc, answer }) =>
    PREFIXES.map((prefix) => ({
      method: 'GET',
      path: prefix + path,
      auth: 'key',
      dialect: 'both',
      doc: { ...doc, tag: 'account' },
      handle: (call) => answer(call, call.caller.accountId),
    })),
  );
