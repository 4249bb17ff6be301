/** Makes refs: names by which repeated runs recognize the objects of a source. */
import { hashHex } from '../accounts/api-key.ts';
import { MAX_REF_CHARS } from './move-in.ts';

/**
 * Returns the ref of an object, which is the same in every run. Replaces an id that is too long
 * with its hash.
 */
export function refOf(kind: string, id: string): string {
  const ref = `${kind}/${id}`;
  return ref.length <= MAX_REF_CHARS ? ref : `${kind}/${hashHex(id)}`;
}
