/** Reads the tokens that a Responses answer used, in disjoint buckets, and how it was served. */
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import {
  FEE_UNITS,
  type FeeUnit,
  NOTHING_SERVED,
  type Served,
  type ServedRound,
} from '../../money/served.ts';
import { NO_USAGE, promptTokens, tokensOf, USAGE_BUCKETS, type Usage } from '../../money/usage.ts';
import type { Quirks } from '../quirks.ts';
import {
  disjointParts,
  excessOf,
  reportedName,
  reportedPico,
  tokenCount,
  toolUsesIn,
} from '../usage-object.ts';

type ReportQuirks = Pick<Quirks, 'toolUses' | 'reportedCost'>;

export type ResponsesReport = {
  /**
   * The tokens of the answer and of the runs of other models that it reports; null if it reports no
   * tokens, or an implausible number.
   */
  readonly usage: Usage | null;
  readonly served: Served;
};

/**
 * Returns the usage that a response object reports, and the facts that affect its price, such as
 * the service tier.
 * @param earlier the values that earlier events of the same stream reported.
 */
export function responsesReport(
  response: JsonObject,
  quirks: ReportQuirks,
  earlier: Served = NOTHING_SERVED,
): ResponsesReport {
  const json = asJsonObject(response['usage']) ?? {};
  const own = usageFromResponses(json);
  const rounds = roundsBeside(json, response['tool_usage']);
  const tier = reportedName(response['service_tier']);
  return {
    usage: own === null || rounds === null ? null : withRounds(own, rounds),
    served: {
      ...NOTHING_SERVED,
      // `auto` only repeats the tier that the request asked for. The last event reports the tier
      // that served the request.
      tier: tier === 'auto' ? earlier.tier : (tier ?? earlier.tier),
      model: reportedName(response['model']) ?? earlier.model,
      uses: toolUses(response, json, quirks, earlier.uses),
      rounds: rounds ?? [],
      reportedCostPico: reportedPico(json, quirks.reportedCost),
      responseId: reportedName(response['id']) ?? earlier.responseId,
    },
  };
}

/**
 * Converts `usage` into disjoint buckets. Input buckets sum to `input_tokens`. Output buckets sum
 * to `output_tokens`, plus the reasoning that only `total_tokens` includes. Null when nothing was
 * counted, or a count is implausible: usage is then estimated.
 */
export function usageFromResponses(json: JsonObject): Usage | null {
  if ((json['input_tokens'] ?? json['output_tokens'] ?? null) === null) return null;
  const prompt = tokenCount(json['input_tokens']);
  const answer = tokenCount(json['output_tokens']);
  const read = asJsonObject(json['input_tokens_details']) ?? {};
  const lifetimes = asJsonObject(read['cache_write_tokens_details']) ?? {};
  const short = tokenCount(lifetimes['ttl_30m_tokens']);
  const long = tokenCount(lifetimes['ttl_12h_tokens']);
  const cached = tokenCount(read['cached_tokens']);
  const written = tokenCount(read['cache_write_tokens'] ?? short + long);
  const heard = tokenCount(read['audio_tokens']);
  const seen = tokenCount(read['image_tokens']);
  const wrote = asJsonObject(json['output_tokens_details']) ?? {};
  const reasoned = tokenCount(wrote['reasoning_tokens']);
  const spoken = tokenCount(wrote['audio_tokens']);
  const drawn = tokenCount(wrote['image_tokens']);
  const excess = excessOf(json, ...COUNTS);
  // One implausible count makes the sum NaN.
  const sum = prompt + answer + short + long + cached + written + heard + seen + reasoned;
  if (Number.isNaN(sum + spoken + drawn + excess)) return null;
  const atOnce = Math.max(0, written - long);
  const input = disjointParts(prompt, cached, Math.min(long, written), atOnce, heard, seen);
  const output = disjointParts(answer, Math.max(0, reasoned - excess), spoken, drawn);
  const [cacheRead = 0, cacheWrite1h = 0, cacheWrite5m = 0, audioInput = 0] = input;
  const [, , , , imageInput = 0, textInput = 0] = input;
  const [reasoning = 0, audioOutput = 0, imageOutput = 0, textOutput = 0] = output;
  return {
    input: textInput,
    cacheRead,
    // The provider keeps a cache entry either for 30 minutes, at the price of `cacheWrite5m`, or
    // for 12 hours, at the price of `cacheWrite1h`.
    cacheWrite5m,
    cacheWrite1h,
    audioInput,
    imageInput,
    output: textOutput,
    reasoning: excess + reasoning,
    audioOutput,
    imageOutput,
  };
}

/**
 * The name on receipts for the model that draws images for an answer. No price card has a model of
 * this name.
 */
const IMAGE_MODEL = 'image_generation';
/**
 * The name on receipts for agents that an answer started. The gateway does not know their share of
 * the usage.
 */
const AGENTS = 'orchestration';

/**
 * Returns the runs of other models, although the gateway never asks for such runs. The receipt
 * reports them as unpriced, so that the operator notices them. Returns null for an implausible
 * count.
 */
