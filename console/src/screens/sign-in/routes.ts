/** The console's routes of pages for people who are not signed in. */
import { createRoute, redirect } from '@tanstack/react-router';
import { checkedText, choice, flag, searchReader } from '#components/search-reader.ts';
import { lazyScreenOf } from '#shell/lazy-screen.ts';
import { plainRoute } from '#shell/parents.tsx';
import { ownPath } from './own-path.ts';

const lazyScreen = lazyScreenOf('sign-in');

/**
 * The URL parameter with the step of the setup, so that a reload keeps the step. It is absent in
 * the first step, which needs the setup link.
 */
const setupSearch = searchReader({ step: choice(['models', 'key']) });

/**
 * The URL parameters of the sign-in page: the page to open afterwards (`next`), and whether the
 * person is here because a session expired (`ended`).
 */
const signInSearch = searchReader({
  next: checkedText((next) => next !== '/' && ownPath(next) === next),
  ended: flag,
});

export const signInRoutes = [
  createRoute({
    getParentRoute: () => plainRoute,
    path: 'setup',
    validateSearch: setupSearch,
    component: lazyScreen(() => import('./setup-screen.tsx'), 'SetupScreen'),
  }),
  createRoute({
    getParentRoute: () => plainRoute,
    path: 'sign-in',
    validateSearch: signInSearch,
    beforeLoad: ({ context: { session }, search: { next } }) => {
      if (session.person !== null) throw redirect({ href: ownPath(next) });
      if (session.setup_needed) throw redirect({ to: '/setup' });
    },
    component: lazyScreen(() => import('./sign-in-screen.tsx'), 'SignInScreen'),
  }),
  createRoute({
    getParentRoute: () => plainRoute,
    path: 'sign-in/callback',
    component: lazyScreen(() => import('./callback-screen.tsx'), 'CallbackScreen'),
  }),
  createRoute({
    getParentRoute: () => plainRoute,
    path: 'sign-up',
    component: lazyScreen(() => import('./sign-up-screen.tsx'), 'SignUpScreen'),
  }),
  createRoute({
    getParentRoute: () => plainRoute,
    path: 'invitation',
    component: lazyScreen(() => import('./invitation-screen.tsx'), 'InvitationScreen'),
  }),
  createRoute({
    getParentRoute: () => plainRoute,
    path: 'password-reset',
    component: lazyScreen(() => import('./reset-screen.tsx'), 'ResetScreen'),
  }),
] as const;
