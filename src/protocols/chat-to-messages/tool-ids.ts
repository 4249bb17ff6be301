/**
 * Names for the tool calls of a conversation that a Messages upstream takes: of its alphabet, and no two
 * alike, where chat servers number each turn's calls from zero. What a call is named depends on what stands
 * before it alone, so that the next request of the conversation begins with the same bytes.
 */
import { createHash } from 'node:crypto';

const ALLOWED = /^[A-Za-z0-9_-]+$/;
/** Hexadecimal digits that tell apart ids which differ only in characters that are not allowed. */
const DIGEST_DIGITS = 12;

export class ToolIds {
  readonly #taken = new Set<string>();

  /** A name for one more call; the caller's own id wherever it will do. */
  take(id: string): string {
    const allowed = ALLOWED.test(id) ? id : rewritten(id);
    let name = allowed;
    for (let again = 2; this.#taken.has(name); again++) name = `${allowed}_${again}`;
    this.#taken.add(name);
    return name;
  }
}

function rewritten(id: string): string {
  const digest = createHash('sha256').update(id).digest('hex').slice(0, DIGEST_DIGITS);
  return `${id.replaceAll(/[^A-Za-z0-9_-]/g, '_')}_${digest}`;
}
