/** What anybody may see, where the operator lets them. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { openRoute } from '../../shell/parents.tsx';

export const publicRoutes = [
  createRoute({
    getParentRoute: () => openRoute,
    path: 'models',
    component: lazyRouteComponent(() => import('./models-screen.tsx'), 'ModelsScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'status',
    component: lazyRouteComponent(() => import('./status-screen.tsx'), 'StatusScreen'),
  }),
  createRoute({
    getParentRoute: () => openRoute,
    path: 'reference',
    component: lazyRouteComponent(() => import('./reference-screen.tsx'), 'ReferenceScreen'),
  }),
] as const;
