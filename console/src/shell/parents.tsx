/** The kinds of page by access; every screen's route is nested below one of them. */
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

/** Without a session: setup, sign-in, invitation. */
export const plainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'plain',
  component: PlainShell,
  errorComponent: RootProblem,
  beforeLoad: async ({ context }) => ({ session: await sessionOf(context) }),
});

/** Public pages: the console's frame with a session, a plain one without. */
export const openRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'open',
  component: OpenShell,
  errorComponent: RootProblem,
  beforeLoad: async ({ context }) => ({ session: await sessionOf(context) }),
});

/** Every role may open the overview. */
const nextOf = (href: string): { next?: string } => (href === '/' ? {} : { next: href });

/** Requires a session; otherwise redirects to the sign-in and back. */
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

/** For members and above, who may spend the account's balance. */
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
