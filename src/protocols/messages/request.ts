/** Validates a Messages request, and returns the values that pricing and routing need. */
import type { z } from 'zod';
import { asArray, asJsonObject, isJsonObject, type JsonObject } from '../../json/object.ts';
import { claimMembers, claimOnly, claimRefusedMembers } from '../claimed-members.ts';
import { refuseVariants } from '../field-names.ts';
import {
  AS_TEXT,
  isOtherFile,
  type MediaInput,
  type MediaSource,
  REMOTE,
  refuseScheme,
  sourceIn,
} from '../inputs/media-input.ts';
import { addedTokens, mayThink, type RequestExtras } from '../inputs/request-extras.ts';
import { type ServerTool, usesIn } from '../inputs/server-tools.ts';
import { type Claim, claim } from '../request-fields.ts';
import { checkLengths, contentIn, invalid, parseWith } from '../validation.ts';
import {
  blockRule,
  CACHE_TTL,
  FILE_SOURCE,
  isImageType,
  MESSAGE_CONFIG,
  PLAIN_BLOCKS,
  refuseThread,
  SENT_MEMBERS,
  TEXT_BLOCKS,
  TOOL_MODEL,
  typedToolRule,
} from './fields.ts';
import {
  anyBlock,
  blockSchemas,
  CONTEXT_ENTRIES,
  clientTool,
  countTokensSchema,
  type Effort,
  enabledThinking,
  isPlainBlock,
  isPlainMessage,
  message,
  messagesSchema,
  namedToolChoice,
  REQUEST_ENTRIES,
  sourceSchemas,
  TOOL_ENTRIES,
  typedTool,
} from './schema.ts';

export type CountTokensRequest = {
  readonly model: string;
  /** The channel's name as the caller wrote it. The model may lack this channel. */
  readonly channel: string | null;
  readonly allowFallbacks: boolean;
  /** Every image, document and unknown block, in order, including those in tool results. */
  readonly inputs: readonly MediaInput[];
  /** Nested values to check later for each route, by its price card and upstream. */
  readonly claims: readonly Claim[];
};

/** The fields that the relay reads. Options that only other protocols have are constants. */
export type MessagesRequest = CountTokensRequest & {
  readonly stream: boolean;
  /** The field `max_tokens`. Zero is legal: such a request only warms the prompt cache. */
  readonly maxOutputTokens: number;
  readonly maxOutputField: 'max_tokens';
  readonly choices: 1;
  /** Always true, since a Messages stream always reports usage. */
  readonly includeUsage: true;
  /** The field `thinking.type`; null when omitted, which means no thinking. */
  readonly thinking: string | null;
  /** The field `thinking.budget_tokens`: the output reserved for thinking; 0 without a budget. */
  readonly thinkingTokens: number;
  /** Whether the caller asked for thinking, which an upstream may bill without showing it. */
  readonly mayThinkUnseen: boolean;
  /** The requested effort; null when omitted, so that the upstream's default applies. */
  readonly effort: Effort | null;
  /** Whether a cache marker asks for a lifetime of one hour, for which cache writes cost more. */
  readonly oneHourCache: boolean;
  readonly extras: RequestExtras;
};

type Gathered = {
  readonly inputs: MediaInput[];
  readonly claims: Claim[];
  readonly serverTools: ServerTool[];
  /** Tools that are defined inside messages. */
  readonly inlineTools: unknown[];
  oneHourCache: boolean;
  /** Whether the request, or a system message in it, sets an effort. */
  asksEffort: boolean;
};

/**
 * Reads a request.
 * @param view the parsed body, in which long strings may be truncated.
 * @throws GatewayError `missing_required_parameter` or `invalid_value`.
 */
