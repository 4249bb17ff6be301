/**
 * Signatures of function calls in Google's form. There, a signature is bytes, so Google's libraries
 * refuse one that is not base64.
 */
import { CALL_SIGNATURE_PREFIX } from '../thinking-signature.ts';

/** Encodes a signature of the gateway. A provider's signature stays as it is. */
export const toGoogleSignature = (signature: string): string =>
  signature.startsWith(CALL_SIGNATURE_PREFIX)
    ? Buffer.from(signature).toString('base64')
    : signature;

/** Decodes a signature of the gateway. Google's library for Python returns it in base64url. */
export function fromGoogleSignature(signature: string): string {
  const text = Buffer.from(signature, 'base64').toString();
  return text.startsWith(CALL_SIGNATURE_PREFIX) ? text : signature;
}
