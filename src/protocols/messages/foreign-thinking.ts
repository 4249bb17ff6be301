/**
 * Thinking that an upstream of the other dialect did, and a caller sends back: it has no signature, or one
 * of ours, and whoever checks signatures refuses it. A conversation may change its route or its model.
 */
import { isJsonObject } from '../json-object.ts';
import { unsealedThinking } from '../sealed-thinking.ts';

/**
 * The messages without it, and without those that said nothing else.
 * @returns null when there is none.
 */
export function withoutForeignThinking(messages: readonly unknown[]): readonly unknown[] | null {
  let changed = false;
  const kept = messages.flatMap((message) => {
    if (!isJsonObject(message) || !Array.isArray(message['content'])) return [message];
    const content = message['content'].filter((block: unknown) => !isForeign(block));
    if (content.length === message['content'].length) return [message];
    changed = true;
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return changed ? kept : null;
}

function isForeign(block: unknown): boolean {
  if (!isJsonObject(block) || block['type'] !== 'thinking') return false;
  const signature = block['signature'] ?? '';
  return (
    signature === '' || (typeof signature === 'string' && unsealedThinking(signature) !== null)
  );
}
