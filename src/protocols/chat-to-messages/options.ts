/**
 * Translates the options of a chat request, such as thinking, sampling and the output format, to
 * members of a Messages request.
 */
import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';
import { REASONING_EFFORTS } from '../chat/schema.ts';
import { unsupportedParameter, unsupportedValue } from '../validation.ts';
import { acceptedSchema } from './accepted-schema.ts';
import type { Block } from './cache-markers.ts';
import { THINKING_OFF } from './thinking-budget.ts';
import { isTooCostly } from './tools.ts';

/**
 * The instruction that is added to the prompt if the caller asks for JSON without a schema, because
 * Messages has no such option.
 */
export const JSON_ONLY =
  'Answer with one valid JSON object and nothing else: no text before or after it, no code fence.';

/** The instruction for a schema that upstreams cannot enforce. The schema follows as JSON. */
const SCHEMA_ONLY =
  'Answer with one valid JSON value and nothing else: no text before or after it, no code fence. ' +
  'It must conform to this JSON Schema:\n';

/** The maximum temperature in Messages. Chat allows temperatures up to 2. */
const MAX_TEMPERATURE = 1;

export type Options = {
  /** Members of the request, in the order in which they are written. */
  readonly members: JsonObject;
  /** Instructions that are added after the caller's own system text. */
  readonly system: readonly Block[];
};

/**
 * Translates the options.
 * @throws GatewayError `unsupported_value` or `unsupported_parameter`, which names the option.
 */
export function readOptions(
  { json }: Pick<Placeholders, 'json'>,
  isToolForced: boolean,
  { schema, instruction }: AnswerFormat,
): Options {
  refuseUnsupported(json);
  const asked = askedEffort(json);
  const effort = effortOf(asked);
  // Upstreams refuse thinking together with a forced tool call, so a forced call turns thinking
  // off.
  const thinks = effort !== null && !isToolForced;
  const isOff = asked === 'none' || isToolForced;
  const outputConfig = {
    ...(effort === null ? {} : { effort }),
    ...(schema === null ? {} : { format: { type: 'json_schema', schema } }),
  };
  const stop = stopSequences(json['stop']);
  const userId = asString(json['safety_identifier']) ?? asString(json['user']);
  const tier = asString(json['service_tier']);
  return {
    members: {
      ...(thinks ? { thinking: { type: 'adaptive', display: 'summarized' } } : {}),
      ...(isOff ? { thinking: THINKING_OFF } : {}),
      ...(Object.keys(outputConfig).length === 0 ? {} : { output_config: outputConfig }),
      ...(thinks ? {} : sampling(json)),
      ...(stop.length === 0 ? {} : { stop_sequences: stop }),
      ...(userId === null ? {} : { metadata: { user_id: userId } }),
      ...(tier === null ? {} : { service_tier: tier === 'default' ? 'standard_only' : 'auto' }),
    },
    system: instruction === null ? [] : [{ type: 'text', text: instruction }],
  };
}

function refuseUnsupported(json: JsonObject): void {
  const { n, logprobs, top_logprobs: top, web_search_options: search } = json;
  if (typeof n === 'number' && n > 1) {
    throw unsupportedValue(
      'n',
      'this model returns one choice per request; omit n and repeat the request',
    );
  }
  if (logprobs === true || (typeof top === 'number' && top > 0)) {
    const param = logprobs === true ? 'logprobs' : 'top_logprobs';
    throw unsupportedParameter(param, 'this model does not return log probabilities; omit it');
  }
  if ((search ?? null) !== null) {
    throw unsupportedParameter(
      'web_search_options',
      'this model has no built-in web search here; omit this field, or define your own search tool',
    );
  }
}

/**
 * Returns the effort that the caller asked for; null if the caller asked for none. Clients of
 * OpenRouter ask in `reasoning`, and those of DeepSeek and LiteLLM in `thinking`.
 */
export function askedEffort(json: JsonObject): string | null {
  const { reasoning_effort: effort, reasoning, thinking } = json;
  return asString(effort) ?? switchedEffort(reasoning) ?? switchedEffort(thinking);
}

/** The highest thinking budgets, in tokens, that become low and medium effort. */
const LOW_BUDGET = 2_048;
const MEDIUM_BUDGET = 8_192;

function switchedEffort(value: unknown): string | null {
  const {
    effort,
    enabled,
    type,
    max_tokens: max,
    budget_tokens: budget,
  } = asJsonObject(value) ?? {};
  if (enabled === false || type === 'disabled') return 'none';
  const known = REASONING_EFFORTS.find((each) => each === effort);
  if (known !== undefined) return known;
  const tokens = max ?? budget;
  if (typeof tokens === 'number' && tokens <= LOW_BUDGET) return 'low';
  if (typeof tokens === 'number') return tokens <= MEDIUM_BUDGET ? 'medium' : 'high';
  return enabled === true || type === 'enabled' || type === 'adaptive' ? 'medium' : null;
}

function effortOf(effort: string | null): string | null {
  if (effort === 'none') return null;
  return effort === 'minimal' ? 'low' : effort;
}

/**
 * Returns the sampling parameter that differs from chat's default. Upstreams refuse `temperature`
 * together with `top_p`, so `top_p` is sent only without a temperature.
 */
function sampling({ temperature, top_p: topP }: JsonObject): JsonObject {
  if (typeof temperature === 'number' && temperature !== 1)
    return { temperature: Math.min(temperature, MAX_TEMPERATURE) };
  return typeof topP === 'number' && topP !== 1 ? { top_p: topP } : {};
}

function stopSequences(stop: unknown): readonly string[] {
  const isList = Array.isArray(stop);
  const given: readonly unknown[] = isList ? stop : [stop ?? ''];
  return given.flatMap((each, index) => {
    const text = asString(each) ?? '';
    // An empty stop sequence has no effect, so it is omitted.
    if (text === '') return [];
    if (text.trim() !== '') return [text];
    throw unsupportedValue(
      isList ? `stop[${index}]` : 'stop',
      'this model does not stop at whitespace alone; omit it, or use visible characters',
    );
  });
}

export type AnswerFormat = {
  readonly schema: JsonObject | null;
  readonly instruction: string | null;
};

/**
 * Returns the schema that the upstream enforces, or the instruction that asks for JSON without it.
 * A schema that cannot be enforced is refused only if the caller asked for strict answers.
 */
export function answerFormat({
  json,
  stringify,
}: Pick<Placeholders, 'json' | 'stringify'>): AnswerFormat {
  const format = json['response_format'];
  const { type, json_schema: described } = asJsonObject(format) ?? {};
  const isJson = type === 'json_object' || type === 'json_schema';
  if (!isJson) return { schema: null, instruction: null };
  const { schema: given, strict } = asJsonObject(described) ?? {};
  const schema = type === 'json_schema' ? asJsonObject(given) : null;
  if (schema === null) return { schema, instruction: JSON_ONLY };
  const accepted = acceptedSchema(schema, stringify);
  const isRefused = 'problem' in accepted;
  if (isRefused && strict === true) {
    throw unsupportedValue(
      'response_format',
      `this model cannot enforce the schema: ${accepted.problem}; change it, or set strict to false`,
    );
  }
  // The upstream decides about a costly schema that is strict, because its limits may rise.
  return isRefused || (strict !== true && isTooCostly([accepted.schema]))
    ? { schema: null, instruction: SCHEMA_ONLY + stringify(schema) }
    : { ...accepted, instruction: null };
}
