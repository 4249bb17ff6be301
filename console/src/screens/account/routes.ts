/** The routes of an account: overview, keys, quick start, billing. */
import { createRoute } from '@tanstack/react-router';
import { lazyScreenOf } from '#shell/lazy-screen.ts';
import { appRoute, openRoute } from '#shell/parents.tsx';
import { billingSearch } from './billing/billing-search.ts';
import { keySearch } from './keys/key-search.ts';
import { quickStartSearch } from './quick-start/quick-start-search.ts';

const lazyScreen = lazyScreenOf('account');

export const accountRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: '/',
    component: lazyScreen(() => import('./overview/overview-screen.tsx'), 'OverviewScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'keys',
    validateSearch: keySearch,
    component: lazyScreen(() => import('./keys/keys-screen.tsx'), 'KeysScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'keys/$id',
    component: lazyScreen(() => import('./keys/key-screen.tsx'), 'KeyScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'quick-start',
    validateSearch: quickStartSearch,
    component: lazyScreen(() => import('./quick-start/quick-start-screen.tsx'), 'QuickStartScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'billing',
    validateSearch: billingSearch,
    component: lazyScreen(() => import('./billing/billing-screen.tsx'), 'BillingScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'billing/statements/$month/$currency',
    component: lazyScreen(() => import('./billing/statement-screen.tsx'), 'StatementScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'billing/top-ups/$id',
    component: lazyScreen(
      () => import('./billing/top-up-receipt-screen.tsx'),
      'TopUpReceiptScreen',
    ),
  }),
] as const;

/** The routes of the guides, which are public. */
export const guideRoutes = [
  createRoute({
    getParentRoute: () => openRoute,
    path: 'quick-start/$guide',
    component: lazyScreen(() => import('./quick-start/guide-screen.tsx'), 'GuideScreen'),
  }),
] as const;
