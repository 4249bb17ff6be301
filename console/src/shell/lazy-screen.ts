/** Screens whose code comes when they are first opened, and what is said when it does not come. */
import { lazyRouteComponent } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.ts';

/** @param name under which the module exports the screen. */
export const lazyScreen: typeof lazyRouteComponent = (load, name) =>
  lazyRouteComponent(() => load().catch(explained), name);

/** Either nobody answers, or a newer gateway does, which no longer has this page's parts. */
async function explained(thrown: unknown): Promise<never> {
  const isThere = await fetch(import.meta.env.BASE_URL, { method: 'HEAD', cache: 'no-store' }).then(
    ({ ok }) => ok,
    () => false,
  );
  throw isThere ? ApiError.outdated(thrown) : ApiError.unreachable(thrown);
}
