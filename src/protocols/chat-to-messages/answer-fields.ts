/**
 * Fields that chat completions and chat chunks have in common: id, finish reason, refusal and
 * usage.
 */
import { asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_USAGE, promptTokens, tokensOf, type Usage } from '../../money/usage.ts';
import { derivedId } from '../dialect.ts';
import { tokenCount } from '../usage-object.ts';

const CUT: ReadonlySet<string> = new Set(['max_tokens', 'model_context_window_exceeded']);

/**
 * Converts a stop reason to chat's finish reason: `length` for a truncated answer, `content_filter`
 * for a refusal. Any other answer with tool calls gets `tool_calls`, or `function_call` for a
 * legacy caller, because agents continue only after this reason.
 */
export function finishReason(
  stopReason: string,
  hasCalls: boolean,
  isLegacy: boolean,
): 'stop' | 'length' | 'tool_calls' | 'function_call' | 'content_filter' {
  if (CUT.has(stopReason)) return 'length';
  if (stopReason === 'refusal') return 'content_filter';
  if (!hasCalls) return 'stop';
  return isLegacy ? 'function_call' : 'tool_calls';
}

/** Returns the upstream's explanation of a refusal; null if it gave none. */
export const explanationOf = (stopDetails: unknown): string | null =>
  asFilledString(asJsonObject(stopDetails)?.['explanation']);

export const completionId = (requestId: string): string => derivedId('chatcmpl-', requestId);

/**
 * Returns the `usage` object for chat. Its prompt tokens include cached tokens, and its completion
 * tokens include thinking.
 * @param usage the usage as charged. If null, all counts are zero, because clients require the
 *   object.
 * @param counts the upstream's own usage object, which may also contain a count of thinking tokens.
 */
export function chatUsage(usage: Usage | null, counts: JsonObject): JsonObject {
  const counted = usage ?? NO_USAGE;
  const prompt = promptTokens(counted);
  const output = tokensOf(counted, 'output');
  const reasoning = thinkingTokens(counts);
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: {
      cached_tokens: tokensOf(counted, 'cache_read'),
      cache_write_tokens: tokensOf(counted, 'cache_write'),
    },
    ...(reasoning === null
      ? {}
      : { completion_tokens_details: { reasoning_tokens: Math.min(reasoning, output) } }),
  };
}

/** Returns the upstream's count of thinking tokens; null if it is missing or implausible. */
export function thinkingTokens(counts: JsonObject): number | null {
  const thinking = asJsonObject(counts['output_tokens_details'])?.['thinking_tokens'] ?? null;
  const tokens = thinking === null ? Number.NaN : tokenCount(thinking);
  return Number.isNaN(tokens) ? null : tokens;
}
