/** Routes for a person's own profile: name, password, authenticator and sessions. */

import type { z } from 'zod';
import type { Credentials } from '../../people/credentials.ts';
import type { Members } from '../../people/members.ts';
import type { Identities } from '../../people/oidc/identities.ts';
import type { ProviderSignIn } from '../../people/oidc/provider-sign-in.ts';
import { notSignedIn } from '../../people/people-errors.ts';
import type { LiveSession, SessionRecord, Sessions } from '../../people/sessions.ts';
import { isoTime } from '../caller/account-body.ts';
import { attendanceOf } from '../edge/authorize.ts';
import { checked } from '../edge/request-schema.ts';
import { consoleRoute, idOf, type Register, type Route, type SessionCall } from '../edge/route.ts';
import { answer, personBody, visitorOf } from './session-routes.ts';
import {
  PASSWORD_CHANGE,
  PASSWORD_PROOF,
  PROFILE,
  PROFILE_CHANGE,
  RECOVERY_CODES,
  type SESSION_ITEM,
  SESSIONS,
  SESSIONS_ENDED,
  TOTP_CODE,
  TOTP_SETUP,
} from './session-schemas.ts';

export type ProfileDeps = {
  readonly sessions: Pick<Sessions, 'of' | 'list' | 'end' | 'endOthers'>;
  readonly members: Pick<Members, 'rename'>;
  readonly credentials: Pick<
    Credentials,
    | 'changePassword'
    | 'beginTotp'
    | 'confirmTotp'
    | 'endTotp'
    | 'newRecoveryCodes'
    | 'recoveryCodesLeft'
    | 'hasPassword'
  >;
  readonly identities: Pick<Identities, 'list'>;
  readonly providerSignIn: Pick<ProviderSignIn, 'offered'>;
  readonly requireTotp: () => boolean;
};

/** Handles a call. `session` is read from the store for each call, so it is up to date. */
type Handle = (deps: ProfileDeps, call: SessionCall, session: LiveSession) => Promise<Response>;

export function profileRoutes(deps: ProfileDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) => ({
    ...consoleRoute(at, 'read_only', doc, async (call) => {
      const { headers } = call.request;
      const session = await deps.sessions.of(headers.get('cookie'), attendanceOf(headers));
      if (session === null) throw notSignedIn();
      return await handle(deps, call, session);
    }),
    // These routes set up two-factor authentication, so they cannot require it.
    beforeTotp: true,
  });
  return [
    route('GET /profile', { summary: 'Read your profile', response: PROFILE }, getProfile),
    route(
      'PATCH /profile',
      { summary: 'Change your name', request: PROFILE_CHANGE, response: PROFILE },
      changeProfile,
    ),
    route(
      'POST /profile/password',
      {
        summary: 'Change your password and end all your other sessions',
        request: PASSWORD_CHANGE,
        response: PROFILE,
      },
      changePassword,
    ),
    route(
      'POST /profile/totp',
      {
        summary: 'Begin to set up an authenticator; a correct code confirms it',
        request: PASSWORD_PROOF,
        response: TOTP_SETUP,
      },
      beginTotp,
    ),
    route(
      'POST /profile/totp/confirm',
      { summary: 'Confirm the authenticator', request: TOTP_CODE, response: PROFILE },
      confirmTotp,
    ),
    route(
      'DELETE /profile/totp',
      { summary: 'Remove the authenticator', request: PASSWORD_PROOF, response: PROFILE },
      endTotp,
    ),
    route(
      'POST /profile/totp/recovery-codes',
      {
        summary: 'Create new recovery codes; earlier ones stop working',
        request: PASSWORD_PROOF,
        response: RECOVERY_CODES,
      },
      newRecoveryCodes,
    ),
    ...sessionListRoutes(route),
  ];
}

