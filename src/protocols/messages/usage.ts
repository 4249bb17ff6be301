/** Reads the tokens of a Messages answer, in disjoint usage buckets, and how it was served. */
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import { NOTHING_SERVED, type Served, type ServedRound } from '../../money/served.ts';
import { NO_USAGE, tokensOf, USAGE_BUCKETS, type Usage } from '../../money/usage.ts';
import { NO_QUIRKS, type Quirks, type ToolUses } from '../quirks.ts';
import { reportedName, reportedPico, tokenCount, toolUsesIn } from '../usage-object.ts';

/** The quirks that concern reports of usage. */
export type ReportQuirks = Pick<Quirks, 'reportedCost'>;

export type MessagesReport = {
  /**
   * The tokens of the answer and of extra model runs; null if no tokens were counted, or a count is
   * implausible.
   */
  readonly usage: Usage | null;
  readonly served: Served;
};

export const NO_REPORT: MessagesReport = { usage: null, served: NOTHING_SERVED };

const COUNTERS = [
  'input_tokens',
  'output_tokens',
  'cache_creation_input_tokens',
  'cache_read_input_tokens',
] as const;

const TOOL_USES: ToolUses = {
  web_search: ['server_tool_use.web_search_requests'],
  web_fetch: ['server_tool_use.web_fetch_requests'],
  code_execution: ['server_tool_use.code_execution_requests'],
};

/**
 * Returns the usage that an answer reports, and how the answer was served.
 * @param message the whole message, or that of `message_start`. Only its id and model are read.
 */
export function messagesReport(
  message: JsonObject,
  usage: unknown,
  { reportedCost }: ReportQuirks = NO_QUIRKS,
): MessagesReport {
  const json = asJsonObject(usage) ?? {};
  const iterations = asArray(json['iterations']).map((each) => asJsonObject(each) ?? {});
  const fallback = iterations.findLast(({ type }) => type === 'fallback_message');
  const isCounted = COUNTERS.some((name) => (json[name] ?? null) !== null);
  const own = isCounted ? readCounts(json) : null;
  const rounds = own === null ? null : roundsBeside(iterations, fallback);
  return {
    usage: own === null || rounds === null ? null : withRounds(own, rounds),
    served: {
      tier: reportedName(json['service_tier']),
      speed: reportedName(json['speed']),
      geo: reportedName(json['inference_geo']),
      size: null,
      quality: null,
      // After a fallback, `message_start` names the model that declined; the fallback's entry names
      // the one that answered.
      model: reportedName(fallback?.['model']) ?? reportedName(message['model']),
      uses: toolUsesIn(json, TOOL_USES),
      rounds: rounds ?? [],
      reportedCostPico: reportedPico(json, reportedCost),
      responseId: reportedName(message['id']),
    },
  };
}

/**
 * Maximum number of extra model runs of a request. It limits the size of the receipt, which lists
 * them all. If an answer reports more, its usage counts as implausible.
 */
const MAX_ROUNDS = 64;

/**
 * Returns the billed model runs that the answer's own counts exclude; null for an implausible
 * count. After a fallback, the answer's counts cover only the model that answered. A model that
 * declined is billed too, unless it declined before any output.
 */
function roundsBeside(
  iterations: readonly JsonObject[],
  fallback: JsonObject | undefined,
): readonly ServedRound[] | null {
  const rounds: ServedRound[] = [];
  let attempt: ServedRound[] = [];
  const endAttempt = (): void => {
    if (attempt.some(({ usage }) => tokensOf(usage, 'output') > 0)) rounds.push(...attempt);
    attempt = [];
  };
  for (const iteration of iterations) {
    const { type } = iteration;
    const model = reportedName(iteration['model']);
    const isDeclined =
      type === 'message' && fallback !== undefined && (model ?? '') !== fallback['model'];
    if (!isDeclined || attempt.some((earlier) => earlier.model !== model)) endAttempt();
    if (type === 'fallback_message' || (type === 'message' && !isDeclined)) continue;
    const usage = readCounts(iteration);
    if (usage === null) return null;
    (isDeclined ? attempt : rounds).push({ model, usage });
  }
  endAttempt();
  return rounds.length > MAX_ROUNDS ? null : rounds;
}

/**
 * Returns the usage to bill. A refusal before any output is free, even if input was reported.
 * @param outputCounted false if a stream counted only the start of its output so far.
 */
export function billedUsage(
  { usage, served }: MessagesReport,
  stopReason: string | null,
  outputBytes: number,
  outputCounted = true,
): Usage | null {
  if (usage === null || stopReason !== 'refusal' || outputBytes > 0) return usage;
  const rounds = withRounds(NO_USAGE, served.rounds);
  const isUnused = tokensOf(usage, 'output') === tokensOf(rounds, 'output');
  return isUnused || !outputCounted ? rounds : usage;
}

function withRounds(own: Usage, rounds: readonly ServedRound[]): Usage {
  const sum: { -readonly [Bucket in keyof Usage]: number } = { ...own };
  for (const { usage } of rounds) for (const name of USAGE_BUCKETS) sum[name] += usage[name];
  return sum;
}

/**
 * Updates earlier usage. Counts are cumulative, so a later value replaces an earlier one, unless
 * the later value is null.
 */
export function mergeUsage(earlier: JsonObject, later: unknown): JsonObject {
  const merged: Record<string, unknown> = { ...earlier };
  for (const [name, value] of Object.entries(asJsonObject(later) ?? {})) {
    if (value !== null) merged[name] = value;
  }
  return merged;
}

/**
 * Whether the usage of a `message_delta` counts the output. The count of `message_start` covers
 * only the start of the output, usually one token.
 */
export const hasOutputCount = (usage: unknown): boolean =>
  (asJsonObject(usage)?.['output_tokens'] ?? null) !== null;

/**
 * Converts usage that the gateway estimated to the counts of a Messages `usage` object. Clients
 * keep each count of `message_start` that `message_delta` lacks, so all counts are written.
 */
export const estimatedCounts = (usage: Usage): JsonObject => ({
  input_tokens: tokensOf(usage, 'input'),
  cache_creation_input_tokens: tokensOf(usage, 'cache_write'),
  cache_read_input_tokens: tokensOf(usage, 'cache_read'),
  output_tokens: tokensOf(usage, 'output'),
});

function readCounts(json: JsonObject): Usage | null {
  const split = asJsonObject(json['cache_creation']) ?? {};
  const in5m = tokenCount(split['ephemeral_5m_input_tokens']);
  const in1h = tokenCount(split['ephemeral_1h_input_tokens']);
  // During a stream, only `cache_creation_input_tokens` is updated. Therefore it counts as the
  // total of cache writes, and the two counts in `cache_creation` only divide this total by cache
  // lifetime.
  const written = tokenCount(json['cache_creation_input_tokens'] ?? in5m + in1h);
  const cacheWrite1h = Math.min(in1h, written);
  const total = tokenCount(json['output_tokens']);
  const details = asJsonObject(json['output_tokens_details']);
  const reasoning = Math.min(tokenCount(details?.['thinking_tokens']), total);
  const usage: Usage = {
    ...NO_USAGE,
    input: tokenCount(json['input_tokens']),
    cacheRead: tokenCount(json['cache_read_input_tokens']),
    cacheWrite5m: written - cacheWrite1h,
    cacheWrite1h,
    reasoning,
    output: total - reasoning,
  };
  const believable =
    !Number.isNaN(in5m) && USAGE_BUCKETS.every((name) => !Number.isNaN(usage[name]));
  return believable ? usage : null;
}
