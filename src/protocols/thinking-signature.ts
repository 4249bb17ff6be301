/**
 * Carries thinking in a signature. The caller asked not to see it (`display: "omitted"`), but the
 * upstream wants it back after a tool call. Clients keep a block's signature and return it unread.
 * Not a secret: the thinking belongs to the caller, and `display` only hides it from view.
 */

/** Marks our signatures on tool calls of chat; other providers write their own there. */
export const CALL_SIGNATURE_PREFIX = 'modelgate-1.';

export const THINKING_SIGNATURE_PREFIX = 'modelgate-thinking-1.';

export const encodeThinkingSignature = (text: string): string =>
  text === '' ? '' : THINKING_SIGNATURE_PREFIX + Buffer.from(text).toString('base64url');

/** @returns null for a signature of another origin. */
export const decodeThinkingSignature = (signature: string): string | null =>
  signature.startsWith(THINKING_SIGNATURE_PREFIX)
    ? Buffer.from(signature.slice(THINKING_SIGNATURE_PREFIX.length), 'base64url').toString()
    : null;
