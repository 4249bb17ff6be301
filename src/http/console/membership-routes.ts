/** Routes with which a person joins further accounts and chooses the account of the session. */
import { z } from 'zod';
import type { Memberships } from '../../people/memberships/memberships.ts';
import { notSignedIn } from '../../people/people-errors.ts';
import type { LiveSession, Sessions } from '../../people/sessions.ts';
import { checked, id } from '../edge/request-schema.ts';
import { consoleRoute, type Register, type Route, type SessionCall } from '../edge/route.ts';
import { answer } from './session-routes.ts';
import { LINK_QUESTION, OWN_ACCOUNT } from './session-schemas.ts';

const ACCOUNT_CHOICE = z.strictObject({ account_id: id });

export type MembershipDeps = {
  readonly sessions: Pick<Sessions, 'of'>;
  readonly memberships: Pick<Memberships, 'accept' | 'choose'>;
};

type Handle = (call: SessionCall, session: LiveSession) => Promise<z.infer<typeof OWN_ACCOUNT>>;

export function membershipRoutes({ sessions, memberships }: MembershipDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) =>
    consoleRoute(at, 'read_only', doc, async (call) => {
      const session = await sessions.of(call.request.headers.get('cookie'));
      if (session === null) throw notSignedIn();
      return answer(await handle(call, session));
    });
  return [
    route(
      'POST /session/account',
      {
        summary: 'Choose which of your accounts this session is for',
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
        summary: 'Join a further account by an invitation, as the person who is signed in',
        request: LINK_QUESTION,
        response: OWN_ACCOUNT,
      },
      async (call, session) => {
        const { token } = checked(LINK_QUESTION, await call.readJson());
        return await memberships.accept(token, session);
      },
    ),
  ];
}
