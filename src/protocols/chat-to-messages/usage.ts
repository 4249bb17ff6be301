/** Token counts of a Messages answer as chat completions tell them. */

import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_USAGE, promptTokens, tokensOf, type Usage } from '../../money/usage.ts';
import { tokenCount } from '../token-count.ts';

/**
 * A chat `usage` object. Cached and written tokens are part of the prompt here, and thinking is part of the
 * completion; how much of it was thinking is told only where the upstream counted it.
 *
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
