/** What administrators do. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { adminRoute } from '../../shell/parents.tsx';
import { accountSearch } from './accounts/accounts-search.ts';
import { AUDIT_FILTERS, type AuditSearch } from './audit/audit-search.ts';
import { cardsSearch } from './cards/cards-search.ts';
import { channelsSearch } from './channels/channels-search.ts';
import { peopleSearch } from './people/people-search.ts';
import { type SearchTexts, searchTexts } from './search-texts.ts';

type SearchInput = Readonly<Record<string, unknown>>;

export const adminRoutes = [
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'accounts',
    validateSearch: (search: SearchInput): SearchTexts<'search'> => searchTexts(search, ['search']),
    component: lazyRouteComponent(() => import('./accounts-screen.tsx'), 'AccountsScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'accounts/$id',
    validateSearch: accountSearch,
    component: lazyRouteComponent(() => import('./account-screen.tsx'), 'AccountScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'people',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./people-screen.tsx'), 'PeopleScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'redeem-codes',
    component: lazyRouteComponent(() => import('./redeem-codes-screen.tsx'), 'RedeemCodesScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'routes',
    validateSearch: channelsSearch,
    component: lazyRouteComponent(() => import('./routes-screen.tsx'), 'RoutesScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'cards',
    validateSearch: cardsSearch,
    component: lazyRouteComponent(() => import('./cards-screen.tsx'), 'CardsScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'books',
    component: lazyRouteComponent(() => import('./books-screen.tsx'), 'BooksScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'audit',
    validateSearch: (search: SearchInput): AuditSearch => searchTexts(search, AUDIT_FILTERS),
    component: lazyRouteComponent(() => import('./audit-screen.tsx'), 'AuditScreen'),
  }),
  createRoute({
    getParentRoute: () => adminRoute,
    path: 'settings',
    validateSearch: (search: SearchInput): SearchTexts<'search'> => searchTexts(search, ['search']),
    component: lazyRouteComponent(() => import('./settings-screen.tsx'), 'SettingsScreen'),
  }),
] as const;
