/** Routes to sign up, in and out. Requests that change state must come from our own pages. */

import type { z } from 'zod';
import type { Clock } from '../../clock.ts';
import { announcementAt, BRAND_PAGES, pagesIn } from '../../config/brand/brand.ts';
import type { Brand } from '../../config/brand/brand-schema.ts';
import { GatewayError } from '../../errors.ts';
import type { Credentials } from '../../people/credentials.ts';
import type { EntryMail } from '../../people/mail/entry-mail.ts';
import { languageFrom, type MailPreferences } from '../../people/mail/mail-preferences.ts';
import type { Memberships } from '../../people/memberships/memberships.ts';
import type { ProviderSignIn } from '../../people/oidc/provider-sign-in.ts';
import type { OneTimeLinks } from '../../people/one-time-links.ts';
import { MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS } from '../../people/password.ts';
import { linkNotValid, passwordsOff } from '../../people/people-errors.ts';
import { type AccountView, mustSetUpTotp, type PersonRecord } from '../../people/person.ts';
import type { Sessions, Visitor } from '../../people/sessions.ts';
import type { SignIn, SignInResult } from '../../people/sign-in.ts';
import type { SignUp } from '../../people/sign-up.ts';
import { isoTime } from '../caller/account-body.ts';
import { CREATED, NO_STORE } from '../edge/answer-schema.ts';
import { attendanceOf, requireSameOrigin } from '../edge/authorize.ts';
import { checked } from '../edge/request-schema.ts';
import { below, type Call, idOf, type Register, type Route } from '../edge/route.ts';
import {
  BRAND_TEXT,
  LETTER_REQUEST,
  LETTER_REQUESTED,
  LINK,
  LINK_QUESTION,
  PASSWORD_RESET,
  type PERSON,
  PROVIDER_ANSWER,
  PROVIDER_START,
  SESSION_STATE,
  SETUP,
  SIGN_IN,
  SIGN_UP,
  SIGNED_IN,
  SIGNED_OUT,
  TOTP_CODE,
} from './session-schemas.ts';

/** Maximum characters of a user agent that are stored, enough to distinguish browsers. */
const MAX_USER_AGENT_CHARS = 300;

export type SessionDeps = {
  readonly signIn: Pick<
    SignIn,
    'withPassword' | 'withNewPassword' | 'withCode' | 'out' | 'countSignUp'
  >;
  readonly signUp: Pick<SignUp, 'setupNeeded' | 'setUp' | 'acceptInvitation' | 'register'>;
  readonly credentials: Pick<Credentials, 'resetPassword'>;
  readonly memberships: Pick<Memberships, 'list'>;
  readonly sessions: Pick<Sessions, 'of' | 'endView'>;
  readonly links: Pick<OneTimeLinks, 'open'>;
  readonly people: { readonly get: (id: string) => Promise<PersonRecord> };
  readonly providerSignIn: Pick<ProviderSignIn, 'offered' | 'begin' | 'finish'>;
  /** Whether people can sign in with passwords. */
  readonly passwordSignIn: () => boolean;
  /** Whether people can sign in with passkeys. */
  readonly passkeysOn: () => boolean;
  readonly signUpMode: () => 'closed' | 'open';
  /** Whether this gateway sends email. */
  readonly mailIsOn: () => boolean;
  readonly entryMail: Pick<EntryMail, 'forgotten' | 'signUp'>;
  readonly preferences: Pick<MailPreferences, 'note'>;
  /** Whether administrators must use two-factor authentication. */
  readonly requireTotp: () => boolean;
  readonly publicUrl: string;
  readonly brand: () => Brand;
  readonly clock: Pick<Clock, 'nowMs'>;
};

type Handle = (deps: SessionDeps, call: Call) => Promise<Response>;

export function sessionRoutes(deps: SessionDeps): readonly Route[] {
  const post: Register<Handle> = (at, doc, handle) =>
    publicRoute(at, doc, async (call) => {
      requireSameOrigin(call.request, deps.publicUrl);
      return await handle(deps, call);
    });
  return [
    publicRoute(
      'GET /session',
      {
        summary: 'Read the current session, and the available ways to sign in',
        response: SESSION_STATE,
      },
      (call) => sessionState(deps, call),
    ),
    publicRoute(
      'GET /pages/:id',
      { summary: 'Read the terms of service or the privacy policy', response: BRAND_TEXT },
      (call) => brandPage(deps, call),
    ),
    post(
      'POST /setup',
      {
        summary: 'Create the first administrator with the link from the log, and sign in',
        request: SETUP,
        response: SIGNED_IN,
        statuses: [CREATED],
      },
      setUp,
    ),
    post(
      'POST /sign-in',
      { summary: 'Sign in with email address and password', request: SIGN_IN, response: SIGNED_IN },
      signInWithPassword,
    ),
    post(
      'POST /sign-in/totp',
      {
        summary: 'Complete a sign-in with a code of the authenticator or a recovery code',
        request: TOTP_CODE,
        response: SIGNED_IN,
      },
      signInWithCode,
    ),
    ...providerRoutes(post),
    post('POST /sign-out', { summary: 'End this session', response: SIGNED_OUT }, signOut),
    post(
      'POST /sign-up',
      {
        summary: 'Accept an invitation, or create an account if sign-up is open, and sign in',
        request: SIGN_UP,
        response: SIGNED_IN,
        statuses: [CREATED],
      },
      signUp,
    ),
    post(
      'POST /password-reset',
      {
        summary: 'Set a new password with a link, end all sessions, and sign in',
        request: PASSWORD_RESET,
        response: SIGNED_IN,
      },
      resetPassword,
    ),
    ...letterRoutes(post),
    post(
      'POST /link',
      {
        // The route is a POST, because proxies log URLs and the token is a credential.
        summary: 'Read what a setup, invitation or reset link is for',
        request: LINK_QUESTION,
        response: LINK,
      },
      lookAtLink,
    ),
  ];
}

