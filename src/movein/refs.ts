/** Makes refs: the names by which every run recognizes the objects of a source. */
import { hashHex } from '../accounts/api-key.ts';
import { MAX_REF_CHARS } from './move-in.ts';

/** Returns a ref that is the same in every run. Replaces a long id by its hash. */
export function refOf(kind: string, id: string): string {
  const ref = `${kind}/${id}`;
  return ref.length <= MAX_REF_CHARS ? ref : `${kind}/${hashHex(id)}`;
}
