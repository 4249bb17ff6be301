/** Models tried by hand. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../shell/parents.tsx';

export const playgroundRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'playground',
    component: lazyRouteComponent(() => import('./chat-screen.tsx'), 'ChatScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'playground/images',
    component: lazyRouteComponent(() => import('./images-screen.tsx'), 'ImagesScreen'),
  }),
] as const;
