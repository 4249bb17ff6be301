/**
 * Translates tool names and call ids for a chat server and back. A shortened name depends only on
 * the original, so that every request of a conversation hits the prompt cache.
 */
import { createHash } from 'node:crypto';
import { derivedId } from '../dialect.ts';

const CHAT_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_NAME_LENGTH = 64;
/** Longest tool call id that OpenAI accepts. */
const MAX_ID_LENGTH = 40;
/**
 * Hex digits of a digest in each shortened name, so that long names with the same beginning stay
 * distinct.
 */
const DIGEST_DIGITS = 12;

export class ToolNames {
  readonly #originals = new Map<string, string>();

  /** Returns a name that chat servers accept, and remembers the original. */
  forChat(name: string): string {
    if (CHAT_NAME.test(name)) return name;
    const fitting = name
      .replaceAll(/[^A-Za-z0-9_-]/g, '_')
      .slice(0, MAX_NAME_LENGTH - DIGEST_DIGITS - 1);
    const mapped = `${fitting}_${digest(name).slice(0, DIGEST_DIGITS)}`;
    this.#originals.set(mapped, name);
    return mapped;
  }

  forCaller(name: string): string {
    return this.#originals.get(name) ?? name;
  }
}

export const chatCallId = (id: string): string =>
  id.length <= MAX_ID_LENGTH ? id : `call_${digest(id).slice(0, MAX_ID_LENGTH - 'call_'.length)}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const MESSAGES_ID = /^[A-Za-z0-9_-]+$/;

/** Returns an id that Messages clients accept: the upstream's own if valid, else a derived one. */
export function messagesCallId(given: string | null, requestId: string, index: number): string {
  if (given !== null && MESSAGES_ID.test(given)) return given;
  return `${derivedId('toolu_', requestId)}_${index}`;
}
