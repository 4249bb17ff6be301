/** The console's routes of the administration pages. */
import { createRoute } from '@tanstack/react-router';
import { RANGE } from '#components/range/range.ts';
import { choice, flag, searchReader, text } from '#components/search-reader.ts';
import { lazyScreenOf } from '#shell/lazy-screen.ts';
import { adminRoute } from '#shell/parents.tsx';
import { accountSearch, accountsSearch } from './accounts/accounts-search.ts';
import { auditSearch } from './audit/audit-search.ts';
import { cardsSearch } from './cards/cards-search.ts';
import { channelsSearch } from './channels/channels-search.ts';
import { peopleSearch } from './people/people-search.ts';
import { refusalsSearch } from './refusals/refusals-search.ts';

const lazyScreen = lazyScreenOf('admin');

export const adminRoutes = [
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'home',
    validateSearch: searchReader(RANGE),
    component: lazyScreen(() => import('./home-screen.tsx'), 'HomeScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'accounts',
    validateSearch: accountsSearch,
    component: lazyScreen(() => import('./accounts-screen.tsx'), 'AccountsScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'accounts/$id',
    validateSearch: accountSearch,
    component: lazyScreen(() => import('./account-screen.tsx'), 'AccountScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'refusals',
    validateSearch: refusalsSearch,
    component: lazyScreen(() => import('./refusals-screen.tsx'), 'RefusalsScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'people',
    validateSearch: peopleSearch,
    component: lazyScreen(() => import('./people-screen.tsx'), 'PeopleScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'redeem-codes',
    validateSearch: searchReader({ batch: text }),
    component: lazyScreen(() => import('./redeem-codes-screen.tsx'), 'RedeemCodesScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'routes',
    validateSearch: channelsSearch,
    component: lazyScreen(() => import('./routes-screen.tsx'), 'RoutesScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'providers/new',
    validateSearch: searchReader({ setup: flag, upstream: text }),
    component: lazyScreen(() => import('./new-provider-screen.tsx'), 'NewProviderScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'routes/upstreams/$name',
    component: lazyScreen(() => import('./records/upstream-screen.tsx'), 'UpstreamScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'routes/models/$id',
    component: lazyScreen(() => import('./records/model-screen.tsx'), 'ModelScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'cards',
    validateSearch: cardsSearch,
    component: lazyScreen(() => import('./cards-screen.tsx'), 'CardsScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'books',
    component: lazyScreen(() => import('./books-screen.tsx'), 'BooksScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'audit',
    validateSearch: auditSearch,
    component: lazyScreen(() => import('./audit-screen.tsx'), 'AuditScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'history',
    validateSearch: searchReader({ revision: text }),
    component: lazyScreen(() => import('./history-screen.tsx'), 'HistoryScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'branding',
    component: lazyScreen(() => import('./branding-screen.tsx'), 'BrandingScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'mail',
    validateSearch: searchReader({ state: choice(['queued', 'sent', 'failed']) }),
    component: lazyScreen(() => import('./mail-screen.tsx'), 'MailScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'secrets',
    component: lazyScreen(() => import('./secrets-screen.tsx'), 'SecretsScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'settings',
    validateSearch: searchReader({ search: text, changed: flag }),
    component: lazyScreen(() => import('./settings-screen.tsx'), 'SettingsScreen'),
  }),
] as const;
