/** Reads the tokens that a chat answer used, in disjoint usage buckets, and how it was served. */
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { NOTHING_SERVED, type Served } from '../../money/served.ts';
import { NO_USAGE, promptTokens, tokensOf, type Usage } from '../../money/usage.ts';
import { NO_QUIRKS, type Quirks, type UsagePath } from '../quirks.ts';
import {
  disjointParts,
  reportedName,
  reportedPico,
  tokenCount,
  toolUsesIn,
  valueAt,
} from '../usage-object.ts';

/** The quirks that say how the counts of a server differ from the protocol's. */
export type CountingQuirks = Pick<Quirks, 'cachedTokens' | 'reasoningOutside'>;

const NO_DETAILS: JsonObject = {};

/**
 * Converts `usage` into disjoint buckets. Input buckets sum to `prompt_tokens`. Output buckets sum
 * to `completion_tokens`, plus reasoning that the server excludes from it. Null when nothing was
 * counted, or a count is implausible: usage is then estimated.
 */
export function usageFromChat(usage: unknown, quirks: CountingQuirks = NO_QUIRKS): Usage | null {
  const json = asJsonObject(usage);
  if (json === null) return null;
  if ((json['prompt_tokens'] ?? json['completion_tokens'] ?? null) === null) return null;
  const prompt = tokenCount(json['prompt_tokens']);
  const completion = tokenCount(json['completion_tokens']);
  const cached = tokenCount(firstAt(json, quirks.cachedTokens));
  const read = asJsonObject(json['prompt_tokens_details']) ?? NO_DETAILS;
  // `cache_write_tokens` is the protocol's own name, and `cache_creation_tokens` is LiteLLM's.
  const written = tokenCount(read['cache_write_tokens'] ?? read['cache_creation_tokens']);
  const heard = tokenCount(read['audio_tokens']);
  const seen = tokenCount(read['image_tokens']);
  const wrote = asJsonObject(json['completion_tokens_details']) ?? NO_DETAILS;
  const reasoned = tokenCount(wrote['reasoning_tokens']);
  const spoken = tokenCount(wrote['audio_tokens']);
  const drawn = tokenCount(wrote['image_tokens']);
  const excess = excessOf(json);
  // One implausible count makes the sum NaN.
  const sum = prompt + cached + written + heard + seen + completion + reasoned + spoken + drawn;
  if (Number.isNaN(sum + excess)) return null;
  if (sum === prompt + completion && excess === 0)
    return { ...NO_USAGE, input: prompt, output: completion };
  // Some servers count reasoning only in `total_tokens`. xAI, one of them, may omit the total.
  const outside = quirks.reasoningOutside ? Math.max(reasoned, excess) : excess;
  // The prompt and completion totals are correct even if their parts overlap. A token that is both
  // cached and media counts only as cached.
  const input = disjointParts(prompt, cached, written, heard, seen);
  const output = disjointParts(completion, Math.max(0, reasoned - outside), spoken, drawn);
  const [cacheRead = 0, cacheWrite5m = 0, audioInput = 0, imageInput = 0, textInput = 0] = input;
  const [reasoning = 0, audioOutput = 0, imageOutput = 0, textOutput = 0] = output;
  return {
    ...NO_USAGE,
    input: textInput,
    cacheRead,
    cacheWrite5m,
    audioInput,
    imageInput,
    output: textOutput,
    reasoning: outside + reasoning,
    audioOutput,
    imageOutput,
  };
}

/**
 * Returns the number of output tokens that only the total includes; NaN if a count is implausible.
 */
function excessOf({ prompt_tokens, completion_tokens, total_tokens }: JsonObject): number {
  if ((prompt_tokens ?? null) === null || (completion_tokens ?? null) === null) return 0;
  return Math.max(
    0,
    tokenCount(total_tokens) - tokenCount(prompt_tokens) - tokenCount(completion_tokens),
  );
}

const COUNTS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

function hasCounts(usage: JsonObject): boolean {
  for (const name of COUNTS) if ((usage[name] ?? null) === null) return false;
  return true;
}

/** The result of `correctedCounts` when no count needs a correction. */
export const NO_COUNTS: JsonObject = {};

/**
 * Returns counts to add or correct in `usage` for clients. Reasoning that the server counts
 * separately becomes part of the completion. `counted` is null if `usage` was ignored.
 */
export function correctedCounts(usage: JsonObject, counted: Usage | null): JsonObject {
  const prompt = usage['prompt_tokens'] ?? 0;
  const given = usage['completion_tokens'] ?? 0;
  const completion = counted === null ? given : tokensOf(counted, 'output');
  if (completion === given && hasCounts(usage)) return NO_COUNTS;
  const counts = {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: Number(prompt) + Number(completion),
  };
  return completion === given
    ? Object.fromEntries(Object.entries(counts).filter(([name]) => (usage[name] ?? null) === null))
    : counts;
}

/** Returns the counts of a chat `usage` object for usage that the gateway estimated. */
export function estimatedCounts(usage: Usage): JsonObject {
  const prompt = promptTokens(usage);
  const completion = tokensOf(usage, 'output');
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

/** Returns the value at the first path that has one. */
function firstAt(json: JsonObject, paths: readonly UsagePath[]): unknown {
  for (const path of paths) {
    const value = valueAt(json, path);
    if (value !== null) return value;
  }
  return null;
}

/**
 * The paths at which servers may report a tier inside `usage`. In the protocol, the tier is beside
 * `usage`.
 */
const TIERS_IN_USAGE: readonly UsagePath[] = [
  'service_tier',
  'extra_properties.google.traffic_type',
];

/**
 * Returns the facts other than tokens that an answer reports, such as its tier.
 * @param earlier the facts of earlier chunks of a stream; `json` adds to them or replaces them.
 */
export function servedFromChat(
  json: JsonObject,
  { toolUses, reportedCost }: Pick<Quirks, 'toolUses' | 'reportedCost'>,
  earlier: Served = NOTHING_SERVED,
): Served {
  const usage = asJsonObject(json['usage']);
  const tier =
    reportedName(json['service_tier']) ??
    reportedName(usage === null ? null : firstAt(usage, TIERS_IN_USAGE)) ??
    earlier.tier;
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
    uses: toolUsesIn(usage, toolUses, earlier.uses),
    reportedCostPico: reportedPico(usage, reportedCost) ?? earlier.reportedCostPico,
  };
}
