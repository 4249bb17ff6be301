/** Reads a chat request: what pricing and routing need, and every mistake visible in the body. */
import { z } from 'zod';
import { GatewayError } from '../../errors.ts';
import { asJsonObject, isJsonObject } from '../../json/object.ts';
import { type MediaInput, REMOTE, sourceIn } from '../inputs/media-input.ts';
import { checkLengths, invalid, missing, parseWith } from '../validation.ts';
import {
  ALLOWED_ENTRIES,
  anyPart,
  anyTool,
  chatDocument,
  chatSchema,
  customTool,
  functionTool,
  MESSAGE_ENTRIES,
  message,
  partSchemas,
  REQUEST_ENTRIES,
  toolChoiceSchemas,
} from './schema.ts';

export type ChatRequest = {
  readonly model: string;
  /** The field `stream`; null if omitted, when negotiation decides. A given null means false. */
  readonly stream: boolean | null;
  readonly maxOutputTokens: number | null;
  /** The field that set the limit, or the newer field if neither did. */
  readonly maxOutputField: 'max_completion_tokens' | 'max_tokens';
  readonly choices: number;
  readonly includeUsage: boolean;
  /** Always 0, since chat has no thinking budget. Chat has no one-hour cache markers either. */
  readonly thinkingTokens: 0;
  /** Whether the caller asked for reasoning, which an upstream may bill without showing it. */
  readonly mayThinkUnseen: boolean;
  readonly oneHourCache: false;
  /** The channel as the caller wrote it. An unknown channel is not an error. */
  readonly channel: string | null;
  readonly allowFallbacks: boolean;
  /** Every part that is not text, in order. */
  readonly inputs: readonly MediaInput[];
};

/** The request as JSON Schema, for `/openapi.json`. */
export const chatRequestSchema: Readonly<Record<string, unknown>> = z.toJSONSchema(chatDocument, {
  io: 'input',
});

/** What each type of part is, and its field with data or an address. */
const MEDIA: ReadonlyMap<
  string,
  { readonly modality: MediaInput['modality']; readonly field: string }
> = new Map([
  ['image_url', { modality: 'image', field: 'url' }],
  ['file', { modality: 'file', field: 'file_data' }],
  ['input_audio', { modality: 'audio', field: 'data' }],
  ['video_url', { modality: 'video', field: 'url' }],
]);
/** Parts whose tokens are all in the request. */
const TEXT_PARTS: ReadonlySet<string> = new Set(['text', 'refusal', 'thinking', 'reasoning']);

/**
 * Reads a request from its parsed body, possibly with truncated long strings.
 * @throws GatewayError `missing_required_parameter`, `invalid_value` or `unsupported_value`.
 */
export function readChatRequest(view: Record<string, unknown>): ChatRequest {
  checkLengths(view, REQUEST_ENTRIES);
  const body = parseWith(chatSchema, view, '');
  refuseAudio(body.modalities);
  readFormat(body.response_format);
  readToolChoice(body.tool_choice);
  for (const [index, tool] of (body.tools ?? []).entries()) readTool(tool, `tools[${index}]`);
  const inputs: MediaInput[] = [];
  for (const [index, each] of body.messages.entries())
    readMessage(each, `messages[${index}]`, inputs);
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
    mayThinkUnseen: (body.reasoning_effort ?? 'none') !== 'none',
    oneHourCache: false,
    channel: body.provider?.channel ?? null,
    allowFallbacks: body.provider?.allow_fallbacks ?? true,
    inputs,
  };
}

/** Refuses audio: no model here answers in audio, and text is not what the caller asked for. */
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

function readFormat(format: z.output<typeof chatSchema>['response_format']): void {
  if (format?.type !== 'json_schema' || format.json_schema !== undefined) return;
  throw missing('response_format.json_schema', 'it must be an object with name and schema');
}

function readToolChoice(choice: z.output<typeof chatSchema>['tool_choice']): void {
  if (typeof choice !== 'object' || choice === null) return;
  const allowed = asJsonObject(choice['allowed_tools']) ?? {};
  checkLengths(allowed, ALLOWED_ENTRIES, 'tool_choice.allowed_tools');
  const schema = toolChoiceSchemas.get(choice.type);
  if (schema !== undefined) parseWith(schema, choice, 'tool_choice');
}

function readTool(tool: unknown, path: string): void {
  const { type } = parseWith(anyTool, tool, path);
  if (type === 'function') parseWith(functionTool, tool, path);
  else if (type === 'custom') parseWith(customTool, tool, path);
}

function readMessage(value: unknown, path: string, inputs: MediaInput[]): void {
  if (isJsonObject(value)) checkLengths(value, MESSAGE_ENTRIES, path);
  const each = parseWith(message, value, path);
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
    readPart(part, `${path}.content[${index}]`, inputs);
}

/** Whether content may be absent, as beside an assistant's tool calls or in a function's result. */
function mayBeSilent(each: z.output<typeof message>): boolean {
  if (each.role === 'function') return true;
  if (each.role !== 'assistant') return false;
  // Clients send the answers they got back, and an empty answer has null content.
  return each['content'] === null || SAYS_SOMETHING.some((key) => (each[key] ?? null) !== null);
}
const SAYS_SOMETHING = ['tool_calls', 'function_call', 'refusal', 'audio'] as const;

function readPart(part: unknown, path: string, inputs: MediaInput[]): void {
  const { type } = parseWith(anyPart, part, path);
  const schema = partSchemas.get(type);
  if (schema !== undefined) parseWith(schema, part, path);
  if (TEXT_PARTS.has(type)) return;
  const media = MEDIA.get(type);
  const source =
    media === undefined
      ? REMOTE
      : sourceIn(asJsonObject(asJsonObject(part)?.[type])?.[media.field]);
  inputs.push({ modality: media?.modality ?? 'unknown', param: path, source });
}
