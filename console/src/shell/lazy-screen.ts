/** Loads screens on demand and explains why loading failed. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '#api/api-error.ts';
import { noteMissingFile } from '#api/connection.ts';
import { loadTexts, type TextArea } from '#i18n/texts.ts';

/**
 * Returns a function that creates the screens of an area. Each loads on demand, with the area's
 * texts: the function takes `load` and the name of the module's export.
 */
export const lazyScreenOf =
  (area: TextArea): typeof lazyRouteComponent =>
  (load, name) =>
    lazyRouteComponent(() => withTexts(area, load()).catch(explained), name);

async function withTexts<Module>(area: TextArea, module: Promise<Module>): Promise<Module> {
  const [loaded] = await Promise.all([module, loadTexts(area)]);
  return loaded;
}

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
export const AppShell = lazyScreenOf('shared')(() => import('./app-shell.tsx'), 'AppShell');
