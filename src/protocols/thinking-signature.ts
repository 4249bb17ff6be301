/**
 * Reasoning that a caller asked not to see (`display: "omitted"`) and that the upstream wants back after a
 * tool call. It travels in the block's signature, which clients keep and return unread. Nothing is hidden
 * by it: the reasoning is the caller's own, and display is about what is shown.
 */

/** Tells our seals on the tool calls of chat from those of other makers. */
export const CALL_SIGNATURE_PREFIX = 'modelgate-1.';

/** Tells our seals from the signatures of others. */
export const THINKING_SIGNATURE_PREFIX = 'modelgate-thinking-1.';

export const encodeThinkingSignature = (text: string): string =>
  text === '' ? '' : THINKING_SIGNATURE_PREFIX + Buffer.from(text).toString('base64url');

/** @returns null for a signature that is none of ours. */
export const decodeThinkingSignature = (signature: string): string | null =>
  signature.startsWith(THINKING_SIGNATURE_PREFIX)
    ? Buffer.from(signature.slice(THINKING_SIGNATURE_PREFIX.length), 'base64url').toString()
    : null;
