/** Checks every answer in the tests against its schema in the API description. */
import * as z from 'zod';
import { described } from './openapi.ts';
import type { AdminCall, Call, KeyCall, Route, RouteDoc, SessionCall } from './route.ts';

const checks = new Map<RouteDoc, z.ZodType>();

/**
 * Describes where an answer differs from its route's schema. Returns null if it matches or has no
 * schema: only successful JSON answers with a body have one.
 */
export async function disagreement({ doc }: Route, answer: Response): Promise<string | null> {
  const isJson = /^application\/json\b/.test(answer.headers.get('content-type') ?? '');
  if (doc.response === undefined || !answer.ok || !isJson || answer.body === null) return null;
  const statuses: readonly number[] = doc.statuses ?? [200];
  if (!statuses.includes(answer.status)) return `the status ${answer.status}`;
  const check = checks.get(doc) ?? z.fromJSONSchema({ ...described(doc.response, 'output') });
  checks.set(doc, check);
  const result = check.safeParse(await answer.clone().json());
  return result.success ? null : z.prettifyError(result.error);
}

/**
 * Wraps a route to check its answers.
 * @param onProblem called for an answer that does not match its schema.
 */
export function checkedAgainstSchema(route: Route, onProblem: (problem: string) => void): Route {
  const held = async (answer: Response): Promise<Response> => {
    const problem = await disagreement(route, answer);
    if (problem !== null)
      onProblem(`${route.method} ${route.path} does not match its schema: ${problem}`);
    return answer;
  };
  switch (route.auth) {
    case 'public':
      return { ...route, handle: async (call: Call) => held(await route.handle(call)) };
    case 'key':
    case 'playground':
      return { ...route, handle: async (call: KeyCall) => held(await route.handle(call)) };
    case 'session':
      return { ...route, handle: async (call: SessionCall) => held(await route.handle(call)) };
    case 'admin':
      return { ...route, handle: async (call: AdminCall) => held(await route.handle(call)) };
  }
}
