/** The addresses of the screens for usage and requests. */
import { createRoute } from '@tanstack/react-router';
import { lazyScreenOf } from '#shell/lazy-screen.ts';
import { appRoute } from '#shell/parents.tsx';
import { requestSearch } from './requests/request-search.ts';
import { usageSearch } from './usage/usage-search.ts';

const lazyScreen = lazyScreenOf('reports');

export const reportsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'usage',
    validateSearch: usageSearch,
    component: lazyScreen(() => import('./usage-screen.tsx'), 'UsageScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'requests',
    validateSearch: requestSearch,
    component: lazyScreen(() => import('./requests-screen.tsx'), 'RequestsScreen'),
  }),
] as const;
