/** Collects the routes of all areas. */
import type { QueryClient } from '@tanstack/react-query';
import { createRouter, parseSearchWith, stringifySearchWith } from '@tanstack/react-router';
import { accountRoutes, guideRoutes } from './screens/account/routes.ts';
import { adminRoutes } from './screens/admin/routes.ts';
import { playgroundRoutes } from './screens/playground/routes.ts';
import { publicRoutes } from './screens/public/routes.ts';
import { reportsRoutes } from './screens/reports/routes.ts';
import { membersRoutes, settingsRoutes } from './screens/settings/routes.ts';
import { signInRoutes } from './screens/sign-in/routes.ts';
import {
  adminRoute,
  appRoute,
  memberRoute,
  openRoute,
  ownerRoute,
  plainRoute,
  rootRoute,
} from './shell/parents.tsx';
import { RouteProblem } from './shell/route-problem.tsx';

const routeTree = rootRoute.addChildren([
  plainRoute.addChildren([...signInRoutes]),
  openRoute.addChildren([...publicRoutes, ...guideRoutes]),
  appRoute.addChildren([
    ...accountRoutes,
    ...reportsRoutes,
    ...settingsRoutes,
    memberRoute.addChildren([...playgroundRoutes]),
    ownerRoute.addChildren([...membersRoutes]),
    adminRoute.addChildren([...adminRoutes]),
  ]),
]);

export const createConsoleRouter = (queryClient: QueryClient) =>
  createRouter({
    routeTree,
    basepath: import.meta.env.BASE_URL,
    context: { queryClient },
    defaultErrorComponent: RouteProblem,
    defaultPreload: 'intent',
    scrollRestoration: true,
    // Parameters are written to the URL unquoted: `?q=12`, not `?q=%2212%22`.
    parseSearch: parseSearchWith((value) => value),
    stringifySearch: stringifySearchWith(String),
  });

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createConsoleRouter>;
  }
}
