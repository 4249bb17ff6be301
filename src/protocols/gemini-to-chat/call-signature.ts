/**
 * Signatures of function calls in Google's form. There, a signature is bytes, so Google's libraries
 * refuse one that is not base64. It also contains the thinking before the call, because clients
 * such as Gemini CLI return only the signature, as Google's models need no more.
 */
import { CALL_SIGNATURE_PREFIX } from '../thinking-signature.ts';

/** The prefix of a signature with thinking. The length of the thinking and a point follow. */
const THINKING_PREFIX = 'modelgate-thoughts-1.';
const WITH_THINKING = /^modelgate-thoughts-1\.(\d{1,6})\./;
/**
 * Maximum UTF-16 units of thinking in a signature. A longer text is left out, because a client
 * sends every signature back with each turn.
 */
export const MAX_SIGNED_UNITS = 64 * 1024;

export type CallSignature = {
  /** The signature of the gateway or of a provider; null for a call without one. */
  readonly signature: string | null;
  /** The thinking before the call; empty for a call without any. */
  readonly thinking: string;
};

/** Encodes a signature of the gateway and the thinking. A provider's signature stays as it is. */
export function toGoogleSignature({ signature, thinking }: CallSignature): string | null {
  if (signature !== null && !signature.startsWith(CALL_SIGNATURE_PREFIX)) return signature;
  const isKept = thinking !== '' && thinking.length <= MAX_SIGNED_UNITS;
  if (!isKept && signature === null) return null;
  const head = isKept ? `${THINKING_PREFIX}${thinking.length}.${thinking}` : '';
  return Buffer.from(head + (signature ?? '')).toString('base64');
}

/** Decodes a signature of the gateway. Google's library for Python returns it in base64url. */
export function fromGoogleSignature(written: string): CallSignature {
  const text = Buffer.from(written, 'base64').toString();
  if (text.startsWith(CALL_SIGNATURE_PREFIX)) return { signature: text, thinking: '' };
  const [head, length] = WITH_THINKING.exec(text) ?? [];
  if (head === undefined) return { signature: written, thinking: '' };
  const end = head.length + Number(length);
  const signature = text.slice(end);
  return {
    signature: signature.startsWith(CALL_SIGNATURE_PREFIX) ? signature : null,
    thinking: text.slice(head.length, end),
  };
}