export function readMessagesRequest(view: Record<string, unknown>): MessagesRequest {
  refuseThread(view);
  refuseLongLists(view);
  const body = parseWith(messagesSchema(), view, '');
  const gathered = readPrompt(body);
  checkReasoning(body, body.max_tokens);
  return {
    ...routing(body, gathered),
    stream: body.stream ?? false,
    maxOutputTokens: body.max_tokens,
    maxOutputField: 'max_tokens',
    choices: 1,
    includeUsage: true,
    thinking: body.thinking?.type ?? null,
    thinkingTokens: thinkingTokens(body),
    // A translation to chat turns an effort into `reasoning_effort`, which may cause hidden
    // thinking.
    mayThinkUnseen: mayThink({ thinking: body.thinking }) || gathered.asksEffort,
    effort: body.output_config?.effort ?? null,
    oneHourCache: gathered.oneHourCache,
    extras: {
      requested: {
        tier: body.service_tier ?? null,
        speed: body.speed ?? null,
        geo: body.inference_geo ?? null,
        size: null,
        quality: null,
      },
      serverTools: gathered.serverTools,
      addedTokens: addedTokens(body.tools ?? []) + addedTokens(gathered.inlineTools),
      compacts: compacts(body),
    },
  };
}

/** Reads a token counting request. @throws GatewayError as `readMessagesRequest`. */
export function readCountTokensRequest(view: Record<string, unknown>): CountTokensRequest {
  refuseLongLists(view);
  const body = parseWith(countTokensSchema(), view, '');
  const gathered = readPrompt(body);
  checkReasoning(body, null);
  return routing(body, gathered);
}

function refuseLongLists(view: Record<string, unknown>): void {
  checkLengths(view, REQUEST_ENTRIES);
  const context = asJsonObject(view['context_management']) ?? {};
  checkLengths(context, CONTEXT_ENTRIES, 'context_management');
}

type SharedBody = z.output<ReturnType<typeof countTokensSchema>>;
type MessagesBody = z.output<ReturnType<typeof messagesSchema>>;

function routing(body: SharedBody, gathered: Gathered): CountTokensRequest {
  return {
    model: body.model,
    channel: body.provider?.channel ?? null,
    allowFallbacks: body.provider?.allow_fallbacks ?? true,
    inputs: gathered.inputs,
    claims: gathered.claims,
  };
}

/** Returns the thinking budget. `checkReasoning` has validated it before. */
function thinkingTokens({ thinking }: SharedBody): number {
  return thinking?.type === 'enabled' ? enabledThinking().parse(thinking).budget_tokens : 0;
}

const compacts = ({ compaction, context_management: context }: MessagesBody): boolean =>
  (compaction ?? null) !== null ||
  (context?.edits ?? []).some(({ type }) => type.startsWith('compact'));

function checkReasoning(body: SharedBody, maxTokens: number | null): void {
  if (body.thinking?.type === 'enabled') {
    const { budget_tokens } = parseWith(enabledThinking(), body.thinking, 'thinking');
    if (maxTokens !== null && budget_tokens >= maxTokens) {
      throw invalid(
        'thinking.budget_tokens',
        `must be less than max_tokens, which is ${maxTokens}: thinking is part of the output`,
      );
    }
  }
  const budget = body.output_config?.task_budget;
  if (budget !== null && budget !== undefined && (budget.remaining ?? 0) > budget.total) {
    throw invalid(
      'output_config.task_budget.remaining',
      `must be at most the total, which is ${budget.total}`,
    );
  }
}

function readPrompt(body: SharedBody): Gathered {
  const gathered: Gathered = {
    inputs: [],
    claims: [],
    serverTools: [],
    inlineTools: [],
    oneHourCache: false,
    asksEffort: (body.output_config?.effort ?? null) !== null,
  };
  noteCacheMarker(body, '', gathered);
  claimMembers(body, SENT_MEMBERS, gathered.claims);
  const { system } = body;
  if (system !== undefined && system !== null) readContent(system, 'system', gathered);
  for (const [index, tool] of (body.tools ?? []).entries()) {
    readTool(tool, `tools[${index}]`, gathered);
  }
  for (const [index, edit] of (body.context_management?.edits ?? []).entries())
    claimModel(edit, `context_management.edits[${index}]`, gathered);
  claimModel(asJsonObject(body['compaction']) ?? {}, 'compaction', gathered);
  if (body.tool_choice?.type === 'tool')
    parseWith(namedToolChoice(), body.tool_choice, 'tool_choice');
  for (const [index, each] of body.messages.entries()) {
    readMessage(each, `messages[${index}]`, gathered);
  }
  return gathered;
}