function roundsBeside(usage: JsonObject, toolUsage: unknown): readonly ServedRound[] | null {
  const rounds: ServedRound[] = [];
  const images = asJsonObject(asJsonObject(toolUsage)?.['image_gen']);
  if (images !== null) {
    const drawn = usageFromResponses(images);
    if (drawn === null) return (images['total_tokens'] ?? 0) === 0 ? rounds : null;
    if (tokensOf(drawn, 'input') + tokensOf(drawn, 'output') > 0)
      rounds.push({ model: IMAGE_MODEL, usage: drawn });
  }
  for (const name of ['input_tokens_details', 'output_tokens_details']) {
    const details = asJsonObject(usage[name]) ?? {};
    const isUsed = Object.keys(details).some(
      (key) => key.startsWith('orchestration_') && details[key] !== 0 && details[key] !== null,
    );
    if (isUsed) return [...rounds, { model: AGENTS, usage: NO_USAGE }];
  }
  return rounds;
}

function withRounds(own: Usage, rounds: readonly ServedRound[]): Usage {
  if (rounds.length === 0) return own;
  const sum: { -readonly [Bucket in keyof Usage]: number } = { ...own };
  for (const { usage } of rounds) for (const name of USAGE_BUCKETS) sum[name] += usage[name];
  return sum;
}

/** The fee unit of each item type that belongs to a tool which the provider runs for a fee. */
const FEE_ITEMS: ReadonlyMap<unknown, FeeUnit> = new Map<unknown, FeeUnit>([
  ['web_search_call', 'web_search'],
  ['file_search_call', 'file_search'],
  ['code_interpreter_call', 'code_execution'],
  ['x_search_call', 'x_search'],
]);

type Uses = { -readonly [Unit in FeeUnit]?: number };

/** Adds the use of a tool to `uses` if the item is one that the provider charges for. */
function addUse(uses: Uses, item: unknown): void {
  const { type, action } = asJsonObject(item) ?? {};
  const unit = FEE_ITEMS.get(type);
  // The search tool may open web pages, and each of these is an item too. Only searches have a fee.
  const isOther =
    unit === 'web_search' && (asJsonObject(action)?.['type'] ?? 'search') !== 'search';
  if (unit !== undefined && !isOther) uses[unit] = (uses[unit] ?? 0) + 1;
}

/**
 * Adds the tool use of a finished item to what the stream has reported so far, because the last
 * event of some servers repeats no items.
 */
export function withItem(served: Served, item: JsonObject): Served {
  if (!FEE_ITEMS.has(item['type'])) return served;
  const uses: Uses = { ...served.uses };
  addUse(uses, item);
  return { ...served, uses };
}

/**
 * Counts the uses of tools. For a tool that the provider counts itself, its count is used;
 * otherwise the items are counted.
 */
function toolUses(
  response: JsonObject,
  usage: JsonObject,
  quirks: ReportQuirks,
  earlier: Served['uses'],
): Served['uses'] {
  const uses: Uses = {};
  for (const item of asArray(response['output'])) addUse(uses, item);
  for (const unit of FEE_UNITS) {
    const before = earlier[unit] ?? 0;
    if (before > (uses[unit] ?? 0)) uses[unit] = before;
  }
  const counted = asJsonObject(asJsonObject(response['tool_usage'])?.['web_search']);
  const searches = counted?.['num_requests'];
  if (typeof searches === 'number') {
    delete uses.web_search;
    Object.assign(uses, toolUsesIn({ searches }, { web_search: ['searches'] }));
  }
  return { ...uses, ...toolUsesIn(usage, quirks.toolUses) };
}

/**
 * Returns a `usage` object. It contains every count, because Codex fails if a count is missing. The
 * input includes cached tokens, and the output includes reasoning.
 */
export function responsesUsage(usage: Usage, reasoningTokens = usage.reasoning): JsonObject {
  const input = promptTokens(usage);
  const output = tokensOf(usage, 'output');
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: tokensOf(usage, 'cache_read'),
      cache_write_tokens: tokensOf(usage, 'cache_write'),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: Math.min(reasoningTokens, output) },
    total_tokens: input + output,
  };
}

/** For each count, the details that strict clients require with it. */
const DETAILS = {
  input_tokens: ['cached_tokens', 'cache_write_tokens'],
  output_tokens: ['reasoning_tokens'],
} as const;
const COUNTS = ['input_tokens', 'output_tokens'] as const;

/**
 * Returns the members of `usage` to add or correct for clients, some of which fail if a count is
 * missing. Reasoning that the server counts separately becomes part of the output.
 */
export function correctedCounts(usage: JsonObject): JsonObject {
  const corrected: Record<string, unknown> = {};
  const excess = excessOf(usage, ...COUNTS);
  for (const name of COUNTS) {
    const given = usage[name] ?? 0;
    const isWhole = name === 'output_tokens' && excess > 0;
    if (isWhole) corrected[name] = Number(given) + excess;
    else if ((usage[name] ?? null) === null) corrected[name] = given;
    const details = asJsonObject(usage[`${name}_details`]) ?? {};
    const lacking = DETAILS[name].filter((part) => typeof details[part] !== 'number');
    if (lacking.length === 0) continue;
    const zeros = Object.fromEntries(lacking.map((part) => [part, 0]));
    corrected[`${name}_details`] = { ...details, ...zeros };
  }
  if ((usage['total_tokens'] ?? null) === null) {
    const [input, output] = COUNTS.map((name) => Number(usage[name] ?? 0));
    corrected['total_tokens'] = (input ?? 0) + (output ?? 0);
  }
  return corrected;
}
