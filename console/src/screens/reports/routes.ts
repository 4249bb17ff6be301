/** What was used and what it cost. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../shell/parents.tsx';

export const reportsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'usage',
    component: lazyRouteComponent(() => import('./usage-screen.tsx'), 'UsageScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'requests',
    component: lazyRouteComponent(() => import('./requests-screen.tsx'), 'RequestsScreen'),
  }),
] as const;
