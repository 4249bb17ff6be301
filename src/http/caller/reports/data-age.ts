/**
 * Adds `x-data-as-of` to reports that a replica may answer: the time until which data is complete.
 */
import type { Route } from '../../edge/route.ts';

/** The reports over many rows, which a replica may answer. */
const REPORTS =
  /^\/(?:v[12]|admin\/v1|console\/api)\/(?:usage|statements|summary|books\/months|requests(?:\/histogram)?)$/;

/**
 * Returns a function that adds `x-data-as-of` to the answers of routes for reports.
 * @param asOfMs returns the time until which the data is complete; null if nothing is missing.
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
    // Called before the report is read, so that the report is complete at least until then.
    const asOf = asOfMs();
    const response = await handle(call);
    if (asOf !== null) response.headers.set('x-data-as-of', new Date(asOf).toISOString());
    return response;
  };
