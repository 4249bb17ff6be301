/**
 * Translates tool names for a chat server and back, and chooses ids of tool calls that Messages
 * clients accept.
 */
import type { JsonObject } from '../../json/object.ts';
import { chatToolName } from '../chat/chat-names.ts';
import { derivedId } from '../dialect.ts';
import { signedCallId } from '../messages/call-signature.ts';
import { providersSignature } from '../thinking-signature.ts';

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
 * otherwise a derived id. The id contains the provider's signature in `extra`, if there is one.
 */
export function messagesCallId(
  given: string | null,
  requestId: string,
  index: number,
  extra: JsonObject | null,
): string {
  const isValid = given !== null && MESSAGES_ID.test(given);
  const id = isValid ? given : `${derivedId('toolu_', requestId)}_${index}`;
  const signature = providersSignature(extra);
  return signature === null ? id : signedCallId(id, signature);
}