const providerRoutes = (post: Register<Handle>): readonly Route[] => [
  post(
    'POST /sign-in/oidc',
    { summary: 'Begin a sign-in through the identity provider', response: PROVIDER_START },
    beginAtProvider,
  ),
  post(
    'POST /sign-in/oidc/finish',
    {
      summary: 'Finish the sign-in through the identity provider',
      request: PROVIDER_ANSWER,
      response: SIGNED_IN,
    },
    finishAtProvider,
  ),
];

/** The answers of these routes do not reveal whether the address has an account. */
const letterRoutes = (post: Register<Handle>): readonly Route[] => [
  post(
    'POST /sign-up/mail',
    {
      summary: 'Email a link for creating an account, if sign-up is open and email is on',
      request: LETTER_REQUEST,
      response: LETTER_REQUESTED,
    },
    async ({ entryMail }, call) => {
      const { email } = checked(LETTER_REQUEST, await call.readJson());
      entryMail.signUp(email, visitorOf(call), call.request.headers.get('accept-language'));
      return answer({ requested: true });
    },
  ),
  post(
    'POST /password-reset/mail',
    {
      summary: 'Email a password reset link to the person with this address, if there is one',
      request: LETTER_REQUEST,
      response: LETTER_REQUESTED,
    },
    async ({ entryMail, passwordSignIn }, call) => {
      if (!passwordSignIn()) throw passwordsOff();
      const { email } = checked(LETTER_REQUEST, await call.readJson());
      entryMail.forgotten(email, visitorOf(call));
      return answer({ requested: true });
    },
  ),
];

export const publicRoute: Register<(call: Call) => Promise<Response>> = (at, doc, handle) => ({
  ...below('/console/api', at),
  auth: 'public',
  dialect: 'openai',
  doc: { ...doc, tag: 'console' },
  handle,
});

const sessionState: Handle = async (deps, { request: { headers } }) => {
  const session = await deps.sessions.of(headers.get('cookie'), attendanceOf(headers));
  const body: z.infer<typeof SESSION_STATE> = {
    person: session === null ? null : personBody(session.person, deps.requireTotp()),
    view: viewBody(session?.person.view),
    accounts: await accountsOf(deps, session?.person ?? null),
    setup_needed: await deps.signUp.setupNeeded(),
    sign_up: deps.signUpMode(),
    password_sign_in: deps.passwordSignIn(),
    passkeys: deps.passkeysOn(),
    provider: deps.providerSignIn.offered?.name ?? null,
    email: deps.mailIsOn(),
    password_min_length: MIN_PASSWORD_CHARS,
    password_max_length: MAX_PASSWORD_CHARS,
    public_url: deps.publicUrl,
    brand: brandBody(deps),
  };
  return answer(body);
};

const viewBody = (view: AccountView | undefined): z.infer<typeof SESSION_STATE>['view'] =>
  view === undefined ? null : { ends_at: isoTime(view.endsAtMs) };

async function accountsOf({ memberships }: SessionDeps, person: PersonRecord | null) {
  if (person === null || person.view !== undefined) return [];
  return [...(await memberships.list(person.id))];
}

function brandBody({ brand, clock }: SessionDeps): z.infer<typeof SESSION_STATE>['brand'] {
  const now = brand();
  const announcement = announcementAt(now, clock.nowMs());
  return {
    support_url: now.support_url,
    pages: [...pagesIn(now)],
    announcement:
      announcement === null
        ? null
        : {
            text: { ...announcement.text },
            level: announcement.level,
            dismissible: announcement.dismissible,
          },
  };
}

const brandPage: Handle = async ({ brand }, call) => {
  const name = BRAND_PAGES.find((each) => each === idOf(call));
  const text = name === undefined ? null : brand()[name];
  if (text === null) throw new GatewayError('not_found', 'There is no such page.');
  const body: z.infer<typeof BRAND_TEXT> = { text: { ...text } };
  return answer(body);
};

