/** E-mail addresses: what one looks like, and the one form it is kept and looked up in. */
import { z } from 'zod';
import { GatewayError } from '../errors.ts';

/** The longest that mail can be sent to (RFC 5321: a path of 256, its brackets left out). */
export const MAX_EMAIL_CHARS = 254;

const address = z.email();

/**
 * The address in lower case, so that it is the same person however it is typed.
 * @throws GatewayError `invalid_value` when it is no address.
 */
export function normalizedEmail(text: string): string {
  const folded = text.trim().toLowerCase();
  if (folded.length <= MAX_EMAIL_CHARS && address.safeParse(folded).success) return folded;
  throw new GatewayError(
    'invalid_value',
    `email must be an e-mail address of at most ${MAX_EMAIL_CHARS} characters, such as "ada@example.com".`,
    { param: 'email' },
  );
}
