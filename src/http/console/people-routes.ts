/** Routes for the people and invitations of an account, which its owners manage. */

import type { z } from 'zod';
import type { Accounts } from '../../accounts/accounts.ts';
import type { Page } from '../../accounts/page.ts';
import type { Clock } from '../../clock.ts';
import { asGatewayError } from '../../errors.ts';
import type { Invitations } from '../../people/invitations.ts';
import { type Authority, type Members, personTag } from '../../people/members.ts';
import {
  budgetTag,
  type MemberCaps,
  type NamedBudget,
} from '../../people/memberships/member-caps.ts';
import type { LinkRecord, NewLink } from '../../people/one-time-links.ts';
import type { Person, PersonRecord } from '../../people/person.ts';
import type { PersonStore } from '../../people/person-store.ts';
import { isoTime, memberBudgetBody } from '../caller/account-body.ts';
import { CREATED, NO_STORE } from '../edge/answer-schema.ts';
import { checked, checkedQuery, PAGE_QUERY, pageOf } from '../edge/request-schema.ts';
import { IF_MATCH, ifMatchOf } from '../edge/response-headers.ts';
import {
  type Call,
  consoleRoute,
  idOf,
  type Register,
  type Route,
  type SessionCall,
} from '../edge/route.ts';
import {
  type INVITATION,
  INVITATIONS,
  MEMBER,
  MEMBER_CHANGE,
  MEMBER_LIMITS,
  MEMBER_LIMITS_CHANGE,
  MEMBERS,
  MEMBERS_QUERY,
  NEW_INVITATION,
  NEW_INVITATION_ANSWER,
  ONE_TIME_LINK,
  OWN_PLACE,
  type PERSON_PLACE,
  REMOVAL_QUERY,
  REMOVED,
  REMOVED_PERSON,
} from './people-schemas.ts';
import { answer, identityBody } from './session-routes.ts';

