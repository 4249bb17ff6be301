/** What is one's own, and the people of the account. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { appRoute, ownerRoute } from '../../shell/parents.tsx';

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'profile',
    component: lazyRouteComponent(() => import('./profile-screen.tsx'), 'ProfileScreen'),
  }),
] as const;

export const membersRoutes = [
  createRoute({
    getParentRoute: () => ownerRoute,
    path: 'members',
    component: lazyRouteComponent(() => import('./members-screen.tsx'), 'MembersScreen'),
  }),
] as const;
