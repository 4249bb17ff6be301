/** Before somebody is signed in. */
import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { plainRoute } from '../../shell/parents.tsx';

export const signInRoutes = [
  createRoute({
    getParentRoute: () => plainRoute,
    path: 'setup',
    component: lazyRouteComponent(() => import('./setup-screen.tsx'), 'SetupScreen'),
  }),
  createRoute({
    getParentRoute: () => plainRoute,
    path: 'sign-in',
    validateSearch: ({ next }: { next?: unknown }): { next?: string } =>
      typeof next === 'string' ? { next } : {},
    component: lazyRouteComponent(() => import('./sign-in-screen.tsx'), 'SignInScreen'),
  }),
] as const;
