/** Ids of price cards, exchange rates and catalogues: hashes of their content. */
import { createHash } from 'node:crypto';

const ID_DIGITS = 16;

/**
 * Returns the prefix, `_`, and 16 hex digits of the content's hash. Equal content gives the same id
 * on every node.
 */
export function contentId(prefix: string, content: unknown): string {
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return `${prefix}_${digest.slice(0, ID_DIGITS)}`;
}
