import type { AdminCall, Route, RouteDoc } from '../edge/route.ts';

/** @param path below `/admin/v1`. */
export const adminRoute = (
  method: Route['method'],
  path: string,
  doc: Omit<RouteDoc, 'tag'>,
  handle: (call: AdminCall) => Promise<Response>,
): Route => ({
  method,
  path: `/admin/v1${path}`,
  auth: 'admin',
  dialect: 'openai',
  doc: { ...doc, tag: 'admin' },
  handle,
});
