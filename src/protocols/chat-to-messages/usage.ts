/** Token counts of a Messages answer as chat completions tell them. */

import { asJsonObject, type JsonObject } from '../../json/object.ts';
import type { Usage } from '../../money/usage.ts';
import { tokenCount } from '../token-count.ts';

/**
 * A chat `usage` object. Cached and written tokens are part of the prompt here, and thinking is part of the
 * completion; how much of it was thinking is told only where the upstream counted it.
 *
 * @param usage as it is charged; null is told as nothing, which clients take for an object all the same.
 * @param counts the upstream's own object.
 */
export function chatUsage(usage: Usage | null, counts: JsonObject): JsonObject {
  const { input = 0, cacheRead = 0, cacheWrite5m = 0, cacheWrite1h = 0, output = 0 } = usage ?? {};
  const written = cacheWrite5m + cacheWrite1h;
  const prompt = input + cacheRead + written;
  const thinking = asJsonObject(counts['output_tokens_details'])?.['thinking_tokens'] ?? null;
  const reasoning = thinking === null ? Number.NaN : tokenCount(thinking);
  return {
    prompt_tokens: prompt,
    completion_tokens: output,
    total_tokens: prompt + output,
    prompt_tokens_details: { cached_tokens: cacheRead, cache_write_tokens: written },
    ...(Number.isNaN(reasoning)
      ? {}
      : { completion_tokens_details: { reasoning_tokens: Math.min(reasoning, output) } }),
  };
}
