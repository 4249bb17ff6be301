/** Routes to manage the signed-in person's passkeys, and to sign in with a passkey. */
import type { z } from 'zod';
import type { PasskeySignIn } from '../../people/passkeys/passkey-sign-in.ts';
import type { Passkey, Passkeys } from '../../people/passkeys/passkeys.ts';
import { notSignedIn } from '../../people/people-errors.ts';
import type { PersonRecord } from '../../people/person.ts';
import { isoTime } from '../caller/account-body.ts';
import { attendanceOf, requireSameOrigin } from '../edge/authorize.ts';
import { checked } from '../edge/request-schema.ts';
import { consoleRoute, idOf, type Register, type Route, type SessionCall } from '../edge/route.ts';
import {
  NEW_PASSKEY,
  type PASSKEY,
  PASSKEY_ANSWER,
  PASSKEY_CHANGE,
  PASSKEY_CREATION,
  PASSKEY_REQUEST,
  PASSKEYS,
} from './passkey-schemas.ts';
import { answer, entered, publicRoute, type SessionDeps, visitorOf } from './session-routes.ts';
import { PASSWORD_PROOF, SIGNED_IN } from './session-schemas.ts';

export type PasskeyDeps = SessionDeps & {
  readonly passkeys: Pick<Passkeys, 'list' | 'begin' | 'add' | 'rename' | 'remove'>;
  readonly passkeySignIn: Pick<PasskeySignIn, 'begin' | 'finish'>;
};

export const passkeyRoutes = (deps: PasskeyDeps): readonly Route[] => [
  ...signInRoutes(deps),
  ...ownRoutes(deps),
];

const signInRoutes = (deps: PasskeyDeps): readonly Route[] => [
  publicRoute(
    'POST /sign-in/passkey',
    { summary: 'Begin a sign-in with a passkey', response: PASSKEY_REQUEST },
    async (call) => {
      requireSameOrigin(call.request, deps.publicUrl);
      const { options, cookies } = deps.passkeySignIn.begin(visitorOf(call));
      return answer({ options }, cookies);
    },
  ),
  publicRoute(
    'POST /sign-in/passkey/finish',
    {
      summary: 'Sign in with a passkey, which counts as two-factor authentication',
      request: PASSKEY_ANSWER,
      response: SIGNED_IN,
    },
    async (call) => {
      requireSameOrigin(call.request, deps.publicUrl);
      const { credential } = checked(PASSKEY_ANSWER, await call.readJson());
      const result = await deps.passkeySignIn.finish(credential, visitorOf(call));
      return await entered(deps, call, result, 200);
    },
  ),
];

type Handle = (deps: PasskeyDeps, call: SessionCall, person: PersonRecord) => Promise<Response>;

function ownRoutes(deps: PasskeyDeps): readonly Route[] {
  const route: Register<Handle> = (at, doc, handle) => ({
    ...consoleRoute(at, 'read_only', doc, async (call) => {
      const { headers } = call.request;
      const session = await deps.sessions.of(headers.get('cookie'), attendanceOf(headers));
      if (session === null) throw notSignedIn();
      return await handle(deps, call, session.person);
    }),
    // A passkey satisfies the two-factor requirement, so people must be able to add one before they
    // have met it.
    beforeTotp: true,
  });
  return [
    route('GET /profile/passkeys', { summary: 'List your passkeys', response: PASSKEYS }, list),
    route(
      'POST /profile/passkeys',
      {
        summary: 'Begin to add a passkey, which the browser then creates',
        request: PASSWORD_PROOF,
        response: PASSKEY_CREATION,
      },
      begin,
    ),
    route(
      'POST /profile/passkeys/confirm',
      {
        summary: 'Add the passkey that the browser has created',
        request: NEW_PASSKEY,
        response: PASSKEYS,
      },
      add,
    ),
    route(
      'PATCH /profile/passkeys/:id',
      { summary: 'Rename a passkey', request: PASSKEY_CHANGE, response: PASSKEYS },
      rename,
    ),
    route(
      'DELETE /profile/passkeys/:id',
      { summary: 'Remove a passkey', request: PASSWORD_PROOF, response: PASSKEYS },
      remove,
    ),
  ];
}

const list: Handle = async (deps, _call, person) => await listed(deps, person);

const begin: Handle = async ({ passkeys }, call, person) => {
  const { password } = checked(PASSWORD_PROOF, await call.readJson());
  const { options, cookies } = await passkeys.begin(person, password, visitorOf(call));
  return answer({ options }, cookies);
};

const add: Handle = async (deps, call, person) => {
  const { name, credential } = checked(NEW_PASSKEY, await call.readJson());
  const cookies = await deps.passkeys.add(person, { name, answer: credential }, visitorOf(call));
  return await listed(deps, person, cookies);
};

const rename: Handle = async (deps, call, person) => {
  const { name } = checked(PASSKEY_CHANGE, await call.readJson());
  await deps.passkeys.rename(person, idOf(call), name);
  return await listed(deps, person);
};

const remove: Handle = async (deps, call, person) => {
  const { password } = checked(PASSWORD_PROOF, await call.readJson());
  await deps.passkeys.remove(person, idOf(call), password, visitorOf(call));
  return await listed(deps, person);
};

async function listed(
  { passkeys }: PasskeyDeps,
  { id }: PersonRecord,
  cookies: readonly string[] = [],
): Promise<Response> {
  const data = (await passkeys.list(id)).map(passkeyBody);
  return answer({ data, next: null }, cookies);
}

const passkeyBody = (passkey: Passkey): z.infer<typeof PASSKEY> => ({
  id: passkey.id,
  name: passkey.name,
  created_at: isoTime(passkey.createdAtMs),
  last_used_at: passkey.lastUsedAtMs === null ? null : isoTime(passkey.lastUsedAtMs),
});
