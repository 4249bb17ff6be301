/**
 * Carries thinking in a signature. It is for callers that asked not to see thinking (`display:
 * "omitted"`) while the upstream wants it back after a tool call. Clients keep a block's signature
 * and send it back unread. The content is not secret: the thinking belongs to the caller, and
 * `display` only hides it from view.
 */

/**
 * The prefix of the gateway's signatures on tool calls of chat, where other providers write their
 * own.
 */
export const CALL_SIGNATURE_PREFIX = 'modelgate-1.';

export const THINKING_SIGNATURE_PREFIX = 'modelgate-thinking-1.';

export const encodeThinkingSignature = (text: string): string =>
  text === '' ? '' : THINKING_SIGNATURE_PREFIX + Buffer.from(text).toString('base64url');

/** Returns the thinking in a signature; null for a signature that the gateway did not write. */
export const decodeThinkingSignature = (signature: string): string | null =>
  signature.startsWith(THINKING_SIGNATURE_PREFIX)
    ? Buffer.from(signature.slice(THINKING_SIGNATURE_PREFIX.length), 'base64url').toString()
    : null;
