/**
 * Reads the values of a chat request that pricing and routing need. Refuses known fields with
 * invalid values.
 */
import type { z } from 'zod';
import { GatewayError } from '../../errors.ts';
import { asArray, asJsonObject, isJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_FACTS } from '../../money/price-of.ts';
import type { FeeUnit } from '../../money/served.ts';
import { claimMembers } from '../claimed-members.ts';
import { refuseVariants } from '../field-names.ts';
import { type MediaInput, REMOTE, sourceIn } from '../inputs/media-input.ts';
import { addedTokens, mayThink, NO_EXTRAS, type RequestExtras } from '../inputs/request-extras.ts';
import { type ServerTool, usesIn } from '../inputs/server-tools.ts';
import { CACHE_TTL } from '../messages/fields.ts';
import { type Claim, claim } from '../request-fields.ts';
import { checkLengths, invalid, missing, parseWith } from '../validation.ts';
import { cacheLifetime } from './cache-marker.ts';
import {
  AUDIO_ID,
  CHAT_CACHE_TTL,
  FILE_ID,
  IMAGE_DETAIL,
  isOfOneMake,
  parametersOf,
  SENT_MEMBERS,
  serverTool,
  TOOL_MODEL,
  UNKNOWN_PART,
} from './fields.ts';
import {
  ALLOWED_ENTRIES,
  anyPart,
  anyTool,
  chatSchema,
  customTool,
  functionTool,
  isPlainMessage,
  isTextPart,
  MESSAGE_ENTRIES,
  message,
  partSchemas,
  REQUEST_ENTRIES,
  TOOL_ENTRIES,
  toolChoiceSchemas,
} from './schema.ts';

export type ChatRequest = {
  readonly model: string;
  /**
   * The field `stream`. Null if omitted, so that `stream_default` decides; false if the caller sent
   * null.
   */
  readonly stream: boolean | null;
  readonly maxOutputTokens: number | null;
  /** The field that set `maxOutputTokens`; the newer field if the caller sent neither. */
  readonly maxOutputField: 'max_completion_tokens' | 'max_tokens';
  readonly choices: number;
  readonly includeUsage: boolean;
  /** Always 0, since chat has no thinking budget. */
  readonly thinkingTokens: 0;
  /** Whether the caller asked for reasoning, which an upstream may bill without showing it. */
  readonly mayThinkUnseen: boolean;
  /** Whether a translator to Messages must ask the upstream to cache something for an hour. */
  readonly oneHourCache: boolean;
  /** The channel's name as the caller wrote it. The model may lack this channel. */
  readonly channel: string | null;
  readonly allowFallbacks: boolean;
  /** Every part that is not text, in order. */
  readonly inputs: readonly MediaInput[];
  /** Nested values whose treatment depends on the price card or the upstream. */
  readonly claims: readonly Claim[];
  readonly extras: RequestExtras;
};

type Gathered = {
  readonly inputs: MediaInput[];
  readonly claims: Claim[];
  readonly serverTools: ServerTool[];
  oneHourCache: boolean;
};

/** For each type of part, its modality and the field that has its data or URL. */
const MEDIA: ReadonlyMap<
  string,
  { readonly modality: MediaInput['modality']; readonly field: string }
> = new Map([
  ['image_url', { modality: 'image', field: 'url' }],
  ['file', { modality: 'file', field: 'file_data' }],
  ['input_audio', { modality: 'audio', field: 'data' }],
  ['video_url', { modality: 'video', field: 'url' }],
]);
/** Types of parts that are only text: the request contains everything that is billed for them. */
const TEXT_PARTS: ReadonlySet<string> = new Set([
  ...['text', 'refusal', 'input_text', 'output_text'],
  ...['thinking', 'redacted_thinking', 'reasoning'],
]);

/**
 * Reads a request from its parsed body, in which long strings may already be truncated.
 * @throws GatewayError `missing_required_parameter`, `invalid_value` or `unsupported_value`.
 */
