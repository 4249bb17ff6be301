/**
 * Token counts as chat completions tell them: cached and cache-written tokens are part of the prompt,
 * reasoning is part of the completion. Here they become disjoint.
 */

import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_USAGE, type Usage } from '../../money/usage.ts';
import { NO_QUIRKS, type Quirks, type UsagePath } from '../quirks.ts';
import { tokenCount } from '../usage-object.ts';

/** Where a server counts otherwise than the protocol says. */
export type CountingQuirks = Pick<Quirks, 'cachedTokens' | 'reasoningOutside'>;

/**
 * A `usage` object as disjoint buckets, whose prompt part always sums to `prompt_tokens`. Null
 * and absent counters are 0; an explicit 0 is a count.
 *
 * @returns null when nothing was counted, and when any count is negative, fractional, no number or
 *   absurdly large: such a report is not believed in part, and the caller of this estimates instead.
 */
export function usageFromChat(usage: unknown, quirks: CountingQuirks = NO_QUIRKS): Usage | null {
  const json = asJsonObject(usage);
  if (json === null) return null;
  if ((json['prompt_tokens'] ?? json['completion_tokens'] ?? null) === null) return null;
  const details = asJsonObject(json['prompt_tokens_details']) ?? {};
  const prompt = tokenCount(json['prompt_tokens']);
  const completion = tokenCount(json['completion_tokens']);
  const output = quirks.reasoningOutside ? completion + reasoningTokens(json) : completion;
  const cached = tokenCount(firstAt(json, quirks.cachedTokens));
  // The protocol's own name, and that of LiteLLM.
  const written = tokenCount(details['cache_write_tokens'] ?? details['cache_creation_tokens']);
  if ([prompt, output, cached, written].some(Number.isNaN)) return null;
  // More cached than there was would make the rest negative; the prompt's total is the truth.
  const cacheRead = Math.min(cached, prompt);
  const cacheWrite5m = Math.min(written, prompt - cacheRead);
  return {
    ...NO_USAGE,
    input: prompt - cacheRead - cacheWrite5m,
    cacheRead,
    cacheWrite5m,
    output,
  };
}

/**
 * What `usage` has to be told with beside its own counts: those that clients insist on and that it lacks, 0
 * where nobody counted; and where the server counts reasoning apart, it is a part of the completion like
 * everywhere else, as it is charged. The total is the sum.
 *
 * @param counted the same usage as it was read; null when it was not believed.
 */
export function correctedCounts(
  usage: JsonObject,
  counted: Usage | null,
  { reasoningOutside }: Pick<Quirks, 'reasoningOutside'>,
): JsonObject {
  const isMoved = reasoningOutside && counted !== null && reasoningTokens(usage) > 0;
  const prompt = usage['prompt_tokens'] ?? 0;
  const completion = isMoved ? counted.output : (usage['completion_tokens'] ?? 0);
  const counts = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: Number(prompt) + Number(completion),
  };
  return isMoved
    ? counts
    : Object.fromEntries(Object.entries(counts).filter(([name]) => (usage[name] ?? null) === null));
}

/** The reasoning that `usage` tells of; NaN for what is no believable count. */
export const reasoningTokens = (usage: JsonObject): number =>
  tokenCount(asJsonObject(usage['completion_tokens_details'])?.['reasoning_tokens']);

/** The value at the first path that leads to one. */
function firstAt(json: JsonObject, paths: readonly UsagePath[]): unknown {
  for (const path of paths) {
    let at: unknown = json;
    for (const name of path.split('.')) at = asJsonObject(at)?.[name];
    if ((at ?? null) !== null) return at;
  }
  return null;
}
