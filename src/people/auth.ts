/**
 * The one place that knows better-auth: passwords, sessions and second steps, as functions of our own.
 * Its HTTP routes are not served, its errors become ours, and it is told to make no outside call. People
 * are made elsewhere (`sign-up.ts`), in rows of the shape that it reads.
 */

import { isAPIError } from 'better-auth/api';
import { symmetricDecrypt } from 'better-auth/crypto';
import { betterAuth } from 'better-auth/minimal';
import { GatewayError } from '../errors.ts';
import { text } from '../store/row.ts';
import { ADDRESS_HEADER, type AuthDeps, authSettings } from './auth-settings.ts';
import {
  challengeLost,
  codesLocked,
  notSignedIn,
  sealedElsewhere,
  signInFailed,
  wrongCode,
  wrongPassword,
} from './people-errors.ts';
import { COOKIE_PREFIX, cookiesOf, SESSION_COOKIE, signedToken } from './session-cookie.ts';
import { stepOf } from './totp-step.ts';

/** Who asks, as far as their browser says. */
export type Visitor = {
  readonly cookie: string | null;
  readonly address: string | null;
  readonly userAgent: string | null;
};
/** `cookies` are whole Set-Cookie lines. */
export type Stepped = { readonly cookies: readonly string[] };
/** Null: the password was right, and a code is asked for before anybody is signed in. */
export type Entered = Stepped & { readonly personId: string | null };
export type TotpSecrets = { readonly uri: string; readonly recoveryCodes: readonly string[] };

const betterAuthOf = (deps: AuthDeps) => betterAuth(authSettings(deps));

/** Every method @throws GatewayError `store_unavailable` when the store does not answer. */
export class Auth {
  readonly #deps: AuthDeps;
  readonly #context: ReturnType<typeof betterAuthOf>['$context'];
  readonly #api: ReturnType<typeof betterAuthOf>['api'];
  readonly #sessionCookie: string;
  readonly #secondStepCookie: string;

  constructor(deps: AuthDeps) {
    const { api, $context } = betterAuthOf(deps);
    this.#deps = deps;
    this.#context = $context;
    this.#api = api;
    const prefix = deps.publicUrl.startsWith('https:') ? '__Secure-' : '';
    this.#sessionCookie = `${prefix}${SESSION_COOKIE}`;
    this.#secondStepCookie = `${prefix}${COOKIE_PREFIX}.two_factor`;
  }

