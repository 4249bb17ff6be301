/** What a chat completion and its chunks share: id, finish reason, refusal and usage. */
import { asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_USAGE, promptTokens, tokensOf, type Usage } from '../../money/usage.ts';
import { derivedId } from '../dialect.ts';
import { tokenCount } from '../usage-object.ts';

export type FinishReason = 'stop' | 'length' | 'tool_calls' | 'function_call' | 'content_filter';

const CUT: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded']);

/**
 * A client's loop goes on as long as it hears of tool calls, so that this reason and the calls always come
 * together; an answer that was cut or refused is told as that, whatever it holds. Reasons that chat has no
 * word for are natural ends.
 */
export function finishReason(
  stopReason: string,
  hasCalls: boolean,
  isLegacy: boolean,
): FinishReason {
  if (CUT.has(stopReason)) return 'length';
  if (stopReason === 'refusal') return 'content_filter';
  if (!hasCalls) return 'stop';
  return isLegacy ? 'function_call' : 'tool_calls';
}

/** The upstream's words on its refusal; null when it gave none, or did not refuse. */
export const explanationOf = (stopDetails: unknown): string | null =>
  asFilledString(asJsonObject(stopDetails)?.['explanation']);

export const completionId = (requestId: string): string => derivedId('chatcmpl-', requestId);

/**
 * A chat `usage` object. Cached and written tokens are part of the prompt here, and thinking is part of the
 * completion; how much of it was thinking is told only where the upstream counted it.
 * @param usage as it is charged; null is told as nothing, which clients take for an object all the same.
 * @param counts the upstream's own object.
 */
export function chatUsage(usage: Usage | null, counts: JsonObject): JsonObject {
  const counted = usage ?? NO_USAGE;
  const prompt = promptTokens(counted);
  const output = tokensOf(counted, 'output');
  const thinking = asJsonObject(counts['output_tokens_details'])?.['thinking_tokens'] ?? null;
  const reasoning = thinking === null ? Number.NaN : tokenCount(thinking);
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: tokensOf(counted, 'cache_read'),
      cache_write_tokens: tokensOf(counted, 'cache_write'),
    },
    ...(Number.isNaN(reasoning)
      ? {}
      : { completion_tokens_details: { reasoning_tokens: Math.min(reasoning, output) } }),
  };
}