function readTool(value: unknown, path: string, gathered: Gathered): void {
  const type = isJsonObject(value) ? (value['type'] ?? 'custom') : 'custom';
  if (isJsonObject(value)) {
    refuseVariants(value, path);
    checkLengths(value, TOOL_ENTRIES, path);
  }
  const tool = parseWith(type === 'custom' ? clientTool() : typedTool(), value, path);
  noteCacheMarker(tool, path, gathered);
  if (tool.type !== 'custom' && typeof tool.type === 'string')
    readTypedTool(tool, tool.type, path, gathered);
  claimModel(tool, path, gathered);
}

/** Adds a claim for the `model` of a tool, context edit or compaction. Its rule may refuse it. */
function claimModel({ model }: JsonObject, path: string, { claims }: Gathered): void {
  if ((model ?? null) !== null) claim(claims, `${path}.model`, TOOL_MODEL, model);
}

function readTypedTool(tool: JsonObject, type: string, path: string, gathered: Gathered): void {
  const rule = typedToolRule(type);
  claim(gathered.claims, `${path}.type`, rule, type);
  if (rule.class !== 'tool') return;
  const { unit } = rule;
  const mayFill = unit === 'web_fetch';
  const maxUses = usesIn(tool['max_uses']);
  gathered.serverTools.push({ unit, type, param: path, maxUses, mayFill });
}

/** Validates a message. A system message may also be in the middle of the conversation. */
function readMessage(value: unknown, path: string, gathered: Gathered): void {
  if (isJsonObject(value)) refuseVariants(value, path);
  const each = isPlainMessage(value) ? value : parseWith(message(), value, path);
  const { role, content, output_config } = each;
  claimRefusedMembers(output_config, `${path}.output_config`, gathered.claims);
  claimOnly(output_config, `${path}.output_config`, MESSAGE_CONFIG, gathered.claims);
  // A beta of the protocol allows tools to be defined inside messages.
  for (const [index, tool] of asArray(each['tools']).entries()) {
    readTool(tool, `${path}.tools[${index}]`, gathered);
    gathered.inlineTools.push(tool);
  }
  if (role === 'system' && (output_config?.effort ?? null) !== null) gathered.asksEffort = true;
  // A system message that only changes the effort has no content.
  const mayBeEmpty = role === 'system' && output_config !== undefined && output_config !== null;
  if ((content ?? null) === null && mayBeEmpty) return;
  readContent(content, `${path}.content`, gathered);
}

function readContent(value: unknown, path: string, gathered: Gathered): void {
  if (typeof value === 'string') return;
  for (const [index, block] of contentIn(value, path, 'blocks').entries())
    readBlock(block, `${path}[${index}]`, gathered);
}

function readBlock(value: unknown, path: string, gathered: Gathered): void {
  const block = isJsonObject(value) ? value : parseWith(anyBlock(), value, path);
  const { type } = block;
  refuseVariants(block, path);
  if (!isPlainBlock(block)) {
    const known = typeof type === 'string' ? blockSchemas().get(type) : undefined;
    parseWith(known ?? anyBlock(), block, path);
  }
  noteCacheMarker(block, path, gathered);
  gatherBlock(block, path, gathered);
}

function gatherBlock(block: JsonObject, path: string, gathered: Gathered): void {
  const { inputs } = gathered;
  const content = block['content'] ?? null;
  switch (block['type']) {
    case 'image':
      inputs.push({ modality: 'image', param: path, source: mediaSource(block, path, gathered) });
      return;
    case 'document':
      inputs.push({ modality: 'file', param: path, source: mediaSource(block, path, gathered) });
      return;
    case 'tool_addition':
      readAddedTool(asJsonObject(block['tool']), `${path}.tool`, gathered);
      return;
    case 'compaction':
      readCompaction(block, path, gathered);
      return;
    case 'tool_result':
    case 'mcp_tool_result':
    case 'search_result':
      if (content !== null) readContent(content, `${path}.content`, gathered);
      return;
    case 'web_fetch_tool_result': {
      const page = asJsonObject(asJsonObject(content)?.['content']);
      if (page !== null) readBlock(page, `${path}.content.content`, gathered);
      return;
    }
    default:
      if (PLAIN_BLOCKS.has(block['type'])) return;
      if (TEXT_BLOCKS.has(block['type'])) {
        gatherNested(block, path, gathered);
        return;
      }
      claim(gathered.claims, `${path}.type`, blockRule(block['type']), block['type']);
      inputs.push({ modality: 'unknown', param: path, source: REMOTE });
  }
}

