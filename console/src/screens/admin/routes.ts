/** The console's routes of the administration. */
import { createRoute } from '@tanstack/react-router';
import { flag, searchReader, text } from '#components/search-reader.ts';
import { lazyScreen } from '#shell/lazy-screen.ts';
import { adminRoute } from '#shell/parents.tsx';
import { accountSearch, accountsSearch } from './accounts/accounts-search.ts';
import { auditSearch } from './audit/audit-search.ts';
import { cardsSearch } from './cards/cards-search.ts';
import { channelsSearch } from './channels/channels-search.ts';
import { peopleSearch } from './people/people-search.ts';

export const adminRoutes = [
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
    path: 'people',
    validateSearch: peopleSearch,
    component: lazyScreen(() => import('./people-screen.tsx'), 'PeopleScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'redeem-codes',
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
    path: 'settings',
    validateSearch: searchReader({ search: text, changed: flag }),
    component: lazyScreen(() => import('./settings-screen.tsx'), 'SettingsScreen'),
  }),
] as const;
