/** Holds answers to what the document says of them, in every test that asks a route. */
import { z } from 'zod';
import type { AdminCall, Call, KeyCall, Route, RouteDoc, SessionCall } from './route.ts';

const checks = new Map<RouteDoc, z.ZodType>();

/**
 * What an answer says that its route's schema does not, or the other way round; null when they agree, or
 * nothing is described. Only success in JSON is; a HEAD and a 304 say nothing.
 */
export async function disagreement({ doc }: Route, answer: Response): Promise<string | null> {
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
  if (doc.response === undefined || !answer.ok || !isJson || answer.body === null) return null;
  const statuses: readonly number[] = doc.statuses ?? [200];
  if (!statuses.includes(answer.status)) return `the status ${answer.status}`;
  const check = checks.get(doc) ?? z.fromJSONSchema({ ...doc.response });
  checks.set(doc, check);
  const result = check.safeParse(await answer.clone().json());
  return result.success ? null : z.prettifyError(result.error);
}

/** The same route. @param onProblem told of an answer that is not as the route says. */
export function heldToItsWord(route: Route, onProblem: (problem: string) => void): Route {
  const held = async (answer: Response): Promise<Response> => {
    const problem = await disagreement(route, answer);
    if (problem !== null) onProblem(`${route.method} ${route.path} does not say: ${problem}`);
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
