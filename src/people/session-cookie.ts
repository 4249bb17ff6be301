/** Reads and writes the console's cookies. They are signed, and scripts cannot read them. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../config/secret.ts';

/** The base name of the session cookie. Over TLS, `__Secure-` is prepended. */
export const SESSION_COOKIE = 'modelgate.session_token';
/** The cookie of a sign-in that waits for its code. */
export const CHALLENGE_COOKIE = 'modelgate.two_factor';
/** The cookie of a device from which a person has signed in. It does not sign anybody in. */
export const DEVICE_COOKIE = 'modelgate.device';
/** The cookie of a sign-in that waits for the answer of the identity provider. */
export const PROVIDER_COOKIE = 'modelgate.provider';
/** The cookie of a browser with an open passkey challenge. */
export const PASSKEY_COOKIE = 'modelgate.passkey';
type CookieName =
  | typeof SESSION_COOKIE
  | typeof CHALLENGE_COOKIE
  | typeof DEVICE_COOKIE
  | typeof PROVIDER_COOKIE
  | typeof PASSKEY_COOKIE;

type Pair = readonly [name: string, value: string];

/** Returns the name and value pairs of a Cookie header, in order. */
const cookiesOf = (header: string | null): readonly Pair[] =>
  (header ?? '').split(';').flatMap((pair): readonly Pair[] => {
    const at = pair.indexOf('=');
    return at < 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]];
  });

/** Whether there is a session cookie, valid or not. */
export const hasSessionCookie = (header: string | null): boolean =>
  cookiesOf(header).some(([name]) => name.endsWith(SESSION_COOKIE));

/**
 * Cookies are `token.base64(HMAC-SHA-256)`, percent-encoded. A cookie with a wrong signature is
 * refused without a database query.
 */
export class SessionCookies {
  readonly #secret: Secret;
  readonly #isSecure: boolean;

  constructor(secret: Secret, publicUrl: string) {
    this.#secret = secret;
    this.#isSecure = publicUrl.startsWith('https:');
  }

  /** Returns the token of a cookie whose signature is valid; null if there is no such cookie. */
  read(header: string | null, cookie: CookieName): string | null {
    const [, value = ''] = cookiesOf(header).find(([name]) => name === this.#nameOf(cookie)) ?? [];
    const [, token, signature] =
      /^([A-Za-z0-9]{16,64})\.([A-Za-z0-9+/]{43}=)$/.exec(decoded(value)) ?? [];
    if (token === undefined || signature === undefined) return null;
    const isOurs = timingSafeEqual(this.#signature(token), Buffer.from(signature, 'base64'));
    return isOurs ? token : null;
  }

  write(cookie: CookieName, token: string, lifetimeMs: number): string {
    const value = encodeURIComponent(`${token}.${this.#signature(token).toString('base64')}`);
    return this.#line(cookie, value, Math.floor(lifetimeMs / 1_000));
  }

  /** Returns a Set-Cookie line that removes the cookie. */
  clear(cookie: CookieName): string {
    return this.#line(cookie, '', 0);
  }

  /** Derives a secret of 256 bits for one purpose from a cookie's token. */
  derived(token: string, purpose: string): string {
    // The result never equals a cookie's signature, since a signed token has only letters and
    // digits.
    return createHmac('sha256', this.#secret.reveal())
      .update(`${purpose} ${token}`)
      .digest('base64url');
  }

  #line(cookie: CookieName, value: string, maxAgeSeconds: number): string {
    const secure = this.#isSecure ? '; Secure' : '';
    // `SameSite=Strict`: links on other sites do not send the cookie. Only the console's own pages
    // call its API.
    return `${this.#nameOf(cookie)}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly${secure}; SameSite=Strict`;
  }

  #nameOf(cookie: CookieName): string {
    return this.#isSecure ? `__Secure-${cookie}` : cookie;
  }

  #signature(token: string): Buffer {
    return createHmac('sha256', this.#secret.reveal()).update(token).digest();
  }
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (thrown) {
    if (thrown instanceof URIError) return '';
    throw thrown;
  }
}
