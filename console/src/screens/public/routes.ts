/** The console's routes of public pages, which the operator can hide. */
import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#shell/lazy-screen.ts';
import { openRoute } from '#shell/parents.tsx';
import { compareSearch, modelSearch } from './models/model-search.ts';
import { referenceSearch } from './reference/reference-search.ts';

export const publicRoutes = [
  createRoute({
    getParentRoute: () => openRoute,
    path: 'models',
    validateSearch: modelSearch,
    component: lazyScreen(() => import('./models-screen.tsx'), 'ModelsScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'models/compare',
    validateSearch: compareSearch,
    component: lazyScreen(() => import('./compare-screen.tsx'), 'CompareScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'models/$id',
    component: lazyScreen(() => import('./model-screen.tsx'), 'ModelScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'status',
    component: lazyScreen(() => import('./status-screen.tsx'), 'StatusScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'reference',
    validateSearch: referenceSearch,
    component: lazyScreen(() => import('./reference-screen.tsx'), 'ReferenceScreen'),
  }),
] as const;
