/** The kinds of page, by who may open them; every screen's route hangs below one of these. */
import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, createRoute, Outlet, redirect } from '@tanstack/react-router';
import { type Session, sessionQuery } from '../api/session.ts';
import { AppShell } from './app-shell.tsx';
import { ForRole } from './for-role.tsx';
import { NotFound } from './not-found.tsx';
import { OpenShell } from './open-shell.tsx';
import { PlainShell } from './plain-shell.tsx';
import { RootProblem } from './route-problem.tsx';

export type RouterContext = { readonly queryClient: QueryClient };

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Outlet,
  errorComponent: RootProblem,
  notFoundComponent: NotFound,
});

const sessionOf = ({ queryClient }: RouterContext): Promise<Session> =>
  queryClient.ensureQueryData(sessionQuery);

/** Before somebody is signed in: setup, sign-in, invitation. */
export const plainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'plain',
  component: PlainShell,
  errorComponent: RootProblem,
  beforeLoad: async ({ context }) => ({ session: await sessionOf(context) }),
});

/** Public pages: in the frame of the console for who is signed in, in a slim one for who is not. */
export const openRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'open',
  component: OpenShell,
  errorComponent: RootProblem,
  beforeLoad: async ({ context }) => ({ session: await sessionOf(context) }),
});

/** The overview is where everybody comes out anyway. */
const nextOf = (href: string): { next?: string } => (href === '/' ? {} : { next: href });

/** For who is signed in; others are led to the sign-in, and back here after it. */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  component: AppShell,
  errorComponent: RootProblem,
  beforeLoad: async ({ context, location }) => {
    const { person, setup_needed: setupNeeded } = await sessionOf(context);
    if (setupNeeded) throw redirect({ to: '/setup' });
    if (person === null) throw redirect({ to: '/sign-in', search: nextOf(location.href) });
    return { person };
  },
});

/** For members and up, who may spend the account's money. */
export const memberRoute = createRoute({
  getParentRoute: () => appRoute,
  id: 'member',
  component: () => <ForRole least="member" />,
});

/** For owners and administrators. */
export const ownerRoute = createRoute({
  getParentRoute: () => appRoute,
  id: 'owner',
  component: () => <ForRole least="owner" />,
});

/** For administrators. */
export const adminRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'admin',
  component: () => <ForRole least="administrator" />,
});
