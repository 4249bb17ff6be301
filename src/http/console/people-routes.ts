/** The people of one's account and their invitations, for its owners. */

import type { Clock } from '../../clock.ts';
import type { Invitations } from '../../people/invitations.ts';
import type { Members, Ordering } from '../../people/members.ts';
import type { NewLink } from '../../people/one-time-links.ts';
import type { Person } from '../../people/person.ts';
import type { LinkRecord, PersonRecord } from '../../people/person-records.ts';
import type { PersonStore } from '../../people/person-store.ts';
import { isoTime } from '../caller/account-body.ts';
import { checked, checkedQuery, jsonSchema, PAGE_QUERY, pageOf } from '../edge/admin-schemas.ts';
import { answerSchema } from '../edge/answer-schema.ts';
import { idOf, type Route, type RouteDoc, type SessionCall } from '../edge/route.ts';
import { consoleRoute } from './console-route.ts';
import {
  INVITATIONS,
  type InvitationBody,
  MEMBER,
  MEMBER_CHANGE,
  MEMBERS,
  type MemberBody,
  NEW_INVITATION,
  NEW_INVITATION_ANSWER,
  ONE_TIME_LINK,
  type OneTimeLinkBody,
  REMOVED,
} from './people-schemas.ts';
import { answer } from './session-routes.ts';

const CREATED = 201;

export type PeopleDeps = {
  readonly people: Pick<PersonStore, 'get' | 'list'>;
  readonly members: Pick<Members, 'change' | 'remove' | 'resetLink' | 'clearTotp'>;
  readonly invitations: Pick<Invitations, 'create' | 'list' | 'takeBack'>;
  readonly clock: Pick<Clock, 'nowMs'>;
};

type Handle = (deps: PeopleDeps, call: SessionCall) => Promise<Response>;

export function peopleRoutes(deps: PeopleDeps): readonly Route[] {
  const route = (
    method: Route['method'],
    path: string,
    doc: Omit<RouteDoc, 'tag'>,
    handle: Handle,
  ): Route => consoleRoute(method, path, 'owner', doc, (call) => handle(deps, call));
  const query = jsonSchema(PAGE_QUERY);
  return [
    route(
      'GET',
      '/members',
      { summary: 'The people of your account', query, response: answerSchema(MEMBERS) },
      listMembers,
    ),
    route(
      'PATCH',
      '/members/:id',
      {
        summary: 'Give somebody of your account another role',
        request: jsonSchema(MEMBER_CHANGE),
        response: answerSchema(MEMBER),
      },
      changeMember,
    ),
    route(
      'DELETE',
      '/members/:id',
      {
        summary: 'Take somebody out of your account; their sessions end',
        response: answerSchema(REMOVED),
      },
      removeMember,
    ),
    route(
      'POST',
      '/members/:id/reset-link',
      {
        summary: 'A link by which somebody of your account sets a new password; shown this once',
        response: answerSchema(ONE_TIME_LINK),
        statuses: [CREATED],
      },
      makeResetLink,
    ),
    route(
      'GET',
      '/invitations',
      {
        summary: 'Invitations to your account, the newest first',
        query,
        response: answerSchema(INVITATIONS),
      },
      listInvitations,
    ),
    route(
      'POST',
      '/invitations',
      {
        summary: 'Invite somebody to your account; the link is shown this once',
        request: jsonSchema(NEW_INVITATION),
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
}

const listMembers: Handle = async ({ people }, { url, person }) => {
  const { query } = checkedQuery(PAGE_QUERY, url);
  const filter = { accountId: person.accountId, email: null };
  const { items, next } = await people.list(filter, pageOf(query));
  return answer({ data: items.map(memberBody), next });
};

const changeMember: Handle = async ({ members }, call) => {
  const { role } = checked(MEMBER_CHANGE, await call.readJson());
  return answer(memberBody(await members.change(idOf(call), { role }, ordering(call.person))));
};

const removeMember: Handle = async ({ members }, call) => {
  await members.remove(idOf(call), ordering(call.person));
  return answer({ id: idOf(call), removed: true });
};

const makeResetLink: Handle = async ({ members }, call) => {
  const link = await members.resetLink(idOf(call), ordering(call.person));
  return answer(linkBody(link), [], CREATED);
};

const listInvitations: Handle = async ({ invitations, clock }, { url, person }) => {
  const { query } = checkedQuery(PAGE_QUERY, url);
  const { items, next } = await invitations.list(person.accountId, pageOf(query));
  return answer({ data: items.map((each) => invitationBody(each, clock.nowMs())), next });
};

const invite: Handle = async ({ invitations, clock }, call) => {
  const { role, email = null } = checked(NEW_INVITATION, await call.readJson());
  const place = { accountId: call.person.accountId, newAccount: null };
  const made = await invitations.create({ role, email, place }, ordering(call.person));
  const body = { ...invitationBody(made.record, clock.nowMs()), ...linkBody(made.link) };
  return answer(body, [], CREATED);
};

const takeBackInvitation: Handle = async ({ invitations }, call) => {
  await invitations.takeBack(idOf(call), ordering(call.person));
  return answer({ id: idOf(call), removed: true });
};

/** Whoever is signed in reaches their own account, whatever else they may do. */
const ordering = ({ id, role, accountId }: Person): Ordering => ({ actor: id, role, accountId });

export const memberBody = (person: PersonRecord): MemberBody => ({
  id: person.id,
  email: person.email,
  name: person.name,
  role: person.role,
  account: { id: person.accountId, name: person.accountName },
  totp_enabled: person.totpEnabled,
  created_at: isoTime(person.createdAtMs),
  last_seen_at: person.lastSeenAtMs === null ? null : isoTime(person.lastSeenAtMs),
});

export const linkBody = ({ url, expiresAtMs }: NewLink): OneTimeLinkBody => ({
  url,
  expires_at: isoTime(expiresAtMs),
});

export function invitationBody(link: LinkRecord, nowMs: number): InvitationBody {
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
