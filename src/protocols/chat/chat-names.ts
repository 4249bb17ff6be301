/**
 * Makes tool names and call ids that chat servers accept. Each is derived only from the original
 * name or id, so it is the same in every request of a conversation, and the requests hit the prompt
 * cache.
 */
import { createHash } from 'node:crypto';

const CHAT_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_NAME_LENGTH = 64;
/** Maximum characters of a tool call id. OpenAI refuses longer ones. */
const MAX_ID_LENGTH = 40;
/**
 * The number of hex digits of the digest at the end of a shortened name. The digest distinguishes
 * long names that have the same beginning.
 */
const DIGEST_DIGITS = 12;

/**
 * Returns the name if chat servers accept it. Otherwise returns a similar name that ends with a
 * digest of the original.
 */
export const chatToolName = (name: string): string =>
  CHAT_NAME.test(name) ? name : digestedName(name, name);

/** Returns a name that begins with `name` and ends with a digest of `original`. */
export function digestedName(name: string, original: string): string {
  const fitting = name
    .replaceAll(/[^A-Za-z0-9_-]/g, '_')
    .slice(0, MAX_NAME_LENGTH - DIGEST_DIGITS - 1);
  return `${fitting}_${digest(original).slice(0, DIGEST_DIGITS)}`;
}

export const chatCallId = (id: string): string =>
  id.length <= MAX_ID_LENGTH ? id : `call_${digest(id).slice(0, MAX_ID_LENGTH - 'call_'.length)}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
