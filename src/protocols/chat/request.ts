/**
 * Reads the values of a chat request on which its price and route depend. Refuses invalid values of
 * known fields.
 */
import type { z } from 'zod';
import { GatewayError } from '../../errors.ts';
import { asArray, asJsonObject, isJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_FACTS } from '../../money/price-of.ts';
import type { FeeUnit } from '../../money/served.ts';
import { claimMembers } from '../claimed-members.ts';
import { refuseVariants } from '../field-names.ts';
import {
  isDataUrl,
  isOtherFile,
  type MediaInput,
  REMOTE,
  sourceIn,
} from '../inputs/media-input.ts';
import {
  addedTokens,
  claimCacheLifetime,
  mayThink,
  NO_EXTRAS,
  type RequestExtras,
} from '../inputs/request-extras.ts';
import { type ServerTool, usesIn } from '../inputs/server-tools.ts';
import { CACHE_TTL } from '../messages/fields.ts';
import { type Claim, claim } from '../request-fields.ts';
import { checkLengths, contentIn, missing, parseWith } from '../validation.ts';
import { cacheLifetime } from './content-parts.ts';
import {
  AUDIO_ID,
  CHAT_CACHE_TTL,
  FILE_ID,
  IMAGE_DETAIL,
  isOfOneMake,
  MEDIA_UUID,
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
   * The field `stream` of the request. If the caller omitted it, this is null, and the setting
   * `stream_default` decides. If the caller sent null, this is false.
   */
  readonly stream: boolean | null;
  readonly maxOutputTokens: number | null;
  /**
   * The field from which `maxOutputTokens` was read; `max_completion_tokens` if the caller sent
   * neither field.
   */
  readonly maxOutputField: 'max_completion_tokens' | 'max_tokens';
  readonly choices: number;
  readonly includeUsage: boolean;
  /** Always 0, because chat has no field for a thinking budget. */
  readonly thinkingTokens: 0;
  /**
   * Whether the caller requested reasoning. An upstream may bill reasoning without returning it.
   */
  readonly mayThinkUnseen: boolean;
  /** Whether a Messages upstream would be asked to cache a part of the request for an hour. */
  readonly oneHourCache: boolean;
  /** The channel that the caller requested. The model may not have this channel. */
  readonly channel: string | null;
  readonly allowFallbacks: boolean;
  /** All parts other than text, in order. */
  readonly inputs: readonly MediaInput[];
  /**
   * Claims: nested values that only some price cards and upstreams accept. They are checked once
   * the route is known.
   */
  readonly claims: readonly Claim[];
  readonly extras: RequestExtras;
};

type Gathered = {
  readonly inputs: MediaInput[];
  readonly claims: Claim[];
  readonly serverTools: ServerTool[];
  oneHourCache: boolean;
};

/** For each type of media part, its modality and the field that contains the data or URL. */
const MEDIA: ReadonlyMap<
  string,
  { readonly modality: MediaInput['modality']; readonly field: string }
> = new Map([
  ['image_url', { modality: 'image', field: 'url' }],
  ['file', { modality: 'file', field: 'file_data' }],
  ['input_audio', { modality: 'audio', field: 'data' }],
  ['video_url', { modality: 'video', field: 'url' }],
]);
/**
 * Types of parts that are only text. Everything that is billed for such a part is in the request.
 */
const TEXT_PARTS: ReadonlySet<string> = new Set([
  ...['text', 'refusal', 'input_text', 'output_text'],
  ...['thinking', 'redacted_thinking', 'reasoning'],
]);

/**
 * Reads a request from its parsed body.
 * @param view the body, in which long strings may be truncated.
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
  claimCacheLifetime(body.prompt_cache_options, 'prompt_cache_options', gathered.claims);
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
    // Clients of OpenRouter ask for it by `usage`.
    includeUsage:
      body.stream_options?.include_usage === true ||
      asJsonObject(view['usage'])?.['include'] === true,
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
 * Refuses a request for an audio answer. No model of this gateway answers in audio, and the caller
 * has not asked for a text answer.
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
 * Reads a tool that the provider runs. Its `max_uses` is read only if the type names a kind of
 * server (`isOfOneMake`), because only servers of that kind obey it.
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
  // OpenRouter accepts `images` as a member of earlier answers, so they are read as parts too.
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
  for (const [index, part] of contentIn(content, `${path}.content`, 'parts').entries())
    readPart(part, `${path}.content[${index}]`, gathered);
}

/**
 * Whether the content of a message may be missing, as in a message with tool calls or with a
 * function's result.
 */
function mayBeSilent(each: z.output<ReturnType<typeof message>>): boolean {
  if (each.role === 'function') return true;
  if (each.role !== 'assistant') return false;
  // Null content of an assistant message is accepted, because clients send back earlier answers,
  // and an empty answer has null content.
  return each['content'] === null || SAYS_SOMETHING.some((key) => (each[key] ?? null) !== null);
}
const SAYS_SOMETHING = ['tool_calls', 'function_call', 'refusal', 'audio'] as const;

function readPart(value: unknown, path: string, gathered: Gathered): void {
  const { inputs, claims } = gathered;
  if (isJsonObject(value)) refuseVariants(value, path);
  const isKnown = isTextPart(value);
  const part = isKnown ? value : parseWith(anyPart(), value, path);
  const { type } = part;
  // With a `uuid`, vLLM ignores the type of the part: it reads media from any of its members, or
  // from its cache.
  const uuid = part['uuid'] ?? null;
  if (uuid !== null)
    claims.push({ param: `${path}.uuid`, rule: MEDIA_UUID, value: uuid, only: 'untranslated' });
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
  const { file_id: fileId, detail, format } = media;
  if ((fileId ?? null) !== null) claim(claims, `${path}.${type}.file_id`, FILE_ID, fileId);
  if ((detail ?? null) !== null) claim(claims, `${path}.${type}.detail`, IMAGE_DETAIL, detail);
  const given = media[known.field];
  const source = sourceIn(given, `${path}.${type}.${known.field}`);
  inputs.push({ modality: known.modality, param: path, source });
  // With the detail `original`, an image is read at full size. The size of a remote image is
  // unknown, so the image counts as unknown media too. So does one in the format of other media, or
  // at the URL of another file.
  const isOther =
    known.modality === 'image' &&
    (isOtherFile(given) || !/^image\//i.test(String(format ?? 'image/')));
  if (isOther || (detail === 'original' && !isDataUrl(given)))
    inputs.push({ modality: 'unknown', param: path, source: REMOTE });
}

/**
 * Records the lifetime that a cache marker requests. Several servers accept markers on parts and
 * tools.
 */
function readCacheMarker(of: JsonObject, path: string, gathered: Gathered): void {
  claimLifetime(of, path, gathered.claims);
  const { prompt_cache_breakpoint: breakpoint } = of;
  if (breakpoint !== undefined)
    claimCacheLifetime(breakpoint, `${path}.prompt_cache_breakpoint`, gathered.claims);
  if (cacheLifetime(of) !== '1h') return;
  gathered.oneHourCache = true;
  const name = isJsonObject(of['cache_control']) ? 'cache_control' : 'prompt_cache_breakpoint';
  const param = `${path}.${name}.ttl`;
  gathered.claims.push({ param, rule: CACHE_TTL, value: '1h', only: 'translated' });
}

/**
 * Adds a claim (a check that is made once the route is known) for a cache lifetime other than five
 * minutes. The claim refuses the lifetime if the request goes to a chat upstream, because the
 * lifetime has no price there.
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
