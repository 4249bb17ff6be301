/**
 * Token counts as chat completions tell them: cached and cache-written tokens are part of the prompt,
 * reasoning is part of the completion. Here they become disjoint.
 */
import type { Usage } from '../../money/usage.ts';
import { asJsonObject, type JsonObject } from '../json-object.ts';
import { tokenCount } from '../token-count.ts';

/**
 * A `usage` object as disjoint buckets, whose prompt part always sums to `prompt_tokens`. Null
 * and absent counters are 0; an explicit 0 is a count.
 *
 * @returns null when nothing was counted, and when any count is negative, fractional, no number or
 *   absurdly large: such a report is not believed in part, and the caller of this estimates instead.
 */
export function usageFromChat(usage: unknown): Usage | null {
  const json = asJsonObject(usage);
  if (json === null) return null;
  if ((json['prompt_tokens'] ?? json['completion_tokens'] ?? null) === null) return null;
  const details = asJsonObject(json['prompt_tokens_details']) ?? {};
  const prompt = tokenCount(json['prompt_tokens']);
  const output = tokenCount(json['completion_tokens']);
  const cached = tokenCount(details['cached_tokens'] ?? cachedBeside(json));
  const written = tokenCount(details['cache_write_tokens']);
  if ([prompt, output, cached, written].some(Number.isNaN)) return null;
  // More cached than there was would make the rest negative; the prompt's total is the truth.
  const cacheRead = Math.min(cached, prompt);
  const cacheWrite5m = Math.min(written, prompt - cacheRead);
  return {
    input: prompt - cacheRead - cacheWrite5m,
    cacheRead,
    cacheWrite5m,
    cacheWrite1h: 0,
    output,
  };
}

/**
 * The counts that clients insist on and that `usage` lacks: an upstream that counted nothing has them at
 * 0, and the total is the sum.
 */
export function missingCounts(usage: JsonObject): JsonObject {
  const prompt = usage['prompt_tokens'] ?? 0;
  const completion = usage['completion_tokens'] ?? 0;
  const counts = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: Number(prompt) + Number(completion),
  };
  return Object.fromEntries(
    Object.entries(counts).filter(([name]) => (usage[name] ?? null) === null),
  );
}

/** Where some makers count what was read from the cache: beside the totals (DeepSeek, Moonshot). */
const cachedBeside = (json: JsonObject): unknown =>
  json['prompt_cache_hit_tokens'] ?? json['cached_tokens'];
