/** Models tried by hand. */
import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { mayAs, type SignedIn } from '../../api/session.ts';
import { appRoute } from '../../shell/parents.tsx';
import { playgroundSearch } from './playground-search.ts';

/** Trying a model spends the account's money. */
function forMembers({ context }: { readonly context: { readonly person: SignedIn } }): void {
  if (!mayAs(context.person.role, 'member')) throw redirect({ to: '/' });
}

export const playgroundRoutes = [
  createRoute({
    getParentRoute: () => appRoute,
    path: 'playground',
    validateSearch: playgroundSearch,
    beforeLoad: forMembers,
    component: lazyRouteComponent(() => import('./chat-screen.tsx'), 'ChatScreen'),
  }),
  createRoute({
    getParentRoute: () => appRoute,
    path: 'playground/images',
    validateSearch: playgroundSearch,
    beforeLoad: forMembers,
    component: lazyRouteComponent(() => import('./images-screen.tsx'), 'ImagesScreen'),
  }),
] as const;