export type PeopleDeps = {
  readonly people: Pick<PersonStore, 'get' | 'list'>;
  readonly members: Pick<Members, 'change' | 'remove' | 'resetLink' | 'clearTotp'>;
  readonly invitations: Pick<Invitations, 'create' | 'list' | 'revoke'>;
  readonly memberCaps: Pick<MemberCaps, 'ofEach' | 'get' | 'change'>;
  readonly accounts: Pick<Accounts, 'keysOf'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

/**
 * @param by the caller, with the account whose people the caller may manage. If this account is
 *   null, the caller may manage the people of all accounts.
 */
type Handle<EachCall extends Call = Call> = (
  deps: PeopleDeps,
  call: EachCall,
  by: Authority,
) => Promise<Response>;
export function peopleRoutes(deps: PeopleDeps): readonly Route[] {
  const route: Register<Handle<SessionCall>> = (at, doc, handle) =>
    consoleRoute(at, 'owner', doc, (call) => handle(deps, call, authorityOf(call.person)));
  return [
    route(
      'GET /members',
      {
        summary:
          'List the people of your account; `search` matches part of a name or email address',
        query: MEMBERS_QUERY,
        response: MEMBERS,
      },
      listMembers,
    ),
    route(
      'PATCH /members/:id',
      {
        summary: 'Change the role of a person in your account',
        headers: IF_MATCH,
        request: MEMBER_CHANGE,
        response: MEMBER,
      },
      changeMember,
    ),
    ...commonPeopleRoutes(route, '/members', OWN_PLACE),
    route(
      'POST /invitations',
      {
        summary: 'Invite a person to your account; the link is shown only once',
        request: NEW_INVITATION,
        response: NEW_INVITATION_ANSWER,
        statuses: [CREATED],
      },
      invite,
    ),
  ];
}

/** Returns the routes that owners use for their account, and administrators for all accounts. */
export const commonPeopleRoutes = <EachCall extends Call>(
  route: Register<Handle<EachCall>>,
  people: '/members' | '/people',
  place: typeof OWN_PLACE | typeof PERSON_PLACE,
): readonly Route[] => [
  route(
    `GET ${people}/:id`,
    { summary: 'Read a person', query: place, response: MEMBER },
    inPlace(place, getMember),
  ),
  route(
    `DELETE ${people}/:id`,
    {
      summary:
        'Remove a person from the account, or delete the person; the answer lists the API keys that remain',
      query: REMOVAL_QUERY.extend(place.shape),
      response: REMOVED_PERSON,
    },
    removeMember(REMOVAL_QUERY.extend(place.shape)),
  ),
  route(
    `POST ${people}/:id/reset-link`,
    {
      summary: 'Create a password reset link for a person; it is shown only once',
      query: place,
      response: ONE_TIME_LINK,
      statuses: [CREATED],
    },
    inPlace(place, makeResetLink),
  ),
  route(
    `GET ${people}/:id/limits`,
    {
      summary:
        'Read the spending limits of a person on all API keys that they created, even after the person was removed',
      query: place,
      response: MEMBER_LIMITS,
    },
    inPlace(place, getLimits),
  ),
  route(
    `PUT ${people}/:id/limits`,
    {
      summary: 'Set the spending limits of a person on all API keys that they created',
      query: place,
      headers: IF_MATCH,
      request: MEMBER_LIMITS_CHANGE,
      response: MEMBER_LIMITS,
    },
    inPlace(place, setLimits),
  ),
  route(
    'GET /invitations',
    { summary: 'List invitations, newest first', query: PAGE_QUERY, response: INVITATIONS },
    listInvitations,
  ),
  route(
    'DELETE /invitations/:id',
    { summary: 'Revoke an open invitation', response: REMOVED },
    revokeInvitation,
  ),
];

/**
 * Checks the query before the handler is called. Without this, a misspelled `account_id` would
 * change the person in their main account.
 */
const inPlace =
  (place: typeof OWN_PLACE | typeof PERSON_PLACE, handle: Handle): Handle =>
  async (deps, call, by) => {
    checkedQuery(place, call.url);
    return await handle(deps, call, by);
  };

const listMembers: Handle = async (deps, { url }, by) => {
  const { query } = checkedQuery(MEMBERS_QUERY, url);
  const filter = { accountId: by.accountId, email: null, search: query.search };
  return await membersPage(deps, await deps.people.list(filter, pageOf(query)), by);
};

export async function membersPage(
  deps: PeopleDeps,
  { items, next }: Page<PersonRecord>,
  by: Authority,
): Promise<Response> {
  return answer({ data: await memberBodies(deps, items, by), next });
}

const changeMember: Handle = async (deps, call, by) => {
  const { role } = checked(MEMBER_CHANGE, await call.readJson());
  const ifMatch = ifMatchOf(call.request);
  return await oneMember(deps, await deps.members.change(idOf(call), { role }, by, ifMatch), by);
};

const getMember: Handle = async (deps, call, by) =>
  await oneMember(deps, await deps.people.get(idOf(call), by.accountId), by);

const removeMember =
  (schema: typeof REMOVAL_QUERY): Handle =>
  async ({ members, accounts }, call, by) => {
    const { query } = checkedQuery(schema, call.url);
    const id = idOf(call);
    // If `by.accountId` is null, the person is deleted, so this covers their keys in all accounts.
    const within = accounts.keysOf(by.accountId);
    try {
      await members.remove(id, by);
    } catch (thrown) {
      // An earlier call may have removed the person and failed before it had disabled all keys.
      const isGone = query.keys === 'disable' && asGatewayError(thrown).code === 'not_found';
      if (!isGone || (await within.createdBy(id)).length === 0) throw thrown;
    }
    const keys = await keysLeft(within, id, query.keys, by.actor);
    return answer({ id, removed: true, keys } satisfies z.infer<typeof REMOVED_PERSON>);
  };

const getLimits: Handle = async (deps, call, by) => {
  const personId = idOf(call);
  const accountId = await accountIn(deps, personId, by);
  return limitsAnswer(personId, await deps.memberCaps.get({ personId, accountId }));
};

const setLimits: Handle = async (deps, call, by) => {
  const { limits } = checked(MEMBER_LIMITS_CHANGE, await call.readJson());
  const personId = idOf(call);
  const place = { personId, accountId: await accountIn(deps, personId, by) };
  const ifMatch = ifMatchOf(call.request);
  return limitsAnswer(
    personId,
    await deps.memberCaps.change(place, limits.spend, by.actor, ifMatch),
  );
};

/**
 * Returns the caller's account. If the caller may manage all accounts, returns the main account of
 * the person.
 */
const accountIn = async ({ people }: PeopleDeps, id: string, by: Authority): Promise<string> =>
  by.accountId ?? (await people.get(id)).accountId;

function limitsAnswer(id: string, budget: NamedBudget): Response {
  const body: z.infer<typeof MEMBER_LIMITS> = {
    ...{ id, name: budget.name },
    ...memberBudgetBody(budget.spend),
    etag: budgetTag(budget),
  };
  return Response.json(body, { headers: { ...NO_STORE, etag: body.etag } });
}

/**
 * Returns the API keys `within` that a person who was removed or moved has created, and disables
 * them if `wish` is `disable`. Always revokes the person's playground keys.
 */
export async function keysLeft(
  within: Pick<ReturnType<Accounts['keysOf']>, 'createdBy' | 'disable' | 'revoke'>,
  personId: string,
  wish: z.infer<typeof REMOVAL_QUERY>['keys'],
  actor: string,
): Promise<z.infer<typeof REMOVED_PERSON>['keys']> {
  const keys: z.infer<typeof REMOVED_PERSON>['keys'] = [];
  for (const key of await within.createdBy(personId)) {
    if (key.purpose !== null) {
      await within.revoke(key.id, actor);
      continue;
    }
    const isDisabled = wish === 'disable' && key.status === 'active';
    const left = isDisabled ? await within.disable(key.id, actor) : key;
    keys.push({ id: left.id, name: left.name, masked: left.masked, status: left.status });
  }
  return keys;
}

const makeResetLink: Handle = async ({ members }, call, by) =>
  answer(linkBody(await members.resetLink(idOf(call), by)), [], CREATED);

const listInvitations: Handle = async ({ invitations, clock }, { url }, { accountId }) => {
  const { query } = checkedQuery(PAGE_QUERY, url);
  const { items, next } = await invitations.list(accountId, pageOf(query));
  return answer({ data: items.map((each) => invitationBody(each, clock.nowMs())), next });
};

const invite: Handle<SessionCall> = async (deps, call, by) => {
  const { role, email = null } = checked(NEW_INVITATION, await call.readJson());
  const place = { accountId: call.person.accountId, newAccount: null };
  return await invited(deps, { role, email, place }, by);
};

export async function invited(
  { invitations, clock }: PeopleDeps,
  invitation: Parameters<Invitations['create']>[0],
  by: Authority,
): Promise<Response> {
  const made = await invitations.create(invitation, by);
  const body = { ...invitationBody(made.record, clock.nowMs()), ...linkBody(made.link) };
  return answer(body, [], CREATED);
}

const revokeInvitation: Handle = async ({ invitations }, call, by) => {
  await invitations.revoke(idOf(call), by);
  return answer({ id: idOf(call), removed: true });
};

/** Returns the authority of an owner, which covers only the owner's account. */
const authorityOf = ({ id, role, accountId }: Person): Authority => ({
  actor: id,
  role,
  accountId,
});

/**
 * Returns the part of the response that describes each person, in the order of `people`.
 * @param by the caller. Only administrators see how many other accounts a person has.
 */
async function memberBodies(
  { memberCaps }: PeopleDeps,
  people: readonly PersonRecord[],
  by: Pick<Authority, 'role'>,
): Promise<readonly z.infer<typeof MEMBER>[]> {
  const budgetOf = await memberCaps.ofEach(people.map(placeOf));
  return people.map((person) => {
    const budget = budgetOf(placeOf(person));
    return {
      ...identityBody(person),
      other_accounts: by.role === 'administrator' ? (person.otherAccounts ?? null) : null,
      created_at: isoTime(person.createdAtMs),
      last_seen_at: isoTime(person.lastSeenAtMs),
      etag: personTag(person),
      ...memberBudgetBody(budget.spend),
      limits_etag: budgetTag(budget),
    };
  });
}

/** Answers with one person as a member of `person.accountId`. */
export async function oneMember(
  deps: PeopleDeps,
  person: PersonRecord,
  by: Authority,
): Promise<Response> {
  const [body = {}] = await memberBodies(deps, [person], by);
  return answer(body);
}

const placeOf = ({ id, accountId }: PersonRecord) => ({ personId: id, accountId });

export const linkBody = ({
  url,
  expiresAtMs,
  mailedTo,
}: NewLink): z.infer<typeof ONE_TIME_LINK> => ({
  url,
  expires_at: isoTime(expiresAtMs),
  emailed_to: mailedTo ?? null,
});

function invitationBody(link: LinkRecord, nowMs: number): z.infer<typeof INVITATION> {
  if (link.role === null) throw new Error(`the invitation ${link.id} has no role`);
  const isOver = link.expiresAtMs <= nowMs;
  return {
    id: link.id,
    email: link.email,
    role: link.role,
    account_id: link.accountId,
    account_name: link.accountName ?? '',
    state: link.usedAtMs === null ? (isOver ? 'expired' : 'open') : 'accepted',
    created_at: isoTime(link.createdAtMs),
    expires_at: isoTime(link.expiresAtMs),
    invited_by: link.madeBy,
  };
}
