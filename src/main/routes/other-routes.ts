/**
 * Collects the routes that are loaded on demand, grouped by their callers, and builds the
 * dependencies of these routes.
 */
import { accountRoutes } from '../../http/caller/account-routes.ts';
import { managingRoutes } from '../../http/caller/keys/key-routes.ts';
import { llmsRoutes } from '../../http/caller/llms-routes.ts';
import { withAge } from '../../http/caller/reports/data-age.ts';
import { reportRoutes } from '../../http/caller/reports/own-reports.ts';
import { statusRoutes } from '../../http/caller/status/status-routes.ts';
import { topUpRoutes } from '../../http/caller/top-up-routes.ts';
import { idempotentChanges } from '../../http/edge/idempotent-changes.ts';
import { openApiDocument } from '../../http/edge/openapi.ts';
import { isOpenNow, type Route } from '../../http/edge/route.ts';
import { withDescribedFields } from '../../http/reference/described-fields.ts';
import { Spending } from '../../reports/spending.ts';
import type { GatewayDeps } from '../gateway-deps.ts';
import type { Rooms } from '../rooms.ts';
import { forAdministrators } from './for-administrators.ts';
import { forPeople } from './for-people.ts';
import { judgedHealth } from './judged-health.ts';
import { limitedChanges } from './limited-changes.ts';
import { catalogueIn, isStatusPublic, type Reports, reportsOf } from './route-deps.ts';

export type OtherRoutes = {
  readonly routes: readonly Route[];
  /** Returns the OpenAPI document of all routes, or of only the routes for callers, as JSON. */
  readonly openApi: (isForCallers: boolean) => string;
};

/**
 * Returns the routes that are loaded on demand.
 * @param first the routes that are loaded at the start. The OpenAPI document and `llms.txt`
 *   describe these too.
 */
export function otherRoutes(
  deps: GatewayDeps,
  rooms: Rooms,
  first: { readonly inference: readonly Route[]; readonly service: readonly Route[] },
): OtherRoutes {
  const { publicUrl, clock } = deps;
  const reports = reportsOf(deps, rooms);
  const aged = withAge(rooms.store.database.reports.asOfMs);
  const changes = idempotentChanges(
    aged([
      ...forCallers(deps, rooms, reports),
      ...llmsRoutes(() => ({
        name: rooms.routing.live.config.brand.name,
        publicUrl,
        routes: all,
        catalogue: catalogueIn(rooms),
      })),
      ...forAdministrators(deps, rooms, reports),
      ...forPeople(deps, rooms, reports),
    ]),
    rooms.idempotency.keys,
  );
  const routes = limitedChanges(changes, clock);
  const all: readonly Route[] = [...first.inference, ...routes, ...first.service];
  const forAll = openApiTextOf(all, deps);
  const shown = openApiTextOf(
    all.filter(({ doc }) => !INTERNAL_TAGS.includes(doc.tag)),
    deps,
  );
  return { routes, openApi: (isForCallers) => (isForCallers ? shown() : forAll()) };
}

/**
 * Returns the OpenAPI document as JSON. It takes half a second of CPU time to make, so it is made
 * again only after the settings have changed which routes need no key.
 */
export function openApiTextOf(
  routes: readonly Route[],
  { publicUrl, version }: Pick<GatewayDeps, 'publicUrl' | 'version'>,
): () => string {
  let made = { openRoutes: '', text: '' };
  return () => {
    const openRoutes = routes
      .filter(isOpenNow)
      .map(({ path }) => path)
      .join(' ');
    if (made.openRoutes !== openRoutes) {
      const document = withDescribedFields(openApiDocument(routes, publicUrl, version));
      made = { openRoutes, text: JSON.stringify(document) };
    }
    return made.text;
  };
}

/** The tags of routes that are not for callers: those of the console and for administrators. */
const INTERNAL_TAGS: readonly Route['doc']['tag'][] = ['console', 'admin'];

/** Returns the routes, other than inference, that require an API key or no credential. */
function forCallers(
  { clock, publicUrl }: GatewayDeps,
  rooms: Rooms,
  reports: Reports,
): readonly Route[] {
  const { store, routing, topUps, accounts } = rooms;
  const { sql, ledger } = store.database;
  const { live } = routing;
  const { history, healthOf } = judgedHealth(rooms);
  return [
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
