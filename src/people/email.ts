/**
 * Validates email addresses, and defines the normalized form in which they are stored and looked
 * up.
 */
import * as z from 'zod';
import { GatewayError } from '../errors.ts';

/** The maximum length of an address (RFC 5321: 256 characters with angle brackets). */
export const MAX_EMAIL_CHARS = 254;

const address = z.email();

/** Returns the address in lower case and trimmed; null if the text is not an email address. */
export function parsedEmail(text: string): string | null {
  const folded = text.trim().toLowerCase();
  return folded.length <= MAX_EMAIL_CHARS && address.safeParse(folded).success ? folded : null;
}

/**
 * Normalizes an address like `parsedEmail`.
 * @param field the field of the request that has the address.
 * @throws GatewayError `invalid_value` if the text is not an email address.
 */
export function normalizedEmail(text: string, field = 'email'): string {
  const email = parsedEmail(text);
  if (email !== null) return email;
  throw new GatewayError(
    'invalid_value',
    `${field} must be an email address of at most ${MAX_EMAIL_CHARS} characters, such as "ada@example.com".`,
    { param: field },
  );
}
