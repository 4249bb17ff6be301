/**
 * Reasoning that a caller asked not to see (`display: "omitted"`) and that the upstream wants back after a
 * tool call. It travels in the block's signature, which clients keep and return unread. Nothing is hidden
 * by it: the reasoning is the caller's own, and display is about what is shown.
 */

/** Tells our seals on the tool calls of chat from those of other makers. */
export const CALL_SEAL_PREFIX = 'modelgate-1.';

/** Tells our seals from the signatures of others. */
export const SEAL_PREFIX = 'modelgate-thinking-1.';

export const sealedThinking = (text: string): string =>
  text === '' ? '' : SEAL_PREFIX + Buffer.from(text).toString('base64url');

/** @returns null for a signature that is none of ours. */
export const unsealedThinking = (signature: string): string | null =>
  signature.startsWith(SEAL_PREFIX)
    ? Buffer.from(signature.slice(SEAL_PREFIX.length), 'base64url').toString()
    : null;
