/**
 * Converts token counts of the Messages protocol into buckets. Its input counters are already
 * disjoint. Cache writes are split by lifetime, and counts outside of the totals are added.
 */
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_USAGE, USAGE_BUCKETS, type Usage } from '../../money/usage.ts';
import { tokenCount } from '../usage-object.ts';

/**
 * Types of sampling iterations that the totals include. Tokens of other iterations (a compaction,
 * an advisor) are reported only in `iterations` and have to be added.
 */
const COUNTED_IN_TOTALS: ReadonlySet<unknown> = new Set(['message', 'fallback_message']);

const COUNTERS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

/**
 * Converts a `usage` object into disjoint buckets. Null and absent counters are 0; an explicit 0 is
 * a count.
 * @returns null when nothing was counted, or when any count is negative, fractional, not a number
 *   or absurdly large. Such a report is ignored as a whole, and usage is estimated.
 */
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

/**
 * Returns the usage of `message_start` updated with that of a `message_delta`. Counts are
 * cumulative: a later value that is not null replaces the earlier one.
 */
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
  // Only the total is updated during a stream, so it is taken as correct. The other counts split
  // it.
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
