/** The people of all accounts, for administrators and the operator's command line. */

import type { Clock } from '../../clock.ts';
import { GatewayError } from '../../errors.ts';
import { foldedEmail } from '../../people/email.ts';
import type { InvitationPlace, Invitations } from '../../people/invitations.ts';
import type { Members, Ordering } from '../../people/members.ts';
import type { PersonStore } from '../../people/person-store.ts';
import type { Joining } from '../../people/sign-up.ts';
import { invitationBody, linkBody, memberBody } from '../console/people-routes.ts';
import {
  INVITATIONS,
  MEMBER,
  MEMBERS,
  NEW_ADMIN_INVITATION,
  NEW_INVITATION_ANSWER,
  ONE_TIME_LINK,
  PEOPLE_QUERY,
  PERSON_CHANGE,
  REMOVED,
} from '../console/people-schemas.ts';
import { answer } from '../console/session-routes.ts';
import { checked, checkedQuery, jsonSchema, PAGE_QUERY, pageOf } from '../edge/admin-schemas.ts';
import { answerSchema } from '../edge/answer-schema.ts';
import { type AdminCall, idOf, type Route, type RouteDoc } from '../edge/route.ts';
import { adminRoute } from './admin-route.ts';

const CREATED = 201;

export type AdminPeopleDeps = {
  readonly people: Pick<PersonStore, 'get' | 'list'>;
  readonly members: Pick<Members, 'change' | 'remove' | 'resetLink' | 'clearTotp'>;
  readonly invitations: Pick<Invitations, 'create' | 'list' | 'takeBack'>;
  readonly joining: Pick<Joining, 'newSetupLink'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

type Handle = (deps: AdminPeopleDeps, call: AdminCall) => Promise<Response>;
type Registering = (
  method: Route['method'],
  path: string,
  doc: Omit<RouteDoc, 'tag'>,
  handle: Handle,
) => Route;

export function adminPeopleRoutes(deps: AdminPeopleDeps): readonly Route[] {
  const route: Registering = (method, path, doc, handle) =>
    adminRoute(method, path, doc, (call) => handle(deps, call));
  return [...personRoutes(route), ...invitationRoutes(route)];
}

const personRoutes = (route: Registering): readonly Route[] => [
  route(
    'GET',
    '/people',
    {
      summary: 'People of all accounts, those who came first, first',
      query: jsonSchema(PEOPLE_QUERY),
      response: answerSchema(MEMBERS),
    },
    listPeople,
  ),
  route(
    'PATCH',
    '/people/:id',
    {
      summary: 'Give somebody another role, or another account',
      request: jsonSchema(PERSON_CHANGE),
      response: answerSchema(MEMBER),
    },
    changePerson,
  ),
  route(
    'DELETE',
    '/people/:id',
    { summary: 'Take somebody out; their sessions end', response: answerSchema(REMOVED) },
    removePerson,
  ),
  route(
    'POST',
    '/people/:id/reset-link',
    {
      summary: 'A link by which somebody sets a new password; shown this once',
      response: answerSchema(ONE_TIME_LINK),
      statuses: [CREATED],
    },
    makeResetLink,
  ),
  route(
    'DELETE',
    '/people/:id/totp',
    {
      summary: 'Take an authenticator away that was lost with its recovery codes',
      response: answerSchema(MEMBER),
    },
    clearTotp,
  ),
  route(
    'POST',
    '/setup-link',
    {
      summary: 'The link that makes the first administrator; those before it no longer work',
      response: answerSchema(ONE_TIME_LINK),
      statuses: [CREATED],
    },
    makeSetupLink,
  ),
];

const invitationRoutes = (route: Registering): readonly Route[] => [
  route(
    'GET',
    '/invitations',
    {
      summary: 'Invitations to all accounts, the newest first',
      query: jsonSchema(PAGE_QUERY),
      response: answerSchema(INVITATIONS),
    },
    listInvitations,
  ),
  route(
    'POST',
    '/invitations',
    {
      summary: 'Invite somebody to an account, or to a new one; the link is shown this once',
      request: jsonSchema(NEW_ADMIN_INVITATION),
      response: answerSchema(NEW_INVITATION_ANSWER),
      statuses: [CREATED],
    },
    invite,
  ),
  route(
    'DELETE',
    '/invitations/:id',
    { summary: 'Take an open invitation back', response: answerSchema(REMOVED) },
    takeBackInvitation,
  ),
];

const listPeople: Handle = async ({ people }, { url }) => {
  const { query } = checkedQuery(PEOPLE_QUERY, url);
  const { account_id: accountId = null, email } = query;
  const filter = { accountId, email: email === undefined ? null : foldedEmail(email) };
  const { items, next } = await people.list(filter, pageOf(query));
  return answer({ data: items.map(memberBody), next });
};

const changePerson: Handle = async ({ members }, call) => {
  const { role, account_id: accountId } = checked(PERSON_CHANGE, await call.readJson());
  const change = { role, accountId };
  return answer(memberBody(await members.change(idOf(call), change, ordering(call))));
};

const removePerson: Handle = async ({ members }, call) => {
  await members.remove(idOf(call), ordering(call));
  return answer({ id: idOf(call), removed: true });
};

const makeResetLink: Handle = async ({ members }, call) => {
  const link = await members.resetLink(idOf(call), ordering(call));
  return answer(linkBody(link), [], CREATED);
};

const clearTotp: Handle = async ({ members }, call) =>
  answer(memberBody(await members.clearTotp(idOf(call), ordering(call))));

const makeSetupLink: Handle = async ({ joining }, { actor }) =>
  answer(linkBody(await joining.newSetupLink(actor)), [], CREATED);

const listInvitations: Handle = async ({ invitations, clock }, { url }) => {
  const { query } = checkedQuery(PAGE_QUERY, url);
  const { items, next } = await invitations.list(null, pageOf(query));
  return answer({ data: items.map((each) => invitationBody(each, clock.nowMs())), next });
};

const invite: Handle = async (deps, call) => {
  const body = checked(NEW_ADMIN_INVITATION, await call.readJson());
  const { role, email = null, account_id: accountId, account_name: newAccount } = body;
  const place = placeOf(accountId, newAccount);
  const made = await deps.invitations.create({ role, email, place }, ordering(call));
  const answered = { ...invitationBody(made.record, deps.clock.nowMs()), ...linkBody(made.link) };
  return answer(answered, [], CREATED);
};

const takeBackInvitation: Handle = async ({ invitations }, call) => {
  await invitations.takeBack(idOf(call), ordering(call));
  return answer({ id: idOf(call), removed: true });
};

/** @throws GatewayError `invalid_value`: it must be the one or the other. */
function placeOf(accountId: string | undefined, newAccount: string | undefined): InvitationPlace {
  if (accountId !== undefined && newAccount === undefined) return { accountId, newAccount: null };
  if (accountId === undefined && newAccount !== undefined) return { accountId: null, newAccount };
  throw new GatewayError(
    'invalid_value',
    'account_id or account_name must be given, and not both: an account that is there, or the name of a new one.',
    { param: 'account_id' },
  );
}

/** Administrators reach everybody. */
const ordering = ({ actor }: AdminCall): Ordering => ({
  actor,
  role: 'administrator',
  accountId: null,
});
