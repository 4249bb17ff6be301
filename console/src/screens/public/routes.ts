/** The console's routes of public pages, which the operator can hide. */
import { createRoute } from '@tanstack/react-router';
import { lazyScreenOf } from '#shell/lazy-screen.ts';
import { openRoute } from '#shell/parents.tsx';
import { compareSearch, modelSearch } from './models/model-search.ts';
import { referenceSearch } from './reference/reference-search.ts';

const lazyScreen = lazyScreenOf('public');

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
  createRoute({
    getParentRoute: () => openRoute,
    path: 'terms',
    component: lazyScreen(() => import('./brand-page-screen.tsx'), 'TermsScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'privacy',
    component: lazyScreen(() => import('./brand-page-screen.tsx'), 'PrivacyScreen'),
  }),
] as const;
