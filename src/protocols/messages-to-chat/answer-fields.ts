/** What a Messages answer and its stream share: stop reason and usage. */

import type { JsonObject } from '../../json/object.ts';
import { NO_USAGE, tokensOf, type Usage } from '../../money/usage.ts';
import { isFailedFinish } from '../chat/answer-fields.ts';
import { reasoningTokens } from '../chat/usage.ts';

export type StopReason = 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal';

/** `model_length` is Mistral's word for a full context. */
const CUT: ReadonlySet<string> = new Set(['length', 'max_tokens', 'model_length']);

/**
 * A client's loop goes on as long as it hears of tool use, so that this reason and the calls always come
 * together, whatever the server says; an answer that was cut or refused is told as that. Words that nobody
 * knows are natural ends: the server did say that it was done.
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

/** Bytes of text a token is usually worth, where nobody counted. */
const BYTES_PER_TOKEN = 4;

/**
 * All members that clients' types require, before the cost.
 * @param usage as counted; null when nobody did: then the answer is told by its length.
 * @param raw the server's own object, which tells how much of the output was reasoning.
 */
export function messagesUsage(
  usage: Usage | null,
  raw: JsonObject,
  uncounted: { readonly inputTokens: number; readonly outputBytes: number },
): JsonObject {
  const counted = usage ?? {
    ...NO_USAGE,
    input: uncounted.inputTokens,
    output: Math.ceil(uncounted.outputBytes / BYTES_PER_TOKEN),
  };
  const output = tokensOf(counted, 'output');
  const thought = reasoningTokens(raw);
  return {
    input_tokens: tokensOf(counted, 'input'),
    output_tokens: output,
    cache_creation_input_tokens: tokensOf(counted, 'cache_write'),
    cache_read_input_tokens: tokensOf(counted, 'cache_read'),
    cache_creation: {
      ephemeral_5m_input_tokens: counted.cacheWrite5m,
      ephemeral_1h_input_tokens: counted.cacheWrite1h,
    },
    output_tokens_details: {
      thinking_tokens: Number.isNaN(thought) ? 0 : Math.min(thought, output),
    },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: 'standard',
  };
}