export function readChatRequest(view: Record<string, unknown>): ChatRequest {
  checkLengths(view, REQUEST_ENTRIES);
  const body = parseWith(chatSchema(), view, '');
  refuseAudio(body.modalities);
  readFormat(body.response_format);
  readToolChoice(body.tool_choice);
  const gathered: Gathered = { inputs: [], claims: [], serverTools: [], oneHourCache: false };
  claimLifetime(body, '', gathered.claims);
  claimMembers(body, SENT_MEMBERS, gathered.claims);
  if (body.tools)
    for (const [index, tool] of body.tools.entries()) readTool(tool, `tools[${index}]`, gathered);
  for (let index = 0; index < body.messages.length; index++)
    readMessage(body.messages[index], `messages[${index}]`, gathered);
  const completion = body.max_completion_tokens ?? null;
  const legacy = body.max_tokens ?? null;
  return {
    model: body.model,
    stream: body.stream === undefined ? null : body.stream === true,
    maxOutputTokens: completion ?? legacy,
    maxOutputField: completion === null && legacy !== null ? 'max_tokens' : 'max_completion_tokens',
    choices: body.n ?? 1,
    includeUsage: body.stream_options?.include_usage === true,
    thinkingTokens: 0,
    mayThinkUnseen: mayThink(body),
    oneHourCache: gathered.oneHourCache,
    channel: body.provider?.channel ?? null,
    allowFallbacks: body.provider?.allow_fallbacks ?? true,
    inputs: gathered.inputs,
    claims: gathered.claims,
    extras: extrasOf(body, gathered),
  };
}

function extrasOf(
  { tools, functions, service_tier: tier }: z.output<ReturnType<typeof chatSchema>>,
  { serverTools }: Gathered,
): RequestExtras {
  const defined = tools ?? functions ?? null;
  if (defined === null && (tier ?? null) === null) return NO_EXTRAS;
  const requested = { ...NO_FACTS, tier: tier ?? null };
  return { requested, serverTools, addedTokens: addedTokens(defined ?? []), compacts: false };
}

/**
 * Refuses requests for audio answers. No model of this gateway answers in audio, and a text answer
 * would not be what the caller asked for.
 */
function refuseAudio(modalities: readonly string[] | null | undefined): void {
  const at = modalities?.indexOf('audio') ?? -1;
  if (at < 0) return;
  const param = `modalities[${at}]`;
  throw new GatewayError(
    'unsupported_value',
    `${param}: no model here answers in audio; remove "audio".`,
    { param },
  );
}

function readFormat(format: z.output<ReturnType<typeof chatSchema>>['response_format']): void {
  if (format?.type !== 'json_schema' || format.json_schema !== undefined) return;
  throw missing('response_format.json_schema', 'it must be an object with name and schema');
}

function readToolChoice(choice: z.output<ReturnType<typeof chatSchema>>['tool_choice']): void {
  if (typeof choice !== 'object' || choice === null) return;
  const allowed = asJsonObject(choice['allowed_tools']) ?? {};
  checkLengths(allowed, ALLOWED_ENTRIES, 'tool_choice.allowed_tools');
  const schema = toolChoiceSchemas().get(choice.type);
  if (schema !== undefined) parseWith(schema, choice, 'tool_choice');
}

function readTool(value: unknown, path: string, gathered: Gathered): void {
  const { claims, serverTools } = gathered;
  if (isJsonObject(value)) {
    refuseVariants(value, path);
    checkLengths(value, TOOL_ENTRIES, path);
    checkLengths(asJsonObject(value['function']) ?? {}, TOOL_ENTRIES, `${path}.function`);
  }
  const tool = parseWith(anyTool(), value, path);
  const { type } = tool;
  if (type === 'function') parseWith(functionTool(), value, path);
  else if (type === 'custom') parseWith(customTool(), value, path);
  else {
    const rule = serverTool(type);
    claim(claims, `${path}.type`, rule, type);
    if ((tool['model'] ?? null) !== null) claim(claims, `${path}.model`, TOOL_MODEL, tool['model']);
    if (rule.class === 'tool') serverTools.push(serverToolOf(tool, rule.unit, path));
  }
  readCacheMarker(tool, path, gathered);
  readCacheMarker(asJsonObject(tool[type]) ?? {}, `${path}.${type}`, gathered);
}

/**
 * Reads a tool that the provider runs. Its `max_uses` counts only if the type names a kind of
 * server, since only servers of that kind obey it.
 */
function serverToolOf(tool: { readonly type: string }, unit: FeeUnit, param: string): ServerTool {
  const { type } = tool;
  const maxUses = isOfOneMake(type) ? usesIn(parametersOf(tool)['max_uses']) : null;
  return { unit, type, param, maxUses, mayFill: false };
}

const NO_ENTRIES: readonly [] = [];

