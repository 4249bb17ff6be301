/** Why an answer ended, in the words of Messages. */

import { isFailedFinish } from '../chat/finish.ts';

export type StopReason = 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal';

/** `model_length` is Mistral's word for a full context. */
const CUT: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length']);

/**
 * A client's loop goes on as long as it hears of tool use, so that this reason and the calls always come
 * together, whatever the server says; an answer that was cut or refused is told as that. Words that nobody
 * knows are natural ends: the server did say that it was done.
 *
 * @returns null when the word tells of a failure.
 */
export function stopReason(
  finishReason: string,
  { hasCalls, isRefused }: { readonly hasCalls: boolean; readonly isRefused: boolean },
): StopReason | null {
  if (isFailedFinish(finishReason)) return null;
  if (CUT.has(finishReason)) return 'max_tokens';
  if (finishReason === 'content_filter' || isRefused) return 'refusal';
  return hasCalls ? 'tool_use' : 'end_turn';
}

/** What stands beside the reason. A chat server tells no category, and its words are in the answer. */
export const stopDetails = (reason: StopReason) =>
  reason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null;
