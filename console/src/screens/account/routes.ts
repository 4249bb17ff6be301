/** What a caller does with an account: overview, keys, quick start, billing. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../shell/parents.tsx';

export const accountRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/',
    component: lazyRouteComponent(() => import('./overview-screen.tsx'), 'OverviewScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'keys',
    component: lazyRouteComponent(() => import('./keys-screen.tsx'), 'KeysScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'quick-start',
    component: lazyRouteComponent(() => import('./quick-start-screen.tsx'), 'QuickStartScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'billing',
    component: lazyRouteComponent(() => import('./billing-screen.tsx'), 'BillingScreen'),
  }),
] as const;