const sessionListRoutes = (route: Register<Handle>): readonly Route[] => [
  route(
    'GET /profile/sessions',
    { summary: 'List your sessions, newest first', response: SESSIONS },
    listSessions,
  ),
  route(
    'DELETE /profile/sessions',
    { summary: 'End all your other sessions', response: SESSIONS_ENDED },
    endOtherSessions,
  ),
  route(
    'DELETE /profile/sessions/:id',
    { summary: 'End one of your sessions', response: SESSIONS_ENDED },
    endSession,
  ),
];

const getProfile: Handle = async (deps, _call, { person }) =>
  answer(await profileBody(deps, person));

const changeProfile: Handle = async (deps, call, { person }) => {
  const { name } = checked(PROFILE_CHANGE, await call.readJson());
  const renamed = await deps.members.rename(person.id, name);
  return answer(await profileBody(deps, { ...person, name: renamed.name }));
};

const changePassword: Handle = async (deps, call, { person }) => {
  const body = checked(PASSWORD_CHANGE, await call.readJson());
  const words = { current: body.current_password, next: body.new_password };
  const { cookies } = await deps.credentials.changePassword(person, words, visitorOf(call));
  return answer(await profileBody(deps, person), cookies);
};

const beginTotp: Handle = async (deps, call, { person }) => {
  const { password } = checked(PASSWORD_PROOF, await call.readJson());
  const { uri, recoveryCodes } = await deps.credentials.beginTotp(
    person,
    password,
    visitorOf(call),
  );
  return answer({
    otpauth_uri: uri,
    secret: new URL(uri).searchParams.get('secret') ?? '',
    recovery_codes: recoveryCodes,
  });
};

const confirmTotp: Handle = async (deps, call, { person }) => {
  const { code } = checked(TOTP_CODE, await call.readJson());
  const { cookies } = await deps.credentials.confirmTotp(person, code, visitorOf(call));
  return answer(await profileBody(deps, { ...person, totpEnabled: true }), cookies);
};

const endTotp: Handle = async (deps, call, { person }) => {
  const { password } = checked(PASSWORD_PROOF, await call.readJson());
  const { cookies } = await deps.credentials.endTotp(person, password, visitorOf(call));
  return answer(await profileBody(deps, { ...person, totpEnabled: false }), cookies);
};

const newRecoveryCodes: Handle = async (deps, call, { person }) => {
  const { password } = checked(PASSWORD_PROOF, await call.readJson());
  const codes = await deps.credentials.newRecoveryCodes(person, password, visitorOf(call));
  return answer({ recovery_codes: codes });
};

const listSessions: Handle = async ({ sessions }, _call, { id, person }) => {
  const found = await sessions.list(person.id);
  return answer({ data: found.map((each) => sessionBody(each, id)), next: null });
};

const endSession: Handle = async ({ sessions }, call, { person }) => {
  await sessions.end(person.id, idOf(call));
  return answer({ ended: 1 });
};

const endOtherSessions: Handle = async ({ sessions }, _call, { id, person }) =>
  answer({ ended: await sessions.endOthers(person.id, id) });

async function profileBody(
  { credentials, identities, providerSignIn: { offered }, requireTotp }: ProfileDeps,
  person: LiveSession['person'],
): Promise<z.infer<typeof PROFILE>> {
  return {
    ...personBody(person, requireTotp()),
    created_at: isoTime(person.createdAtMs),
    recovery_codes_left: await credentials.recoveryCodesLeft(person),
    has_password: await credentials.hasPassword(person.id),
    identities: (await identities.list(person.id)).map(({ issuer, linkedAtMs }) => ({
      name: offered?.issuer === issuer ? offered.name : null,
      issuer,
      linked_at: isoTime(linkedAtMs),
    })),
  };
}

const sessionBody = (session: SessionRecord, currentId: string): z.infer<typeof SESSION_ITEM> => ({
  id: session.id,
  current: session.id === currentId,
  address: session.address === '' ? null : session.address,
  user_agent: session.userAgent === '' ? null : session.userAgent,
  created_at: isoTime(session.createdAtMs),
  last_seen_at: isoTime(session.seenAtMs),
  expires_at: isoTime(session.expiresAtMs),
});
