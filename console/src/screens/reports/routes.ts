/** The console's routes of usage and requests. */
import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#shell/lazy-screen.ts';
import { appRoute } from '#shell/parents.tsx';
import { type RequestSearch, requestSearch } from './requests/request-search.ts';
import { type UsageSearch, usageSearch } from './usage/usage-search.ts';

type Given = Readonly<Record<string, unknown>>;

export const reportsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'usage',
    validateSearch: (given: Given): UsageSearch => usageSearch(given),
    component: lazyScreen(() => import('./usage-screen.tsx'), 'UsageScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'requests',
    validateSearch: (given: Given): RequestSearch => requestSearch(given),
    component: lazyScreen(() => import('./requests-screen.tsx'), 'RequestsScreen'),
  }),
] as const;
