/**
 * Thinking that an upstream of the other dialect did, and a caller sends back: it has no signature, or one
 * of ours, and whoever checks signatures refuses it. A conversation may change its route or its model.
 */
import { isJsonObject } from '../../json/object.ts';
import { unsealedThinking } from '../sealed-thinking.ts';

/**
 * The messages without it, and without those that said nothing else.
 *
 * @param isWanted whether the upstream wants thinking back and signs none itself: then only that stays away
 *   which is hidden in a seal of ours.
 * @returns null when there is none.
 */
export function withoutForeignThinking(
  messages: readonly unknown[],
  isWanted: boolean,
): readonly unknown[] | null {
  let changed = false;
  const kept = messages.flatMap((message) => {
    if (!isJsonObject(message) || !Array.isArray(message['content'])) return [message];
    const content = message['content'].filter((block: unknown) => !isForeign(block, isWanted));
    if (content.length === message['content'].length) return [message];
    changed = true;
    return content.length === 0 ? [] : [{ ...message, content }];
  });
  return changed ? kept : null;
}

function isForeign(block: unknown, isWanted: boolean): boolean {
  if (!isJsonObject(block) || block['type'] !== 'thinking') return false;
  const signature = block['signature'] ?? '';
  if (signature === '') return !isWanted;
  return typeof signature === 'string' && unsealedThinking(signature) !== null;
}
