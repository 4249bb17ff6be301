/** What anybody may see, where the operator lets them. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { openRoute } from '../../shell/parents.tsx';
import { comparedIds, type ModelSearch, modelSearch } from './models/model-search.ts';
import { type ReferenceSearch, referenceSearch } from './reference/reference-search.ts';

type Given = Readonly<Record<string, unknown>>;

export const publicRoutes = [
  createRoute({
    getParentRoute: () => openRoute,
    path: 'models',
    validateSearch: (given: Given): ModelSearch => modelSearch(given),
    component: lazyRouteComponent(() => import('./models-screen.tsx'), 'ModelsScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'models/compare',
    validateSearch: (given: Given): { readonly ids: string } => ({
      ids: comparedIds(given['ids']).join(','),
    }),
    component: lazyRouteComponent(() => import('./compare-screen.tsx'), 'CompareScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'models/$id',
    component: lazyRouteComponent(() => import('./model-screen.tsx'), 'ModelScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'status',
    component: lazyRouteComponent(() => import('./status-screen.tsx'), 'StatusScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'reference',
    validateSearch: (given: Given): ReferenceSearch => referenceSearch(given),
    component: lazyRouteComponent(() => import('./reference-screen.tsx'), 'ReferenceScreen'),
  }),
] as const;
