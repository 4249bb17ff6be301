/**
 * Names and ids of tools on their way to a chat server and back. Messages takes longer ones than chat, and
 * what has to be made to fit is made of the name alone, so that every request of a conversation begins with
 * the same bytes.
 */
import { createHash } from 'node:crypto';
import { derivedId } from '../dialect.ts';

const CHAT_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_NAME_LENGTH = 64;
/** OpenAI refuses longer ids of tool calls. */
const MAX_ID_LENGTH = 40;
/** Hexadecimal digits that tell apart names which differ only in what had to go. */
const DIGEST_DIGITS = 12;

export class ToolNames {
  readonly #originals = new Map<string, string>();

  /** The name that chat servers take; remembers whose it is. */
  forChat(name: string): string {
    if (CHAT_NAME.test(name)) return name;
    const fitting = name
      .replaceAll(/[^A-Za-z0-9_-]/g, '_')
      .slice(0, MAX_NAME_LENGTH - DIGEST_DIGITS - 1);
    const mapped = `${fitting}_${digest(name).slice(0, DIGEST_DIGITS)}`;
    this.#originals.set(mapped, name);
    return mapped;
  }

  /** The name as the caller wrote it. */
  forCaller(name: string): string {
    return this.#originals.get(name) ?? name;
  }
}

/** An id of a tool call that chat servers take. */
export const chatCallId = (id: string): string =>
  id.length <= MAX_ID_LENGTH ? id : `call_${digest(id).slice(0, MAX_ID_LENGTH - 'call_'.length)}`;

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');

const MESSAGES_ID = /^[A-Za-z0-9_-]+$/;

/**
 * An id of a tool call that Messages clients take, also when they turn to another model with it: the
 * upstream's own wherever it will do.
 * @param index of the call within its answer.
 */
export function messagesCallId(given: string | null, requestId: string, index: number): string {
  if (given !== null && MESSAGES_ID.test(given)) return given;
  return `${derivedId('toolu_', requestId)}_${index}`;
}
