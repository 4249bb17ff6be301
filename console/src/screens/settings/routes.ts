/** What is one's own, and the people of the account. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute } from '../../shell/parents.tsx';

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'profile',
    component: lazyRouteComponent(() => import('./profile-screen.tsx'), 'ProfileScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'members',
    component: lazyRouteComponent(() => import('./members-screen.tsx'), 'MembersScreen'),
  }),
] as const;
