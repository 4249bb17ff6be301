/**
 * Cross-origin access (CORS). Pages of any website may call the routes that are neither of the
 * console nor for administrators, because these routes accept no credential except an API key in a
 * header. Session routes respond only to our own pages.
 */
import { headerNames } from './response-headers.ts';
import { CONSOLE_PATH } from './route.ts';

const EXPOSED = headerNames().join(', ');
const ALLOWED = 'authorization, content-type, x-api-key, api-key, x-goog-api-key';
/** The methods of the routes for API keys; the last two change keys at `/v1/keys`. */
const METHODS = 'GET, POST, OPTIONS, PATCH, DELETE';
const PREFLIGHT_SECONDS = '86400';

/**
 * Whether the path belongs to the console's or the administrators' routes, which accept a session.
 */
export const isSessionPath = (path: string): boolean =>
  path.startsWith('/admin/') || path.startsWith(CONSOLE_PATH);

/** The headers that let any page read a response. */
export const ANY_ORIGIN = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED,
} as const;

/** Answers a CORS preflight. Allows headers by name, because `*` does not cover `Authorization`. */
export function preflight(request: Request, path: string): Response {
  const isForAnyPage = !isSessionPath(path);
  const headers = new Headers(isForAnyPage ? ANY_ORIGIN : {});
  if (isForAnyPage) {
    headers.set('access-control-allow-methods', METHODS);
    const asked = request.headers.get('access-control-request-headers');
    headers.set('access-control-allow-headers', asked ?? ALLOWED);
    headers.set('access-control-max-age', PREFLIGHT_SECONDS);
    headers.set('vary', 'access-control-request-headers');
  }
  return new Response(null, { status: 204, headers });
}
