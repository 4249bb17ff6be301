/** Models tried by hand. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../shell/parents.tsx';
import { playgroundSearch } from './playground-search.ts';

export const playgroundRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'playground',
    validateSearch: playgroundSearch,
    component: lazyRouteComponent(() => import('./chat-screen.tsx'), 'ChatScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'playground/images',
    validateSearch: playgroundSearch,
    component: lazyRouteComponent(() => import('./images-screen.tsx'), 'ImagesScreen'),
  }),
] as const;