  /** @throws GatewayError `sign_in_failed`, in the same words for an unknown address. */
  async signIn(email: string, password: string, visitor: Visitor): Promise<Entered> {
    const { headers, response } = await told(() =>
      this.#api.signInEmail({
        body: { email, password },
        headers: anew(visitor),
        returnHeaders: true,
      }),
    );
    // The plugin answers in the endpoint's place when a second step is due.
    const isDone = 'user' in response && response.user !== undefined;
    return { personId: isDone ? response.user.id : null, cookies: headers.getSetCookie() };
  }

  /**
   * The second step: six digits, or else a recovery code. Either works once.
   * @throws GatewayError `wrong_code`, `sign_in_failed` (the first step is to be done again),
   *   `rate_limit_exceeded`.
   */
  async secondStep(code: string, visitor: Visitor): Promise<Entered> {
    // A session that is there besides would be taken for whose code it is.
    const headers = headersOf(visitor, (name) => name === this.#secondStepCookie);
    const typed = withoutSpaces(code);
    const request = { body: { code: typed }, headers, returnHeaders: true } as const;
    const { headers: answered, response } = await unsealed(() =>
      isTotp(typed) ? this.#api.verifyTOTP(request) : this.#api.verifyBackupCode(request),
    );
    const [personId, cookies] = [response.user.id, answered.getSetCookie()];
    if (isTotp(typed) && !(await this.#takeStep(personId, typed))) {
      // Somebody has looked at it being typed: the session that it began is given to nobody.
      await this.signOut({ ...visitor, cookie: cookies.map(pairOf).join('; ') });
      throw wrongCode();
    }
    return { personId, cookies };
  }

  /** Ends the session of the cookie, if there is one. */
  async signOut(visitor: Visitor): Promise<Stepped> {
    const { headers } = await told(() =>
      this.#api.signOut({ headers: headersOf(visitor), returnHeaders: true }),
    );
    return { cookies: headers.getSetCookie() };
  }

  /**
   * Sets a new password, ends all sessions of theirs, and begins a new one.
   * @throws GatewayError `wrong_password`, `not_signed_in`.
   */
  async changePassword(current: string, next: string, visitor: Visitor): Promise<Stepped> {
    const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true };
    const { headers } = await told(
      () => this.#api.changePassword({ body, headers: headersOf(visitor), returnHeaders: true }),
      'current_password',
    );
    return { cookies: headers.getSetCookie() };
  }

  /**
   * What an authenticator is to be told. No code is asked for before one was right (`confirmTotp`).
   * @throws GatewayError `wrong_password`, `not_signed_in`.
   */
  async beginTotp(password: string, visitor: Visitor): Promise<TotpSecrets> {
    const made = await told(() =>
      this.#api.enableTwoFactor({ body: { password }, headers: headersOf(visitor) }),
    );
    return { uri: made.totpURI, recoveryCodes: made.backupCodes };
  }

  /** @throws GatewayError `wrong_code`, `not_signed_in`. */
  async confirmTotp(code: string, visitor: Visitor): Promise<Stepped> {
    const body = { code: withoutSpaces(code) };
    const { headers, response } = await unsealed(() =>
      this.#api.verifyTOTP({ body, headers: headersOf(visitor), returnHeaders: true }),
    );
    await this.#takeStep(response.user.id, body.code);
    return { cookies: headers.getSetCookie() };
  }

  /** @throws GatewayError `wrong_password`, `not_signed_in`. */
  async endTotp(password: string, visitor: Visitor): Promise<Stepped> {
    const request = {
      body: { password },
      headers: headersOf(visitor),
      returnHeaders: true,
    } as const;
    const { headers } = await told(() => this.#api.disableTwoFactor(request));
    return { cookies: headers.getSetCookie() };
  }

  /** New ones; those before no longer work. @throws GatewayError `wrong_password`, `not_signed_in`. */
  async newRecoveryCodes(password: string, visitor: Visitor): Promise<readonly string[]> {
    const made = await told(() =>
      this.#api.generateBackupCodes({ body: { password }, headers: headersOf(visitor) }),
    );
    return made.backupCodes;
  }

  /** How many of somebody's recovery codes were not used; they have set up an authenticator. */
  async recoveryCodesLeft(personId: string): Promise<number> {
    const seen = await unsealed(() => this.#api.viewBackupCodes({ body: { userId: personId } }));
    return seen.backupCodes.length;
  }

  /** The token in a session's cookie, when it was signed here; null: there is none. */
  sessionToken(cookieHeader: string | null): string | null {
    return signedToken(cookieHeader, this.#sessionCookie, this.#deps.secret);
  }

  /** Notes that a code was taken. @returns whether neither it nor one of a later half minute was before. */
  async #takeStep(personId: string, code: string): Promise<boolean> {
    const { sql, clock } = this.#deps;
    const find = { sql: 'SELECT secret FROM totp WHERE person_id = $1', params: [personId] };
    const [row] = await sql.query(find);
    if (row === undefined) return false;
    const key = (await this.#context).secretConfig;
    const secret = await symmetricDecrypt({ key, data: text(row, 'secret') });
    const step = stepOf(code, secret, clock.nowMs());
    if (step === null) return false;
    const taken = await sql.query({
      sql: `UPDATE totp SET last_step = $1
        WHERE person_id = $2 AND COALESCE(last_step, 0) < $1 RETURNING id`,
      params: [step, personId],
    });
    return taken.length > 0;
  }
}

/** Of a Set-Cookie line, what a browser sends back. */
const pairOf = (setCookie: string): string => setCookie.split(';')[0] ?? '';

/** Authenticators show `123 456`. */
const withoutSpaces = (code: string): string => code.replaceAll(/\s/g, '');
const isTotp = (code: string): boolean => /^\d{6}$/.test(code);

/** What better-auth is told of who asks: the cookies that `isMeant`, an address and a browser's name. */
function headersOf(visitor: Visitor, isMeant: (cookie: string) => boolean = () => true): Headers {
  const headers = new Headers();
  const cookies = cookiesOf(visitor.cookie).filter(([name]) => isMeant(name));
  if (cookies.length > 0) headers.set('cookie', cookies.map((pair) => pair.join('=')).join('; '));
  if (visitor.address !== null) headers.set(ADDRESS_HEADER, visitor.address);
  if (visitor.userAgent !== null) headers.set('user-agent', visitor.userAgent);
  return headers;
}

/** Somebody who begins again: whatever cookie they have says nothing. */
const anew = (visitor: Visitor): Headers => headersOf(visitor, () => false);

/** Runs a call of better-auth, whose refusals are thrown in our words. */
async function told<Answer>(
  call: () => Promise<Answer>,
  passwordField = 'password',
): Promise<Answer> {
  try {
    return await call();
  } catch (thrown) {
    if (isAPIError(thrown)) throw refusalOf(String(thrown.body?.code), passwordField, thrown);
    throw thrown;
  }
}

/** Runs a call that opens what was sealed with the console's key. @throws as `told`, and what it cannot open. */
async function unsealed<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await told(call);
  } catch (thrown) {
    if (thrown instanceof GatewayError || isAPIError(thrown)) throw thrown;
    throw sealedElsewhere(thrown);
  }
}

function refusalOf(code: string, passwordField: string, cause: Error): Error {
  switch (code) {
    case 'INVALID_EMAIL':
    case 'INVALID_EMAIL_OR_PASSWORD':
      return signInFailed();
    case 'INVALID_PASSWORD':
      return wrongPassword(passwordField);
    case 'INVALID_CODE':
    case 'INVALID_BACKUP_CODE':
    case 'TOTP_NOT_ENABLED':
    case 'BACKUP_CODES_NOT_ENABLED':
      return wrongCode();
    case 'INVALID_TWO_FACTOR_COOKIE':
    case 'TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE':
      return challengeLost();
    case 'ACCOUNT_TEMPORARILY_LOCKED':
      return codesLocked();
    case 'UNAUTHORIZED':
    case 'SESSION_EXPIRED':
      return notSignedIn();
    default:
      return cause;
  }
}
