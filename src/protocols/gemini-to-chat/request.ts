/**
 * Translates a Gemini request (`generateContent`) to a chat request, which the gateway then handles
 * like any other chat request. Accepts names in camel case and in snake case, as Google does.
 */
import { asString, type JsonObject } from '../../json/object.ts';
import { parseWithPlaceholders } from '../../json/placeholders.ts';
import type { ScannedObject } from '../../json/scan.ts';
import { invalid, missing, unsupportedParameter, unsupportedValue } from '../validation.ts';
import { type Orphans, readContents, textOf } from './contents.ts';
import { listAt, member, objectAt, onlyMembers } from './members.ts';
import { functionPaths, jsonSchema, readFunctions, readToolConfig } from './tools.ts';

export type GeminiRequest = {
  /** The chat request as JSON. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether the caller wants thinking in the answer. */
  readonly showsThoughts: boolean;
  /** The names of the functions, by their names in chat. */
  readonly functionNames: ReadonlyMap<string, string>;
  /** The paths of the functions, in the order of chat's tools. */
  readonly functionPaths: readonly string[];
};

/**
 * Fields that are accepted and ignored. For example, safety settings have an effect only at Google.
 */
const WITHOUT_EFFECT = ['model', 'safetySettings', 'labels'];
const FIELDS = [
  ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig', 'provider'],
  ...WITHOUT_EFFECT,
];

/**
 * Translates a request.
 * @throws GatewayError with the path of a value that cannot be expressed in chat, and what to do.
 */
export function readGemini(
  body: ScannedObject,
  model: string,
  stream: boolean,
  orphans: Orphans = 'refused',
): GeminiRequest {
  const placeholders = parseWithPlaceholders(body);
  const { json } = placeholders;
  if (member(json, 'cachedContent') !== undefined)
    throw unsupportedParameter(
      'cachedContent',
      'caches are not stored here; send the whole prompt',
    );
  onlyMembers(json, FIELDS, '');
  if (member(json, 'contents') === undefined)
    throw missing('contents', 'it must be the turns of the conversation');
  const config = objectAt(json, 'generationConfig', '') ?? {};
  const system = textOf(member(json, 'systemInstruction'), 'systemInstruction');
  const functionNames = new Map<string, string>();
  const tools = listAt(json, 'tools');
  const functions = readFunctions(tools, functionNames);
  const { provider } = json;
  const chat = {
    model,
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system }]),
      ...readContents(listAt(json, 'contents'), placeholders, orphans),
    ],
    ...(functions.length === 0 ? {} : { tools: functions }),
    ...readToolConfig(objectAt(json, 'toolConfig', ''), functions.length),
    ...readConfig(config),
    ...(provider === undefined ? {} : { provider }),
    ...(stream ? { stream, stream_options: { include_usage: true } } : { stream: false }),
  };
  const thinking = objectAt(config, 'thinkingConfig', 'generationConfig');
  const showsThoughts = thinking !== null && member(thinking, 'includeThoughts') === true;
  const paths = functionPaths(tools);
  return { bytes: placeholders.encode(chat), showsThoughts, functionNames, functionPaths: paths };
}

/** Maps the options of `generationConfig` to the fields of chat that have the same meaning. */
export const OPTIONS: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  topP: 'top_p',
  topK: 'top_k',
  maxOutputTokens: 'max_completion_tokens',
  stopSequences: 'stop',
  candidateCount: 'n',
  seed: 'seed',
  presencePenalty: 'presence_penalty',
  frequencyPenalty: 'frequency_penalty',
  responseLogprobs: 'logprobs',
  logprobs: 'top_logprobs',
};
const CONFIG = [
  ...Object.keys(OPTIONS),
  ...['thinkingConfig', 'responseMimeType', 'responseSchema', 'responseJsonSchema'],
  ...['responseModalities', 'mediaResolution'],
];

function readConfig(config: JsonObject): JsonObject {
  const at = 'generationConfig';
  onlyMembers(config, CONFIG, at);
  const modalities = listAt(config, 'responseModalities');
  if (modalities.some((each) => each !== 'TEXT'))
    throw unsupportedValue(`${at}.responseModalities`, 'only TEXT is supported; omit this field');
  const options = Object.entries(OPTIONS).flatMap(([name, chatName]) => {
    const value = member(config, name);
    return value === undefined || value === null ? [] : [[chatName, value] as const];
  });
  return {
    ...Object.fromEntries(options),
    ...effort(objectAt(config, 'thinkingConfig', at)),
    ...responseFormat(config, at),
  };
}

/**
 * The thinking budgets, in tokens, that stand for low and for medium effort in Google's
 * OpenAI-compatible API.
 */
const LOW_BUDGET = 1_024;
const MEDIUM_BUDGET = 8_192;

function effort(thinking: JsonObject | null): JsonObject {
  const at = 'generationConfig.thinkingConfig';
  if (thinking === null) return {};
  onlyMembers(thinking, ['includeThoughts', 'thinkingBudget', 'thinkingLevel'], at);
  const level = asString(member(thinking, 'thinkingLevel'));
  if (level !== null && level !== 'THINKING_LEVEL_UNSPECIFIED')
    return { reasoning_effort: level.toLowerCase() };
  const given = member(thinking, 'thinkingBudget') ?? null;
  if (given !== null && typeof given !== 'number')
    throw invalid(`${at}.thinkingBudget`, 'must be a number');
  // Messages upstreams think only if they are asked to.
  if (given === null && member(thinking, 'includeThoughts') !== true) return {};
  // With a budget of -1, or none, the model chooses how much it thinks. Models that cannot think
  // refuse an effort, so this is a switch, which is not sent to servers that know only efforts.
  const budget = given ?? -1;
  if (budget < 0) return { reasoning: { enabled: true } };
  if (budget === 0) return { reasoning_effort: 'none' };
  if (budget <= LOW_BUDGET) return { reasoning_effort: 'low' };
  return { reasoning_effort: budget <= MEDIUM_BUDGET ? 'medium' : 'high' };
}

function responseFormat(config: JsonObject, at: string): JsonObject {
  const type = member(config, 'responseMimeType') ?? 'text/plain';
  const plain = objectAt(config, 'responseJsonSchema', at);
  const own = objectAt(config, 'responseSchema', at);
  if (type === 'text/plain' && plain === null && own === null) return {};
  if (type === 'text/plain')
    throw invalid(`${at}.responseMimeType`, 'must be application/json for an answer with a schema');
  if (type !== 'application/json')
    throw unsupportedValue(`${at}.responseMimeType`, 'use application/json or text/plain');
  const schema = plain ?? (own === null ? null : jsonSchema(own));
  if (schema === null) return { response_format: { type: 'json_object' } };
  return { response_format: { type: 'json_schema', json_schema: { name: 'response', schema } } };
}