function readMessage(value: unknown, path: string, gathered: Gathered): void {
  if (isJsonObject(value)) {
    refuseVariants(value, path);
    checkLengths(value, MESSAGE_ENTRIES, path);
  }
  const each = isPlainMessage(value) ? value : parseWith(message(), value, path);
  const audio = asJsonObject(each['audio']);
  if (audio !== null) claim(gathered.claims, `${path}.audio.id`, AUDIO_ID, audio['id']);
  readCacheMarker(each, path, gathered);
  for (const [index, call] of each.tool_calls?.entries() ?? NO_ENTRIES) {
    const callPath = `${path}.tool_calls[${index}]`;
    readCacheMarker(call, callPath, gathered);
    readCacheMarker(call.function ?? {}, `${callPath}.function`, gathered);
  }
  // OpenRouter accepts `images` beside the content of earlier answers, so they are counted too.
  for (const [index, part] of asArray(each['images']).entries())
    readPart(part, `${path}.images[${index}]`, gathered);
  const { role, content } = each;
  if (role === 'tool' && (each.tool_call_id ?? null) === null) {
    throw missing(
      `${path}.tool_call_id`,
      'it must be the id of the tool call that this message answers',
    );
  }
  if (typeof content === 'string') return;
  if (content === undefined || content === null) {
    if (mayBeSilent(each)) return;
    throw missing(`${path}.content`, 'it must be a string or an array of content parts');
  }
  if (!Array.isArray(content)) {
    throw invalid(`${path}.content`, 'must be a string or an array of content parts');
  }
  for (const [index, part] of content.entries())
    readPart(part, `${path}.content[${index}]`, gathered);
}

/** Whether content may be missing, as in a message with tool calls or a function's result. */
function mayBeSilent(each: z.output<ReturnType<typeof message>>): boolean {
  if (each.role === 'function') return true;
  if (each.role !== 'assistant') return false;
  // Clients repeat earlier answers, and an empty answer has null content, so null is accepted.
  return each['content'] === null || SAYS_SOMETHING.some((key) => (each[key] ?? null) !== null);
}
const SAYS_SOMETHING = ['tool_calls', 'function_call', 'refusal', 'audio'] as const;

function readPart(value: unknown, path: string, gathered: Gathered): void {
  const { inputs, claims } = gathered;
  if (isJsonObject(value)) refuseVariants(value, path);
  const isKnown = isTextPart(value);
  const part = isKnown ? value : parseWith(anyPart(), value, path);
  const { type } = part;
  readCacheMarker(part, path, gathered);
  const schema = isKnown ? undefined : partSchemas().get(type);
  if (schema !== undefined) parseWith(schema, part, path);
  if (TEXT_PARTS.has(type)) return;
  const known = MEDIA.get(type);
  if (known === undefined) {
    claim(claims, `${path}.type`, UNKNOWN_PART, type);
    inputs.push({ modality: 'unknown', param: path, source: REMOTE });
    return;
  }
  const media = asJsonObject(part[type]) ?? {};
  refuseVariants(media, `${path}.${type}`);
  const { file_id: fileId, detail } = media;
  if ((fileId ?? null) !== null) claim(claims, `${path}.${type}.file_id`, FILE_ID, fileId);
  if ((detail ?? null) !== null) claim(claims, `${path}.${type}.detail`, IMAGE_DETAIL, detail);
  const source = sourceIn(media[known.field]);
  inputs.push({ modality: known.modality, param: path, source });
  // With `original`, an image is read at full size, which is unknown for a remote image.
  if (detail === 'original' && source.kind === 'remote')
    inputs.push({ modality: 'unknown', param: path, source });
}

/** Records the lifetime of a cache marker. Several servers accept markers on parts and tools. */
function readCacheMarker(of: JsonObject, path: string, gathered: Gathered): void {
  claimLifetime(of, path, gathered.claims);
  if (cacheLifetime(of) !== '1h') return;
  gathered.oneHourCache = true;
  const name = isJsonObject(of['cache_control']) ? 'cache_control' : 'prompt_cache_breakpoint';
  const param = `${path}.${name}.ttl`;
  gathered.claims.push({ param, rule: CACHE_TTL, value: '1h', only: 'translated' });
}

/**
 * Adds a claim that refuses a cache lifetime other than five minutes in a request that is not
 * translated, because chat has no price for other lifetimes.
 */
function claimLifetime(of: JsonObject, path: string, claims: Claim[]): void {
  const marker = asJsonObject(of['cache_control']);
  if (marker === null) return;
  const at = path === '' ? 'cache_control' : `${path}.cache_control`;
  refuseVariants(marker, at);
  const ttl = marker['ttl'] ?? '5m';
  if (ttl === '5m') return;
  claims.push({ param: `${at}.ttl`, rule: CHAT_CACHE_TTL, value: ttl, only: 'untranslated' });
}
