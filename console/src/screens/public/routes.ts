/** The console's routes of public pages, which the operator can hide. */
import { createRoute } from '@tanstack/react-router';
import { lazyScreen } from '#shell/lazy-screen.ts';
import { openRoute } from '#shell/parents.tsx';
import { comparedIds, type ModelSearch, modelSearch } from './models/model-search.ts';
import { type ReferenceSearch, referenceSearch } from './reference/reference-search.ts';

type Given = Readonly<Record<string, unknown>>;

export const publicRoutes = [
  createRoute({
    getParentRoute: () => openRoute,
    path: 'models',
    validateSearch: (given: Given): ModelSearch => modelSearch(given),
    component: lazyScreen(() => import('./models-screen.tsx'), 'ModelsScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'models/compare',
    validateSearch: (given: Given): { readonly ids: string } => ({
      ids: comparedIds(given['ids']).join(','),
    }),
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
    validateSearch: (given: Given): ReferenceSearch => referenceSearch(given),
    component: lazyScreen(() => import('./reference-screen.tsx'), 'ReferenceScreen'),
  }),
] as const;
