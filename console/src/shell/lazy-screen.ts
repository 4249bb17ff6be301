/** Loads screens on demand and explains why loading failed. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '#api/api-error.ts';
import { noteMissingFile } from '#api/connection.ts';

/**
 * Creates a screen that loads on demand.
 * @param name the screen's export in the module.
 */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(explained), name);

/**
 * Finds out why loading failed: the gateway is unreachable, or a newer version no longer has the
 * files of this page.
 */
async function explained(thrown: unknown): Promise<never> {
  noteMissingFile();
  const isThere = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  throw isThere ? ApiError.outdated(thrown) : ApiError.unreachable(thrown);
}

/** The frame of the console, which visitors of public pages do not load. */
export const AppShell = lazyScreen(() => import('./app-shell.tsx'), 'AppShell');
