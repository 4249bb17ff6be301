/** Collects the routes of the console. */
import { consoleAlertRoutes } from '../../http/console/console-alert-routes.ts';
import { consoleKeyRoutes } from '../../http/console/console-key-routes.ts';
import { consoleOverviewRoutes } from '../../http/console/console-overview-routes.ts';
import { consolePromptRoutes } from '../../http/console/console-prompt-routes.ts';
import { consoleReportRoutes } from '../../http/console/console-report-routes.ts';
import { consoleRoutes } from '../../http/console/console-routes.ts';
import { consoleTopUpRoutes } from '../../http/console/console-top-up-routes.ts';
import { consoleWebhookRoutes } from '../../http/console/console-webhook-routes.ts';
import { membershipRoutes } from '../../http/console/membership-routes.ts';
import { passkeyRoutes } from '../../http/console/passkey-routes.ts';
import { peopleRoutes } from '../../http/console/people-routes.ts';
import { profileRoutes } from '../../http/console/profile-routes.ts';
import { sessionRoutes } from '../../http/console/session-routes.ts';
import { viewRoutes } from '../../http/console/view-routes.ts';
import type { Route } from '../../http/edge/route.ts';
import { hasSucceeded, recentUse } from '../../reports/recent-use.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import type { Rooms } from '../rooms.ts';
import { catalogueIn, isStatusPublic, promptDeps, type Reports } from './route-deps.ts';

/** Returns the routes of the console: its pages, sign-in and the signed-in person's account. */
export function forPeople(
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
