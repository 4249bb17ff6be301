/** Models tried by hand, which spends the account's money. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../../shell/parents.tsx';
import { playgroundSearch } from './playground-search.ts';

export const playgroundRoutes = [
  createRoute({
    getParentRoute: () => memberRoute,
    path: 'playground',
    validateSearch: playgroundSearch,
    component: lazyRouteComponent(() => import('./chat-screen.tsx'), 'ChatScreen'),
  }),
  createRoute({
    getParentRoute: () => memberRoute,
    path: 'playground/images',
    validateSearch: playgroundSearch,
    component: lazyRouteComponent(() => import('./images-screen.tsx'), 'ImagesScreen'),
  }),
] as const;
