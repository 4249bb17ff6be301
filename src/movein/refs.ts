/** The refs of objects at a source. */
import { hashHex } from '../accounts/api-key.ts';
import { MAX_REF_CHARS } from './move-in.ts';

/** Returns what an object is called from run to run. A long id is replaced by its hash. */
export function refOf(kind: string, id: string): string {
  const ref = `${kind}/${id}`;
  return ref.length <= MAX_REF_CHARS ? ref : `${kind}/${hashHex(id)}`;
}
