/**
 * Puts the model's thinking into a signature, for callers that asked for no thinking text
 * (`display: "omitted"`), if the upstream needs the thinking again in later requests. The thinking
 * is not encrypted, because the caller may read it.
 */

/** The prefix of the gateway's signatures on chat tool calls. Signatures of providers lack it. */
export const CALL_SIGNATURE_PREFIX = 'modelgate-1.';

export const THINKING_SIGNATURE_PREFIX = 'modelgate-thinking-1.';

export const encodeThinkingSignature = (text: string): string =>
  text === '' ? '' : THINKING_SIGNATURE_PREFIX + Buffer.from(text).toString('base64url');

/** Returns the thinking in a signature; null for a signature that the gateway did not write. */
export const decodeThinkingSignature = (signature: string): string | null =>
  signature.startsWith(THINKING_SIGNATURE_PREFIX)
    ? Buffer.from(signature.slice(THINKING_SIGNATURE_PREFIX.length), 'base64url').toString()
    : null;
