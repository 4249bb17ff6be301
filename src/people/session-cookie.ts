/**
 * Reads and writes the console's cookies. They are signed, and scripts in the browser cannot read
 * them.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { randomBase62 } from '../accounts/api-key.ts';
import type { Clock } from '../clock.ts';
import type { Secret } from '../config/secret.ts';

/** The base name of the session cookie. Over TLS, `__Secure-` is prepended. */
export const SESSION_COOKIE = 'modelgate.session_token';
/** The cookie of a sign-in that still requires a code. */
export const CHALLENGE_COOKIE = 'modelgate.two_factor';
/**
 * The cookie that remembers a device from which a person has signed in. It does not sign the person
 * in.
 */
export const DEVICE_COOKIE = 'modelgate.device';
/** The cookie of a sign-in that waits for the identity provider's answer. */
export const PROVIDER_COOKIE = 'modelgate.provider';
/** The cookie that binds a passkey challenge to the browser. */
export const PASSKEY_COOKIE = 'modelgate.passkey';
type CookieName =
  | typeof SESSION_COOKIE
  | typeof CHALLENGE_COOKIE
  | typeof DEVICE_COOKIE
  | typeof PROVIDER_COOKIE
  | typeof PASSKEY_COOKIE;

type Pair = readonly [name: string, value: string];

/** Parses a Cookie header into pairs of name and value, in order. */
const cookiesOf = (header: string | null): readonly Pair[] =>
  (header ?? '').split(';').flatMap((pair): readonly Pair[] => {
    const at = pair.indexOf('=');
    return at < 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]];
  });

/** Whether the header contains a session cookie, valid or not. */
export const hasSessionCookie = (header: string | null): boolean =>
  cookiesOf(header).some(([name]) => name.endsWith(SESSION_COOKIE));

/** The length of the random part of a stamp. */
const STAMP_CHARS = 16;

/**
 * Returns a stamp, which is a random text with the time. The tabs of a browser share one cookie,
 * so each sign-in that waits for an answer has a stamp of its own.
 */
export const newStamp = (clock: Pick<Clock, 'nowMs' | 'randomBytes'>): string =>
  randomBase62(clock, STAMP_CHARS) + clock.nowMs().toString(36);

/** Whether a stamp is at most `maxMs` old. A stamp without a time is not. */
export function isRecentStamp(stamp: string, clock: Pick<Clock, 'nowMs'>, maxMs: number): boolean {
  const ageMs = clock.nowMs() - Number.parseInt(stamp.slice(STAMP_CHARS), 36);
  return ageMs >= 0 && ageMs <= maxMs;
}

/**
 * Signs and checks cookies. A cookie is `token.base64(HMAC-SHA-256)`, percent-encoded. A cookie
 * with a wrong signature is refused without a database query.
 */
export class SessionCookies {
  readonly #secret: Secret;
  readonly #isSecure: boolean;

  constructor(secret: Secret, publicUrl: string) {
    this.#secret = secret;
    this.#isSecure = publicUrl.startsWith('https:');
  }

  /** Returns the token of a cookie; null if there is no such cookie or its signature is wrong. */
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

  /** Derives a 256-bit secret for one purpose from the token of a cookie. */
  derived(token: string, purpose: string): string {
    // The input contains a space, and the token of a signed cookie has only letters and digits. So
    // the result never equals the signature of a cookie.
    return createHmac('sha256', this.#secret.reveal())
      .update(`${purpose} ${token}`)
      .digest('base64url');
  }

  #line(cookie: CookieName, value: string, maxAgeSeconds: number): string {
    const secure = this.#isSecure ? '; Secure' : '';
    // `SameSite=Strict`: browsers do not send the cookie when a person follows a link from another
    // site. Only the console's own pages call its API.
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
