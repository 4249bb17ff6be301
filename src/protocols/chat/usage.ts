/**
 * Reads the tokens that a chat answer used, as disjoint usage buckets, and the other facts that the
 * answer reports.
 */
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { NOTHING_SERVED, type Served } from '../../money/served.ts';
import { NO_USAGE, promptTokens, tokensOf, type Usage } from '../../money/usage.ts';
import { NO_QUIRKS, type Quirks, type UsagePath } from '../quirks.ts';
import {
  disjointParts,
  excessOf,
  reportedName,
  reportedPico,
  tokenCount,
  toolUsesIn,
  valueAt,
} from '../usage-object.ts';

/**
 * The quirks of a server that decide how its counts are read: where it reports cached tokens, and
 * whether it counts reasoning apart from `completion_tokens`.
 */
export type CountingQuirks = Pick<Quirks, 'cachedTokens' | 'reasoningOutside'>;

const NO_DETAILS: JsonObject = {};

/**
 * Converts `usage` to disjoint buckets. The input buckets sum to `prompt_tokens`. The output
 * buckets sum to `completion_tokens`, plus any reasoning that the server does not include in them.
 * Returns null if `usage` contains no counts or an implausible one; the usage is then estimated.
 */
export function usageFromChat(usage: unknown, quirks: CountingQuirks = NO_QUIRKS): Usage | null {
  const json = asJsonObject(usage);
  if (json === null) return null;
  if ((json['prompt_tokens'] ?? json['completion_tokens'] ?? null) === null) return null;
  const prompt = tokenCount(json['prompt_tokens']);
  const completion = tokenCount(json['completion_tokens']);
  const cached = tokenCount(firstAt(json, quirks.cachedTokens));
  const read = asJsonObject(json['prompt_tokens_details']) ?? NO_DETAILS;
  // The protocol calls this count `cache_write_tokens`, and LiteLLM calls it
  // `cache_creation_tokens`.
  const written = tokenCount(read['cache_write_tokens'] ?? read['cache_creation_tokens']);
  const heard = tokenCount(read['audio_tokens']);
  const seen = tokenCount(read['image_tokens']);
  const wrote = asJsonObject(json['completion_tokens_details']) ?? NO_DETAILS;
  const reasoned = tokenCount(wrote['reasoning_tokens']);
  const spoken = tokenCount(wrote['audio_tokens']);
  const drawn = tokenCount(wrote['image_tokens']);
  const excess = excessOf(json, 'prompt_tokens', 'completion_tokens');
  // An implausible count is NaN, and so is the sum that includes it.
  const sum = prompt + cached + written + heard + seen + completion + reasoned + spoken + drawn;
  if (Number.isNaN(sum + excess)) return null;
  if (sum === prompt + completion && excess === 0)
    return { ...NO_USAGE, input: prompt, output: completion };
  // Some servers include reasoning only in `total_tokens`. xAI is one of them, and it may omit the
  // total.
  const outside = quirks.reasoningOutside ? Math.max(reasoned, excess) : excess;
  // The totals of prompt and completion are correct, but their parts may overlap. For example, a
  // token of a cached image is counted only as cached.
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

const COUNTS = ['prompt_tokens', 'completion_tokens', 'total_tokens'] as const;

function hasCounts(usage: JsonObject): boolean {
  for (const name of COUNTS) if ((usage[name] ?? null) === null) return false;
  return true;
}

/** The result of `correctedCounts` if no count must be corrected. */
export const NO_COUNTS: JsonObject = {};

/**
 * Returns the counts that must be added or corrected in `usage` for clients. Reasoning that the
 * server counts separately is added to `completion_tokens`.
 * @param counted the usage that was read; null if `usage` was implausible or missing.
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

/** Converts usage that the gateway estimated to the counts of a chat `usage` object. */
export function estimatedCounts(usage: Usage): JsonObject {
  const prompt = promptTokens(usage);
  const completion = tokensOf(usage, 'output');
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
  };
}

/** Returns the value at the first of the paths that has one; null if no path has a value. */
function firstAt(json: JsonObject, paths: readonly UsagePath[]): unknown {
  for (const path of paths) {
    const value = valueAt(json, path);
    if (value !== null) return value;
  }
  return null;
}

/**
 * The paths at which servers may report a tier inside `usage`. In the protocol, the tier is a
 * member of the answer itself.
 */
const TIERS_IN_USAGE: readonly UsagePath[] = [
  'service_tier',
  'extra_properties.google.traffic_type',
];

/**
 * Returns the facts that an answer reports, such as its tier. Token counts are not included.
 * @param earlier the facts of earlier chunks of the stream. Facts in `json` replace them.
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
