import type { Role } from '../../people/person.ts';
import type { Route, RouteDoc, SessionCall } from '../edge/route.ts';

/** @param path below `/console/api`. */
export const consoleRoute = (
  method: Route['method'],
  path: string,
  role: Role,
  doc: Omit<RouteDoc, 'tag'>,
  handle: (call: SessionCall) => Promise<Response>,
): Route => ({
  method,
  path: `/console/api${path}`,
  auth: 'session',
  role,
  dialect: 'openai',
  doc: { ...doc, tag: 'console' },
  handle,
});
