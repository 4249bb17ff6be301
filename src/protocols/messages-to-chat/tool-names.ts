/**
 * Translates tool names for a chat server and back, and chooses ids of tool calls that Messages
 * clients accept.
 */
import { chatToolName } from '../chat/chat-names.ts';
import { derivedId } from '../dialect.ts';

export class ToolNames {
  readonly #originals = new Map<string, string>();

  /**
   * Returns a name that chat servers accept, and stores the original name, to restore it in the
   * answer.
   */
  forChat(name: string): string {
    const mapped = chatToolName(name);
    if (mapped !== name) this.#originals.set(mapped, name);
    return mapped;
  }

  forCaller(name: string): string {
    return this.#originals.get(name) ?? name;
  }
}

const MESSAGES_ID = /^[A-Za-z0-9_-]+$/;

/**
 * Returns an id that Messages clients accept: the id `given` by the upstream if it is valid,
 * otherwise a derived id.
 */
export function messagesCallId(given: string | null, requestId: string, index: number): string {
  if (given !== null && MESSAGES_ID.test(given)) return given;
  return `${derivedId('toolu_', requestId)}_${index}`;
}
