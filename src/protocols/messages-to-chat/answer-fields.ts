/**
 * Fields that complete Messages answers and Messages streams have in common: stop reason and usage.
 */
import type { JsonObject } from '../../json/object.ts';
import { NO_USAGE, tokensOf, type Usage } from '../../money/usage.ts';
import { isCutFinish, isFailedFinish, isFilteredFinish } from '../chat/answer-fields.ts';
import type { Quirks } from '../quirks.ts';

export type StopReason = 'end_turn' | 'max_tokens' | 'tool_use' | 'refusal';

/**
 * Converts a finish reason to a stop reason: null for a failure, `max_tokens` for a truncated
 * answer, `refusal` for a refusal. Any other answer with tool calls gets `tool_use`, because agents
 * continue only after this reason.
 */
export function stopReason(
  finishReason: string,
  { hasCalls, isRefused }: { readonly hasCalls: boolean; readonly isRefused: boolean },
): StopReason | null {
  if (isFailedFinish(finishReason)) return null;
  if (isCutFinish(finishReason)) return 'max_tokens';
  if (isFilteredFinish(finishReason) || isRefused) return 'refusal';
  return hasCalls ? 'tool_use' : 'end_turn';
}

/**
 * For a refusal, returns stop details without values, because chat has no categories of refusals
 * and the text of a refusal is sent as content. Returns null for any other reason.
 */
export const stopDetails = (reason: StopReason) =>
  reason === 'refusal' ? { type: 'refusal', category: null, explanation: null } : null;

/**
 * How the caller wants to receive thinking. `omitted` means that the answer must not show the
 * thinking, although later turns may need it. `off` means that the caller wants no thinking.
 */
export type AskedThinking = 'shown' | 'omitted' | 'off';

/**
 * How thinking is sent to the caller. `hidden` means that it is not sent. `sealed` means that it is
 * sent only inside a signature, which the caller sends back for upstreams that need earlier
 * thinking.
 */
export type ThinkingRule = 'shown' | 'hidden' | 'sealed';

export function thinkingRule({ reasoningBack }: Quirks, asked: AskedThinking): ThinkingRule {
  if (asked === 'shown') return 'shown';
  return asked === 'off' || reasoningBack === null ? 'hidden' : 'sealed';
}

/**
 * Returns a usage object with all members that clients require. All counts are zero if nothing was
 * charged.
 */
export function messagesUsage(usage: Usage | null): JsonObject {
  const counted = usage ?? NO_USAGE;
  return {
    input_tokens: tokensOf(counted, 'input'),
    output_tokens: tokensOf(counted, 'output'),
    cache_creation_input_tokens: tokensOf(counted, 'cache_write'),
    cache_read_input_tokens: tokensOf(counted, 'cache_read'),
    cache_creation: {
      ephemeral_5m_input_tokens: counted.cacheWrite5m,
      ephemeral_1h_input_tokens: counted.cacheWrite1h,
    },
    output_tokens_details: { thinking_tokens: counted.reasoning },
    server_tool_use: null,
    service_tier: 'standard',
    inference_geo: null,
    speed: 'standard',
  };
}
