/** Loads screens on demand and explains why loading failed. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '#api/api-error.ts';
import { noteMissingFile } from '#api/connection.ts';
import { loadTexts, type TextArea } from '#i18n/texts.ts';

/**
 * Returns a function that creates the screens of an area, which is a part of the console with its
 * own file of texts. The function takes a function that imports a module, and the name of the
 * export to render. Each screen loads on demand, together with the area's texts.
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
 * Determines why loading failed: the gateway is unreachable, or it runs a newer version that no
 * longer has the files of this page.
 */
async function explained(thrown: unknown): Promise<never> {
  noteMissingFile();
  const isThere = await fetch(import.meta.env.BASE_URL, { cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  throw isThere ? ApiError.outdated(thrown) : ApiError.unreachable(thrown);
}

/** The frame of the console. It loads on demand, since visitors of public pages do not need it. */
export const AppShell = lazyScreenOf('shared')(() => import('./app-shell.tsx'), 'AppShell');
