/**
 * Remembers the devices from which a person has signed in, with a signed cookie. Wrong guesses on
 * other devices do not block sign-ins on a remembered device (OWASP: device cookies).
 */
import { createHash } from 'node:crypto';
import { randomBase62 } from '../accounts/api-key.ts';
import type { Clock } from '../clock.ts';
import { DAY_MS } from '../money/calendar.ts';
import { DEVICE_COOKIE, type SessionCookies } from './session-cookie.ts';

/** How long a device is remembered after the last sign-in from it. */
const REMEMBERED_MS = 180 * DAY_MS;
/** The number of characters in a device's id, which gives 190 bits of entropy. */
const ID_CHARS = 32;
const EMAIL_CHARS = 32;

/** Returns the id of the visitor's device; null if this person has not signed in from it. */
export function deviceOf(
  cookies: SessionCookies,
  cookieHeader: string | null,
  email: string,
): string | null {
  const token = cookies.read(cookieHeader, DEVICE_COOKIE) ?? '';
  const isOfPerson = token.length === ID_CHARS + EMAIL_CHARS && token.endsWith(digestOf(email));
  return isOfPerson ? token.slice(0, ID_CHARS) : null;
}

/**
 * Returns the Set-Cookie line that remembers the device for this person. A device that has an id
 * keeps it; any other device gets a new id.
 */
export function rememberDevice(
  cookies: SessionCookies,
  clock: Pick<Clock, 'randomBytes'>,
  cookieHeader: string | null,
  email: string,
): string {
  const id = deviceOf(cookies, cookieHeader, email) ?? randomBase62(clock, ID_CHARS);
  return cookies.write(DEVICE_COOKIE, id + digestOf(email), REMEMBERED_MS);
}

/**
 * Returns a digest of a normalized email address, so that the cookie does not reveal the address.
 */
const digestOf = (email: string): string =>
  createHash('sha256').update(email).digest('hex').slice(0, EMAIL_CHARS);
