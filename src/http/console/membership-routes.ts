/** Routes for a person to join and leave accounts, and to switch between them. */
import * as z from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Members } from '../../people/members.ts';
import type { Memberships } from '../../people/memberships/memberships.ts';
import { notSignedIn } from '../../people/people-errors.ts';
import type { LiveSession, Sessions } from '../../people/sessions.ts';
import { attendanceOf } from '../edge/authorize.ts';
import { checked, checkedQuery, id } from '../edge/request-schema.ts';
import { consoleRoute, idOf, type Register, type Route, type SessionCall } from '../edge/route.ts';
import { keysLeft } from './people-routes.ts';
import { REMOVAL_QUERY, REMOVED_PERSON } from './people-schemas.ts';
import { answer } from './session-routes.ts';
import { LINK_QUESTION, OWN_ACCOUNT } from './session-schemas.ts';

const ACCOUNT_CHOICE = z.strictObject({ account_id: id });

export type MembershipDeps = {
  readonly sessions: Pick<Sessions, 'of'>;
  readonly memberships: Pick<Memberships, 'accept' | 'choose'>;
  readonly members: Pick<Members, 'leave'>;
  readonly accounts: Pick<Accounts, 'keysOf'>;
};

type Handle = (call: SessionCall, session: LiveSession) => Promise<object>;

export function membershipRoutes(deps: MembershipDeps): readonly Route[] {
  const { sessions, memberships, members, accounts } = deps;
  const route: Register<Handle> = (at, doc, handle) =>
    consoleRoute(at, 'read_only', doc, async (call) => {
      const { headers } = call.request;
      const session = await sessions.of(headers.get('cookie'), attendanceOf(headers));
      if (session === null) throw notSignedIn();
      return answer(await handle(call, session));
    });
  return [
    route(
      'POST /session/account',
      {
        summary: 'Choose which of your accounts this session uses',
        request: ACCOUNT_CHOICE,
        response: OWN_ACCOUNT,
      },
      async (call, session) => {
        const { account_id: accountId } = checked(ACCOUNT_CHOICE, await call.readJson());
        return await memberships.choose(session, accountId);
      },
    ),
    route(
      'POST /invitations/accept',
      {
        summary: 'Accept an invitation to another account, as the signed-in person',
        request: LINK_QUESTION,
        response: OWN_ACCOUNT,
      },
      async (call, session) => {
        const { token } = checked(LINK_QUESTION, await call.readJson());
        return await memberships.accept(token, session);
      },
    ),
    route(
      'DELETE /profile/accounts/:id',
      {
        summary: 'Leave one of your accounts; the answer lists the API keys that remain in it',
        query: REMOVAL_QUERY,
        response: REMOVED_PERSON,
      },
      async (call, { person }) => {
        const { query } = checkedQuery(REMOVAL_QUERY, call.url);
        const accountId = idOf(call);
        await members.leave(person.id, accountId);
        const within = accounts.keysOf(accountId);
        const keys = await keysLeft(within, person.id, query.keys, person.id);
        const left: z.infer<typeof REMOVED_PERSON> = { id: accountId, removed: true, keys };
        return left;
      },
    ),
  ];
}
