/** Converts counts of the Messages protocol, whose inputs are already disjoint, into buckets. */
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_USAGE, USAGE_BUCKETS, type Usage } from '../../money/usage.ts';
import { tokenCount } from '../usage-object.ts';

/** Sampling iterations that the totals include. Others, such as a compaction, have to be added. */
const COUNTED_IN_TOTALS: ReadonlySet<unknown> = new Set(['message', 'fallback_message']);

const COUNTERS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

/** Converts `usage` into buckets; null when nothing was counted, or any count is implausible. */
export function usageFromMessages(usage: unknown): Usage | null {
  const json = asJsonObject(usage);
  if (json === null || COUNTERS.every((name) => (json[name] ?? null) === null)) return null;
  let total = readCounts(json);
  const { iterations } = json;
  for (const each of asArray(iterations)) {
    const iteration = asJsonObject(each);
    if (iteration === null || COUNTED_IN_TOTALS.has(iteration['type'])) continue;
    const counts = readCounts(iteration);
    total = total === null || counts === null ? null : add(total, counts);
  }
  return total;
}

/** Updates earlier usage. Counts are cumulative: later values replace them, unless null. */
export function mergeUsage(earlier: JsonObject, later: unknown): JsonObject {
  const merged: Record<string, unknown> = { ...earlier };
  for (const [name, value] of Object.entries(asJsonObject(later) ?? {})) {
    if (value !== null) merged[name] = value;
  }
  return merged;
}

function readCounts(json: JsonObject): Usage | null {
  const split = asJsonObject(json['cache_creation']) ?? {};
  const in5m = tokenCount(split['ephemeral_5m_input_tokens']);
  const in1h = tokenCount(split['ephemeral_1h_input_tokens']);
  // Only the total is updated during a stream, so it is correct, and the other counts split it.
  const written = tokenCount(json['cache_creation_input_tokens'] ?? in5m + in1h);
  const cacheWrite1h = Math.min(in1h, written);
  const usage: Usage = {
    ...NO_USAGE,
    input: tokenCount(json['input_tokens']),
    cacheRead: tokenCount(json['cache_read_input_tokens']),
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    output: tokenCount(json['output_tokens']),
  };
  const believable =
    !Number.isNaN(in5m) && USAGE_BUCKETS.every((name) => !Number.isNaN(usage[name]));
  return believable ? usage : null;
}

function add(one: Usage, other: Usage): Usage {
  const sum: { -readonly [Bucket in keyof Usage]: number } = { ...NO_USAGE };
  for (const name of USAGE_BUCKETS) sum[name] = one[name] + other[name];
  return sum;
}
