/**
 * Keeps the signature of a tool call in the id of the call, for Messages clients. Gemini refuses an
 * earlier call without its signature, and the id is all of a call that every Messages client
 * returns unchanged.
 */

/** Separates the provider's id from the signature. */
export const SIGNATURE_MARK = '_modelgate-1_';
/** Maximum UTF-16 units of a signature. A longer one is left out. */
const MAX_SIGNATURE_UNITS = 64 * 1024;

/** Returns the id with the signature, in characters that the Messages protocol allows in ids. */
export const signedCallId = (id: string, signature: string): string =>
  signature.length > MAX_SIGNATURE_UNITS
    ? id
    : `${id}${SIGNATURE_MARK}${Buffer.from(signature).toString('base64url')}`;

export type ReadCallId = { readonly id: string; readonly signature: string | null };

/** Returns the provider's id and the signature; null for an id without one. */
export function readCallId(written: string): ReadCallId {
  const at = written.indexOf(SIGNATURE_MARK);
  if (at < 0) return { id: written, signature: null };
  const encoded = written.slice(at + SIGNATURE_MARK.length);
  const signature = Buffer.from(encoded, 'base64url').toString();
  return { id: written.slice(0, at), signature: signature === '' ? null : signature };
}
