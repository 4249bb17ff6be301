/** Limits the changes of each signed-in person, and of the keys of each account. */
import { ChangeLimit } from '../../accounts/limits/change-limit.ts';
import type { Clock } from '../../clock.ts';
import type { Call, KeyCall, Route, SessionCall } from '../../http/edge/route.ts';

export function limitedChanges(routes: readonly Route[], clock: Clock): Route[] {
  const limit = new ChangeLimit(clock);
  const taken = async (owner: string, call: Call): Promise<void> =>
    limit.take(owner, (await call.readBytes()).byteLength);
  return routes.map((route) => {
    if (route.method === 'GET') return route;
    if (route.auth === 'session') {
      const handle = async (call: SessionCall): Promise<Response> => {
        // By person: no member can use up the changes of an owner.
        await taken(call.person.id, call);
        return await route.handle(call);
      };
      return { ...route, handle };
    }
    if (route.auth === 'key') {
      const handle = async (call: KeyCall): Promise<Response> => {
        await taken(call.caller.accountId, call);
        return await route.handle(call);
      };
      return { ...route, handle };
    }
    return route;
  });
}
