/** The console's routes of the profile page and the members page. */
import { createRoute } from '@tanstack/react-router';
import { lazyScreenOf } from '#shell/lazy-screen.ts';
import { appRoute, ownerRoute } from '#shell/parents.tsx';

const lazyScreen = lazyScreenOf('settings');

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'profile',
    component: lazyScreen(() => import('./profile-screen.tsx'), 'ProfileScreen'),
  }),
] as const;

export const membersRoutes = [
  createRoute({
    getParentRoute: () => ownerRoute,
    path: 'members',
    component: lazyScreen(() => import('./members/members-screen.tsx'), 'MembersScreen'),
  }),
] as const;
