/**
 * Adds `x-data-as-of` to reports that are read from a replica: the time up to which the report is
 * complete.
 */
import type { Route } from '../../edge/route.ts';

/** The paths of reports over many rows, which may be read from a replica. */
const REPORTS =
  /^\/(?:v[12]|admin\/v1|console\/api)\/(?:usage|statements|summary|books\/months|requests(?:\/histogram)?)$/;

/**
 * Returns a function that adds `x-data-as-of` to the answers of routes for reports.
 * @param asOfMs returns the time up to which the data is complete; null if it is current.
 */
export const withAge =
  (asOfMs: () => number | null) =>
  (routes: readonly Route[]): readonly Route[] =>
    routes.map((route) => aged(route, asOfMs));

function aged(route: Route, asOfMs: () => number | null): Route {
  if (route.method !== 'GET' || !REPORTS.test(route.path)) return route;
  const doc = { ...route.doc, isReport: true as const };
  switch (route.auth) {
    case 'key':
      return { ...route, doc, handle: dated(route.handle, asOfMs) };
    case 'session':
      return { ...route, doc, handle: dated(route.handle, asOfMs) };
    case 'admin':
      return { ...route, doc, handle: dated(route.handle, asOfMs) };
    case 'public':
    case 'playground':
      return route;
  }
}

const dated =
  <Each>(handle: (call: Each) => Promise<Response>, asOfMs: () => number | null) =>
  async (call: Each): Promise<Response> => {
    // Called before the report is read, so that the report is complete at least up to this time.
    const asOf = asOfMs();
    const response = await handle(call);
    if (asOf !== null) response.headers.set('x-data-as-of', new Date(asOf).toISOString());
    return response;
  };
