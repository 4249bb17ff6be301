/** Reads what a chat answer used, in disjoint buckets, and how it was served. */
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { NOTHING_SERVED, type Served } from '../../money/served.ts';
import { NO_USAGE, type Usage } from '../../money/usage.ts';
import { NO_QUIRKS, type Quirks, type UsagePath } from '../quirks.ts';
import { reportedName, reportedUsd, tokenCount, toolUsesIn, valueAt } from '../usage-object.ts';

/** The ways in which a server counts differently from the protocol. */
export type CountingQuirks = Pick<Quirks, 'cachedTokens' | 'reasoningOutside'>;

/**
 * Converts `usage` into disjoint buckets; those of the prompt always sum to `prompt_tokens`. Null
 * when nothing was counted, or any count is implausible: usage is then estimated.
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
  // `cache_write_tokens` is the protocol's own name, and the other is LiteLLM's.
  const written = tokenCount(details['cache_write_tokens'] ?? details['cache_creation_tokens']);
  if ([prompt, output, cached, written].some(Number.isNaN)) return null;
  // `prompt_tokens` is taken as correct. If more tokens were cached, the rest would be negative.
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
 * Returns counts to add or correct in `usage` for clients. Reasoning that the server counts
 * separately becomes part of the completion. `counted` is null if `usage` was ignored.
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

/** Returns the reported reasoning tokens; NaN for an implausible count. */
export const reasoningTokens = (usage: JsonObject): number =>
  tokenCount(asJsonObject(usage['completion_tokens_details'])?.['reasoning_tokens']);

/** Returns the value at the first path that has one. */
function firstAt(json: JsonObject, paths: readonly UsagePath[]): unknown {
  for (const path of paths) {
    const value = valueAt(json, path);
    if (value !== null) return value;
  }
  return null;
}

/** Where a tier may be in `usage`. The protocol has it beside `usage`. */
const TIERS_IN_USAGE: readonly UsagePath[] = [
  'service_tier',
  'extra_properties.google.traffic_type',
];

/**
 * Returns how an answer was served. A chunk updates what earlier chunks reported, which is returned
 * as it is if the chunk adds nothing.
 */
export function servedFromChat(
  json: JsonObject,
  { toolUses, reportedCost }: Pick<Quirks, 'toolUses' | 'reportedCost'>,
  earlier: Served = NOTHING_SERVED,
): Served {
  const usage = asJsonObject(json['usage']);
  const inUsage = usage === null ? null : firstAt(usage, TIERS_IN_USAGE);
  const tier = reportedName(json['service_tier']) ?? reportedName(inUsage) ?? earlier.tier;
  const model = reportedName(json['model']) ?? earlier.model;
  const responseId = reportedName(json['id']) ?? earlier.responseId;
  const isKnown =
    tier === earlier.tier && model === earlier.model && responseId === earlier.responseId;
  if (usage === null) return isKnown ? earlier : { ...earlier, tier, model, responseId };
  return {
    ...earlier,
    tier,
    model,
    responseId,
    uses: { ...earlier.uses, ...toolUsesIn(usage, toolUses) },
    reportedCost: reportedUsd(usage, reportedCost) ?? earlier.reportedCost,
  };
}