/** Reads an earlier summary. Its `tool_changes` define tools, like blocks of a message. */
function readCompaction(block: JsonObject, path: string, gathered: Gathered): void {
  const { tool_changes: changes, ...rest } = block;
  gatherNested(rest, path, gathered);
  if ((changes ?? null) === null) return;
  const at = `${path}.tool_changes`;
  if (!Array.isArray(changes)) throw invalid(at, 'must be an array of content blocks, or null');
  for (const [index, each] of changes.entries()) readBlock(each, `${at}[${index}]`, gathered);
}

/**
 * Collects media and cache markers anywhere in a block, so that the hold covers them if the
 * provider reads them.
 */
function gatherNested(block: JsonObject, path: string, gathered: Gathered): void {
  if (sourceSchemas().has(String(asJsonObject(block['source'])?.['type']))) {
    const modality = block['type'] === 'document' ? 'file' : 'image';
    gathered.inputs.push({ modality, param: path, source: mediaSource(block, path, gathered) });
  }
  for (const [name, member] of Object.entries(block)) {
    // The input of a tool call is the caller's data, which models read as text, never as media.
    if (name !== 'input' && name !== 'source') gatherMember(member, `${path}.${name}`, gathered);
  }
}

function gatherMember(value: unknown, path: string, gathered: Gathered): void {
  for (const [index, each] of asArray(value).entries())
    gatherMember(each, `${path}[${index}]`, gathered);
  if (!isJsonObject(value)) return;
  noteCacheMarker(value, path, gathered);
  gatherNested(value, path, gathered);
}

function mediaSource(block: JsonObject, blockPath: string, gathered: Gathered): MediaSource {
  const path = `${blockPath}.source`;
  const source = asJsonObject(block['source']) ?? {};
  const { type, file_id: fileId } = source;
  refuseVariants(source, path);
  if (type === 'file' || (fileId ?? null) !== null)
    claim(gathered.claims, `${path}.file_id`, FILE_SOURCE, fileId);
  const schema = typeof type === 'string' ? sourceSchemas().get(type) : undefined;
  // A source of unknown type is passed on, since the upstream may accept it.
  if (schema !== undefined) parseWith(schema, source, path);
  refuseScheme(source['url'], `${path}.url`);
  // Translated to chat, an image of another type may be read as that type.
  const isAnother = type === 'base64' ? !isImageType(source) : isOtherFile(source['url']);
  if (isAnother && block['type'] !== 'document')
    gathered.inputs.push({ modality: 'unknown', param: blockPath, source: REMOTE });
  // Of the base64 documents, only PDFs are measured, because the number of pages of a PDF limits
  // the length of its text.
  const isOther = block['type'] === 'document' && source['media_type'] !== 'application/pdf';
  if (type === 'base64' && !isOther) return sourceIn(source['data'], `${path}.data`);
  if (type === 'text') return AS_TEXT;
  if (type !== 'content') return REMOTE;
  if (Array.isArray(source['content'])) readContent(source['content'], `${path}.content`, gathered);
  return AS_TEXT;
}

/** Reads a tool that a message defines after the beginning of the conversation. */
function readAddedTool(tool: JsonObject | null, path: string, gathered: Gathered): void {
  if (tool === null) return;
  refuseVariants(tool, path);
  if (tool['definition'] !== undefined)
    readTool(tool['definition'], `${path}.definition`, gathered);
  gathered.inlineTools.push(tool['definition']);
}

function noteCacheMarker(of: JsonObject, path: string, gathered: Gathered): void {
  const marker = of['cache_control'];
  if (!isJsonObject(marker)) return;
  const param = path === '' ? 'cache_control' : `${path}.cache_control`;
  refuseVariants(marker, param);
  if (marker['ttl'] !== '1h') return;
  gathered.oneHourCache = true;
  claim(gathered.claims, `${param}.ttl`, CACHE_TTL, '1h');
}
