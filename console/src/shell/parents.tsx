/**
 * The parent routes. There is one for each kind of access, and the route of every screen is below
 * one of them.
 */
import type { QueryClient } from '@tanstack/react-query';
import {
  createRootRouteWithContext,
  createRoute,
  Outlet,
  type ParsedLocation,
  redirect,
} from '@tanstack/react-router';
import { type Session, sessionQuery } from '#api/session.ts';
import { ConnectionBanner } from './connection-banner.tsx';
import { ForRole } from './for-role.tsx';
import { AppShell } from './lazy-screen.ts';
import { NotFound } from './not-found.tsx';
import { OpenShell } from './open-shell.tsx';
import { PlainShell } from './plain-shell.tsx';
import { RootProblem } from './route-problem.tsx';

export type RouterContext = { readonly queryClient: QueryClient };

/** The frame of every page, with the parts that all pages share. */
function RootFrame() {
  return (
    <>
      <Outlet />
      <ConnectionBanner />
    </>
  );
}

export const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: RootFrame,
  errorComponent: RootProblem,
  notFoundComponent: NotFound,
});

const sessionOf = ({ queryClient }: RouterContext): Promise<Session> =>
  queryClient.ensureQueryData(sessionQuery);

/** The parent of pages without a session: setup, sign-in, invitation. */
export const plainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'plain',
  component: PlainShell,
  errorComponent: RootProblem,
  beforeLoad: async ({ context }) => ({ session: await sessionOf(context) }),
});

/**
 * The parent of public pages. A signed-in person sees them in the console's frame, a visitor in a
 * plain frame.
 */
export const openRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'open',
  component: OpenShell,
  errorComponent: RootProblem,
  beforeLoad: async ({ context }) => ({ session: await sessionOf(context) }),
});

/**
 * Returns the redirect to the sign-in page. Its parameter `next` is the page to open after the
 * sign-in. It is absent if that page is the overview, the default.
 */
function nextOf({ href, hash }: ParsedLocation) {
  const [page = '/'] = href.split('#');
  // The fragment stays a fragment and is not put into `next`, because servers receive `next`. The
  // fragment may contain data that servers must not receive, such as a shared prompt.
  return { to: '/sign-in', search: page === '/' ? {} : { next: page }, hash } as const;
}

/**
 * The parent of pages that require a session. A person without a session is redirected to the
 * sign-in page, and back to the requested page afterwards.
 */
export const appRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'app',
  component: AppShell,
  errorComponent: RootProblem,
  beforeLoad: async ({ context, location }) => {
    const { person, setup_needed: setupNeeded } = await sessionOf(context);
    if (setupNeeded) throw redirect({ to: '/setup' });
    if (person === null) throw redirect(nextOf(location));
    return { person };
  },
});

/**
 * The parent of pages that require at least the role of member, which may spend the account's
 * balance.
 */
export const memberRoute = createRoute({
  getParentRoute: () => appRoute,
  id: 'member',
  component: () => <ForRole least="member" />,
});

/** The parent of pages for owners and administrators. */
export const ownerRoute = createRoute({
  getParentRoute: () => appRoute,
  id: 'owner',
  component: () => <ForRole least="owner" />,
});

/** The parent of pages for administrators. */
export const adminRoute = createRoute({
  getParentRoute: () => appRoute,
  path: 'admin',
  component: () => <ForRole least="administrator" />,
});
