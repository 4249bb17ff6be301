/**
 * The console's routes of the playground. Requests from the playground are charged to the account.
 */
import { createRoute } from '@tanstack/react-router';
import { lazyScreenOf } from '#shell/lazy-screen.ts';
import { memberRoute } from '#shell/parents.tsx';
import { playgroundSearch } from './playground-search.ts';

const lazyScreen = lazyScreenOf('playground');

export const playgroundRoutes = [
  createRoute({
    getParentRoute: () => memberRoute,
    path: 'playground',
    validateSearch: playgroundSearch,
    component: lazyScreen(() => import('./chat-screen.tsx'), 'ChatScreen'),
  }),
  createRoute({
    getParentRoute: () => memberRoute,
    path: 'playground/images',
    validateSearch: playgroundSearch,
    component: lazyScreen(() => import('./images-screen.tsx'), 'ImagesScreen'),
  }),
] as const;
