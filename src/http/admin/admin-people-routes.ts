/** Routes for people and invitations of all accounts, for administrators and the command line. */

import { GatewayError } from '../../errors.ts';
import { normalizedEmail } from '../../people/email.ts';
import type { InvitationPlace } from '../../people/invitations.ts';
import type { Authority } from '../../people/members.ts';
import type { SignUp } from '../../people/sign-up.ts';
import {
  commonPeopleRoutes,
  invited,
  keysLeft,
  linkBody,
  membersPage,
  oneMember,
  type PeopleDeps,
} from '../console/people-routes.ts';
import {
  MEMBER,
  MEMBERS,
  NEW_ADMIN_INVITATION,
  NEW_INVITATION_ANSWER,
  ONE_TIME_LINK,
  PEOPLE_QUERY,
  PERSON_CHANGE,
  PERSON_PLACE,
} from '../console/people-schemas.ts';
import { answer } from '../console/session-routes.ts';
import { CREATED } from '../edge/answer-schema.ts';
import { checked, checkedQuery, pageOf } from '../edge/request-schema.ts';
import { IF_MATCH, ifMatchOf } from '../edge/response-headers.ts';
import { type AdminCall, adminRoute, idOf, type Register, type Route } from '../edge/route.ts';

export type AdminPeopleDeps = PeopleDeps & { readonly signUp: Pick<SignUp, 'newSetupLink'> };

type Handle = (deps: AdminPeopleDeps, call: AdminCall, by: Authority) => Promise<Response>;

export function adminPeopleRoutes(deps: AdminPeopleDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) =>
    adminRoute(at, doc, (call) => handle(deps, call, everyAccount(call)));
  return [
    route(
      'GET /people',
      {
        summary:
          'List the people of all accounts, oldest first; `search` matches part of a name or email address',
        query: PEOPLE_QUERY,
        response: MEMBERS,
      },
      listPeople,
    ),
    route(
      'PATCH /people/:id',
      {
        summary: "Change a person's role or account",
        query: PERSON_PLACE,
        headers: IF_MATCH,
        request: PERSON_CHANGE,
        response: MEMBER,
      },
      changePerson,
    ),
    route(
      'DELETE /people/:id/totp',
      {
        summary: "Remove a person's authenticator, recovery codes and passkeys",
        response: MEMBER,
      },
      clearTotp,
    ),
    route(
      'POST /setup-link',
      {
        summary:
          'Create a one-time link for creating the first administrator; earlier links are revoked',
        response: ONE_TIME_LINK,
        statuses: [CREATED],
      },
      makeSetupLink,
    ),
    ...commonPeopleRoutes(route, '/people', PERSON_PLACE),
    route(
      'POST /invitations',
      {
        summary: 'Invite a person to an existing or new account; the link is shown only once',
        request: NEW_ADMIN_INVITATION,
        response: NEW_INVITATION_ANSWER,
        statuses: [CREATED],
      },
      invite,
    ),
  ];
}

const listPeople: Handle = async (deps, { url }, by) => {
  const { query } = checkedQuery(PEOPLE_QUERY, url);
  const { account_id: accountId = null, email, search } = query;
  const filter = { accountId, email: email === undefined ? null : normalizedEmail(email), search };
  return await membersPage(deps, await deps.people.list(filter, pageOf(query)), by);
};

const changePerson: Handle = async (deps, call, by) => {
  checkedQuery(PERSON_PLACE, call.url);
  const { role, account_id: accountId } = checked(PERSON_CHANGE, await call.readJson());
  const id = idOf(call);
  const before = await deps.people.get(id, by.accountId);
  const after = await deps.members.change(id, { role, accountId }, by, ifMatchOf(call.request));
  if (after.accountId !== before.accountId)
    await keysLeft(deps.accounts.keysOf(before.accountId), id, 'keep', by.actor);
  return await oneMember(deps, after, by);
};

const clearTotp: Handle = async (deps, call, by) =>
  await oneMember(deps, await deps.members.clearTotp(idOf(call), by), by);

const makeSetupLink: Handle = async ({ signUp }, { actor }) =>
  answer(linkBody(await signUp.newSetupLink(actor)), [], CREATED);

const invite: Handle = async (deps, call, by) => {
  const body = checked(NEW_ADMIN_INVITATION, await call.readJson());
  const { role, email = null, account_id: accountId, account_name: newAccount } = body;
  return await invited(deps, { role, email, place: placeOf(accountId, newAccount) }, by);
};

/**
 * Returns the account that an invitation is for: an existing account or a new one.
 * @throws GatewayError `invalid_value` unless exactly one of the two is given.
 */
function placeOf(accountId: string | undefined, newAccount: string | undefined): InvitationPlace {
  if (accountId !== undefined && newAccount === undefined) return { accountId, newAccount: null };
  if (accountId === undefined && newAccount !== undefined) return { accountId: null, newAccount };
  throw new GatewayError(
    'invalid_value',
    'Send either account_id (an existing account) or account_name (a new one), not both.',
    { param: 'account_id' },
  );
}

/**
 * Returns an administrator's authority. It covers the account in the query parameter `account_id`,
 * or all accounts without this parameter.
 */
const everyAccount = ({ actor, url }: AdminCall): Authority => ({
  actor,
  role: 'administrator',
  accountId: url.searchParams.get('account_id'),
});