const setUp: Handle = async (deps, call) => {
  const body = checked(SETUP, await call.readJson());
  const { token, account_name: accountName = null, ...newcomer } = body;
  const email = await deps.signUp.setUp(token, newcomer, accountName);
  return await enter(deps, call, email, newcomer.password, CREATED);
};

const signUp: Handle = async (deps, call) => {
  const body = checked(SIGN_UP, await call.readJson());
  const { token, account_name: accountName = null, ...newcomer } = body;
  const isForAnyAddress = token === undefined || (await deps.links.open(token))?.email === null;
  const guess = isForAnyAddress ? deps.signIn.countSignUp(newcomer.email, visitorOf(call)) : null;
  const email =
    token === undefined
      ? await deps.signUp.register(newcomer, accountName)
      : await deps.signUp.acceptInvitation(token, newcomer, accountName);
  // An invitation works once, so those that are accepted need no limit.
  if (token !== undefined) guess?.giveBack();
  return await enter(deps, call, email, newcomer.password, CREATED);
};

const resetPassword: Handle = async (deps, call) => {
  const { token, password } = checked(PASSWORD_RESET, await call.readJson());
  const email = await deps.credentials.resetPassword(token, password);
  return await enter(deps, call, email, password, 200);
};

const signInWithPassword: Handle = async (deps, call) => {
  if (!deps.passwordSignIn()) throw passwordsOff();
  const { email, password } = checked(SIGN_IN, await call.readJson());
  return await entered(
    deps,
    call,
    await deps.signIn.withPassword(email, password, visitorOf(call)),
    200,
  );
};

const signInWithCode: Handle = async (deps, call) => {
  const { code } = checked(TOTP_CODE, await call.readJson());
  return await entered(deps, call, await deps.signIn.withCode(code, visitorOf(call)), 200);
};

const beginAtProvider: Handle = async ({ providerSignIn }, call) => {
  const { url, cookies } = await providerSignIn.begin(visitorOf(call));
  return answer({ url }, cookies);
};

const finishAtProvider: Handle = async (deps, call) => {
  const { query } = checked(PROVIDER_ANSWER, await call.readJson());
  return await entered(deps, call, await deps.providerSignIn.finish(query, visitorOf(call)), 200);
};

const signOut: Handle = async (deps, call) => {
  const session = await deps.sessions.of(call.request.headers.get('cookie'), 'unattended');
  if (session !== null) await deps.sessions.endView(session);
  return answer({ signed_out: true }, await deps.signIn.out(visitorOf(call)));
};

const lookAtLink: Handle = async (deps, call) => {
  const { token } = checked(LINK_QUESTION, await call.readJson());
  const link = await deps.links.open(token);
  if (link === null) throw linkNotValid();
  const body: z.infer<typeof LINK> = {
    kind: link.kind,
    email: link.email,
    role: link.kind === 'setup' ? 'administrator' : link.role,
    account_name: link.accountName || null,
    expires_at: isoTime(link.expiresAtMs),
  };
  return answer(body);
};

/**
 * Signs in with a password that was just set. A person with an authenticator must still send a
 * code.
 */
async function enter(
  deps: SessionDeps,
  call: Call,
  email: string,
  password: string,
  status: number,
): Promise<Response> {
  const result = await deps.signIn.withNewPassword(email, password, visitorOf(call));
  return await entered(deps, call, result, status);
}

export async function entered(
  deps: SessionDeps,
  { request: { headers } }: Call,
  result: SignInResult,
  status: number,
): Promise<Response> {
  const { personId, cookies } = result;
  if (personId !== null) {
    await deps.preferences.note(personId, languageFrom(headers.get('accept-language')));
  }
  return answer(await signedInBody(deps, result), cookies, status);
}

async function signedInBody(
  deps: SessionDeps,
  { personId, byPasskey = false }: SignInResult,
): Promise<z.infer<typeof SIGNED_IN>> {
  if (personId === null) return { person: null, totp_needed: true };
  const person = { ...(await deps.people.get(personId)), byPasskey };
  return { person: personBody(person, deps.requireTotp()), totp_needed: false };
}

export const personBody = (person: PersonRecord, requireTotp: boolean): z.infer<typeof PERSON> => ({
  ...identityBody(person),
  totp_required: mustSetUpTotp(person, requireTotp),
});

export const identityBody = (person: PersonRecord) => ({
  id: person.id,
  email: person.email,
  name: person.name,
  role: person.role,
  account: { id: person.accountId, name: person.accountName },
  totp_enabled: person.totpEnabled,
});

export const visitorOf = ({ request: { headers }, address }: Call): Visitor => ({
  cookie: headers.get('cookie'),
  address: address(),
  userAgent: headers.get('user-agent')?.slice(0, MAX_USER_AGENT_CHARS) ?? null,
});

/** Makes an answer that is not cached, because it names people or sets cookies. */
export function answer(body: object, cookies: readonly string[] = [], status = 200): Response {
  const headers = new Headers(NO_STORE);
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return Response.json(body, { status, headers });
}
