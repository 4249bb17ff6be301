/** The cookies of the console: what they are called, and how one that was signed here is told. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Secret } from '../config/secret.ts';

/** Of every cookie's name; with `__Secure-` before it where cookies go over TLS only. */
export const COOKIE_PREFIX = 'modelgate';
/** Where the session stands: a cookie that no script can read. */
export const SESSION_COOKIE = `${COOKIE_PREFIX}.session_token`;

type Pair = readonly [name: string, value: string];

/** What a Cookie header carries, in its order. */
export const cookiesOf = (header: string | null): readonly Pair[] =>
  (header ?? '').split(';').flatMap((pair): readonly Pair[] => {
    const at = pair.indexOf('=');
    return at < 0 ? [] : [[pair.slice(0, at).trim(), pair.slice(at + 1).trim()]];
  });

/** Whether there is a session's cookie, good or not. */
export const hasSessionCookie = (header: string | null): boolean =>
  cookiesOf(header).some(([name]) => name.endsWith(SESSION_COOKIE));

/**
 * The token in a cookie, when it was signed here; null: there is none. The value is as better-auth signs
 * it: `token.base64(HMAC-SHA-256 of the token)`, percent-encoded.
 */
export function signedToken(header: string | null, name: string, secret: Secret): string | null {
  const [, value = ''] = cookiesOf(header).find(([each]) => each === name) ?? [];
  const [, token, signature] =
    /^([A-Za-z0-9]{16,64})\.([A-Za-z0-9+/]{43}=)$/.exec(decoded(value)) ?? [];
  if (token === undefined || signature === undefined) return null;
  const expected = createHmac('sha256', secret.reveal()).update(token).digest();
  return timingSafeEqual(expected, Buffer.from(signature, 'base64')) ? token : null;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch (thrown) {
    // A cookie that is not even well formed is none.
    if (thrown instanceof URIError) return '';
    throw thrown;
  }
}
