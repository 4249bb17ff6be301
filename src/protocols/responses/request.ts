/** Validates a Responses request, and returns the values that pricing and routing need. */
import type { z } from 'zod';
import { GatewayError } from '../../errors.ts';
import { asArray, asJsonObject, isJsonObject, type JsonObject } from '../../json/object.ts';
import { NO_FACTS } from '../../money/price-of.ts';
import { FILE_ID, IMAGE_DETAIL, TOOL_MODEL } from '../chat/fields.ts';
import { claimMembers, claimOnly, claimRefusedMembers } from '../claimed-members.ts';
import { refuseVariants } from '../field-names.ts';
import {
  isDataUrl,
  isOtherFile,
  type MediaInput,
  REMOTE,
  refuseScheme,
  sourceIn,
} from '../inputs/media-input.ts';
import {
  addedTokens,
  claimCacheLifetime,
  mayThink,
  type RequestExtras,
} from '../inputs/request-extras.ts';
import type { ServerTool } from '../inputs/server-tools.ts';
import { type Claim, claim } from '../request-fields.ts';
import { checkLengths, contentIn, invalid, missing, parseWith } from '../validation.ts';
import { isWebSearch, ONE_COMPACTION, PRO_MODE, SENT_MEMBERS, toolRule } from './fields.ts';
import {
  ALLOWED_ENTRIES,
  anyItem,
  anyPart,
  anyTool,
  ITEM_ENTRIES,
  itemSchemas,
  partSchemas,
  REQUEST_ENTRIES,
  responsesSchema,
  TOOL_ENTRIES,
  toolChoiceSchemas,
  toolSchemas,
} from './schema.ts';

/** The fields that the relay reads. Options that only other protocols have are constants. */
export type ResponsesRequest = {
  readonly model: string;
  readonly stream: boolean;
  readonly maxOutputTokens: number | null;
  readonly maxOutputField: 'max_output_tokens';
  readonly promptField: 'input';
  readonly choices: 1;
  /** Always true, since a Responses stream always reports usage. */
  readonly includeUsage: true;
  readonly thinkingTokens: 0;
  /** Whether the caller asked for reasoning, which an upstream may bill without showing it. */
  readonly mayThinkUnseen: boolean;
  readonly oneHourCache: false;
  /** The channel's name as the caller wrote it. The model may lack this channel. */
  readonly channel: string | null;
  readonly allowFallbacks: boolean;
  /** Every part that is not text, in order, including those in the outputs of tools. */
  readonly inputs: readonly MediaInput[];
  /** Nested values to check later for each route, by its price card and upstream. */
  readonly claims: readonly Claim[];
  readonly extras: RequestExtras;
};

type Body = z.output<ReturnType<typeof responsesSchema>>;

type Gathered = {
  readonly inputs: MediaInput[];
  readonly claims: Claim[];
  /** All tools of the request, including those in items and namespaces. */
  readonly tools: FoundTool[];
  /** Whether the request or an item of it asks for reasoning. */
  mayThink: boolean;
  /** Whether the provider may summarize the conversation. */
  compacts: boolean;
};
type FoundTool = { readonly tool: JsonObject; readonly type: string; readonly path: string };

/**
 * Reads a request.
 * @param view the parsed body, in which long strings may be truncated.
 * @throws GatewayError `missing_required_parameter`, `invalid_value`,
 *   `previous_response_not_found` or, for a reference to an item, `not_found`.
 */
export function readResponsesRequest(view: Record<string, unknown>): ResponsesRequest {
  checkLengths(view, REQUEST_ENTRIES);
  const body = parseWith(responsesSchema(), view, '');
  refuseStored(body);
  readToolChoice(body.tool_choice);
  const effort = body.reasoning?.effort ?? null;
  const gathered: Gathered = {
    ...{ inputs: [], claims: [], tools: [] },
    mayThink: mayThink({ reasoning_effort: effort }),
    compacts: (body.context_management ?? []).length > 0,
  };
  const { claims, inputs, tools } = gathered;
  claimMembers(body, SENT_MEMBERS, claims);
  readFormat(body.text?.format, 'text.format');
  if ((body.reasoning?.mode ?? 'standard') !== 'standard')
    claim(claims, 'reasoning.mode', PRO_MODE, body.reasoning?.mode);
  claimCacheLifetime(body.prompt_cache_options, 'prompt_cache_options', claims);
  claimCompactions(body, claims);
  for (const [index, tool] of (body.tools ?? []).entries())
    readTool(tool, `tools[${index}]`, gathered);
  if (typeof body.input !== 'string') {
    for (const [index, item] of body.input.entries()) readItem(item, `input[${index}]`, gathered);
  }
  return {
    model: body.model,
    stream: body.stream === true,
    maxOutputTokens: body.max_output_tokens ?? null,
    maxOutputField: 'max_output_tokens',
    promptField: 'input',
    choices: 1,
    includeUsage: true,
    thinkingTokens: 0,
    mayThinkUnseen: gathered.mayThink,
    oneHourCache: false,
    channel: body.provider?.channel ?? null,
    allowFallbacks: body.provider?.allow_fallbacks ?? true,
    inputs,
    claims,
    extras: {
      requested: { ...NO_FACTS, tier: body.service_tier ?? null },
      serverTools: claimTools(body, gathered),
      addedTokens: addedTokens(tools.map(({ tool }) => tool)),
      compacts: gathered.compacts,
    },
  };
}

/** Refuses a request that continues a stored answer. `fields.ts` has the rules for `store`. */
function refuseStored({ previous_response_id: id }: Body): void {
  if ((id ?? null) === null) return;
  throw new GatewayError(
    'previous_response_not_found',
    'previous_response_id: nothing is stored here; send the whole conversation in `input`, and `store: false`.',
    { param: 'previous_response_id' },
  );
}

/**
 * Adds claims that refuse all of `context_management` except one plain compaction, because the hold
 * covers only that.
 */
function claimCompactions({ context_management: entries }: Body, claims: Claim[]): void {
  for (const [index, entry] of (entries ?? []).entries()) {
    const path = `context_management[${index}]`;
    if (index > 0) claims.push({ param: path, rule: ONE_COMPACTION, value: null });
    else if (entry['type'] !== 'compaction')
      claims.push({ param: `${path}.type`, rule: ONE_COMPACTION, value: null });
    else claimOnly(entry, path, ['type', 'compact_threshold'], claims);
  }
}

function readToolChoice(choice: Body['tool_choice']): void {
  if (typeof choice !== 'object' || choice === null) return;
  refuseVariants(choice, 'tool_choice');
  checkLengths(choice, ALLOWED_ENTRIES, 'tool_choice');
  const schema = toolChoiceSchemas().get(choice.type);
  if (schema !== undefined) parseWith(schema, choice, 'tool_choice');
}

function readFormat(format: NonNullable<Body['text']>['format'], path: string): void {
  if (format?.type !== 'json_schema') return;
  if ((format.name ?? '') === '') throw missing(`${path}.name`, 'it must be a name for the schema');
  if ((format.schema ?? null) === null)
    throw missing(`${path}.schema`, 'it must be a JSON schema object');
}

/** Reads a tool of the request or of an item, and the tools within a namespace. */
function readTool(value: unknown, path: string, gathered: Gathered, isInside = false): void {
  if (isJsonObject(value)) {
    refuseVariants(value, path);
    checkLengths(value, TOOL_ENTRIES, path);
  }
  const tool = parseWith(anyTool(), value, path);
  const { type } = tool;
  const schema = toolSchemas().get(type);
  if (schema !== undefined) parseWith(schema, tool, path);
  if (type !== 'namespace') {
    gathered.tools.push({ tool, type, path });
    return;
  }
  if (isInside) throw invalid(`${path}.type`, 'must not be a namespace within a namespace');
  for (const [index, each] of asArray(tool['tools']).entries())
    readTool(each, `${path}.tools[${index}]`, gathered, true);
}

/**
 * Adds a claim for each tool of the provider, so that it is checked against the price card later.
 * Returns the tools that a price card may sell.
 */
function claimTools(body: Body, { tools, claims }: Gathered): readonly ServerTool[] {
  const sold: ServerTool[] = [];
  const isNeeded = needsSearch(body, tools);
  for (const { tool, type, path } of tools) {
    const model = tool['model'] ?? null;
    if (model !== null && !toolSchemas().has(type))
      claim(claims, `${path}.model`, TOOL_MODEL, model);
    const rule = toolRule(type, asJsonObject(tool['environment'])?.['type']);
    if (rule.class === 'bounded') continue;
    const optional = isWebSearch(type) && !isNeeded ? { isOptional: true as const } : {};
    claims.push({ param: `${path}.type`, rule, value: type, ...optional });
    if (rule.class !== 'tool') continue;
    // `max_tool_calls` limits all tools together, so each tool gets only the price card's limit.
    sold.push({ unit: rule.unit, type, param: path, maxUses: null, mayFill: false, ...optional });
  }
  return sold;
}

/** Whether web search is required: there is no other tool, or `tool_choice` allows no other. */
function needsSearch({ tool_choice: choice }: Body, tools: readonly FoundTool[]): boolean {
  if (tools.every(({ type }) => isWebSearch(type))) return true;
  if (typeof choice !== 'object' || choice === null) return false;
  if (choice.type !== 'allowed_tools') return isWebSearch(choice.type);
  return asArray(choice['tools']).every((each) => isWebSearch(asJsonObject(each)?.['type']));
}

function readItem(value: unknown, path: string, gathered: Gathered): void {
  if (isJsonObject(value)) {
    refuseVariants(value, path);
    checkLengths(value, ITEM_ENTRIES, path);
    refuseReference(value, path);
  }
  const type = isJsonObject(value) ? (value['type'] ?? 'message') : 'message';
  const schema = typeof type === 'string' ? (itemSchemas().get(type) ?? anyItem()) : anyItem();
  const item = asJsonObject(parseWith(schema, value, path)) ?? {};
  // Any item may offer tools, except `mcp_list_tools`, which repeats a list that the provider
  // wrote.
  if (type !== 'mcp_list_tools') {
    for (const [index, tool] of asArray(item['tools']).entries())
      readTool(tool, `${path}.tools[${index}]`, gathered);
  }
  switch (type) {
    case 'message':
    case 'agent_message':
      readContent(item['content'], `${path}.content`, gathered);
      return;
    case 'function_call_output':
    case 'custom_tool_call_output':
      readContent(item['output'], `${path}.output`, gathered);
      return;
    case 'computer_call_output':
      if (!isJsonObject(item['output'])) throw invalid(`${path}.output`, 'must be an object');
      readImage(item['output'], `${path}.output`, gathered);
      return;
    case 'code_interpreter_call':
      for (const [index, each] of asArray(item['outputs']).entries()) {
        const { type: kind, url } = asJsonObject(each) ?? {};
        if (kind === 'logs') continue;
        const param = `${path}.outputs[${index}]`;
        gathered.inputs.push({ modality: 'unknown', param, source: sourceIn(url) });
      }
      return;
    case 'reasoning':
    case 'compaction':
    case 'context_compaction':
      readSealed(item['encrypted_content'], path, gathered);
      return;
    case 'configuration_update':
      readUpdate(item, path, gathered);
      return;
    case 'compaction_trigger':
      gathered.compacts = true;
      return;
    default:
      if (!TEXT_ITEMS.has(type)) readUnknown(item, path, gathered);
  }
}

/** Items that are only text: the request contains everything that is billed for them. */
const TEXT_ITEMS: ReadonlySet<unknown> = new Set([
  ...['function_call', 'custom_tool_call', 'tool_search_call'],
  ...['additional_tools', 'tool_search_output'],
  ...['web_search_call', 'file_search_call', 'computer_call'],
  ...['local_shell_call', 'local_shell_call_output', 'shell_call', 'shell_call_output'],
  ...['apply_patch_call', 'apply_patch_call_output', 'mcp_list_tools', 'mcp_call'],
  ...['mcp_approval_request', 'mcp_approval_response', 'program', 'program_output'],
]);

/** Refuses a reference to a stored item: an object with the item's `id`, even without a type. */
function refuseReference({ type, id, role, content }: JsonObject, path: string): void {
  const isBare = (type ?? null) === null && role === undefined && content === undefined;
  if (type !== 'item_reference' && !(isBare && typeof id === 'string')) return;
  const shown = typeof id === 'string' ? id.slice(0, MAX_SHOWN_CHARACTERS) : '';
  throw new GatewayError(
    'not_found',
    `${path}: Item with id '${shown}' not found. Items are not persisted when \`store\` is set to false, and nothing is stored here. Send the item itself, and set \`store: false\` (AI SDK: \`providerOptions.openai.store = false\`).`,
    { param: path },
  );
}
const MAX_SHOWN_CHARACTERS = 64;

/** Reads an item that changes settings for the rest of the conversation. */
function readUpdate(item: JsonObject, path: string, gathered: Gathered): void {
  claimRefusedMembers(item, path, gathered.claims);
  claimRefusedMembers(item['reasoning'], `${path}.reasoning`, gathered.claims);
  const { effort, mode } = asJsonObject(item['reasoning']) ?? {};
  if (mayThink({ reasoning_effort: effort })) gathered.mayThink = true;
  if ((mode ?? 'standard') !== 'standard')
    claim(gathered.claims, `${path}.reasoning.mode`, PRO_MODE, mode);
}

/**
 * Reads an item or part of an unknown type. It counts as media of unknown size, because an upstream
 * may know the type and read media in it.
 */
function readUnknown(value: JsonObject, path: string, { inputs, claims }: Gathered): void {
  const fileId = value['file_id'] ?? null;
  if (fileId !== null) claim(claims, `${path}.file_id`, FILE_ID, fileId);
  claimRefusedMembers(value, path, claims);
  inputs.push({ modality: 'unknown', param: path, source: REMOTE });
}

function readContent(value: unknown, path: string, gathered: Gathered): void {
  if (typeof value === 'string') return;
  for (const [index, part] of contentIn(value, path, 'parts').entries())
    readPart(part, `${path}[${index}]`, gathered);
}

/** Types of parts that are only text. */
const TEXT_PARTS: ReadonlySet<string> = new Set([
  ...['input_text', 'output_text', 'text', 'refusal', 'summary_text', 'reasoning_text'],
]);

function readPart(value: unknown, path: string, gathered: Gathered): void {
  if (isJsonObject(value)) refuseVariants(value, path);
  const part = parseWith(anyPart(), value, path);
  const { type, prompt_cache_breakpoint: marker } = part;
  const schema = partSchemas().get(type);
  if (schema !== undefined) parseWith(schema, part, path);
  claimCacheLifetime(marker, `${path}.prompt_cache_breakpoint`, gathered.claims);
  if (TEXT_PARTS.has(type)) return;
  const { inputs, claims } = gathered;
  switch (type) {
    case 'input_image':
    case 'computer_screenshot':
      readImage(part, path, gathered);
      return;
    case 'input_file': {
      const { file_id: fileId, file_data: data, file_url: url } = part;
      if ((fileId ?? null) !== null) claim(claims, `${path}.file_id`, FILE_ID, fileId);
      // If a file has both data and a URL, it is undocumented which one a server reads, so the file
      // counts as remote.
      refuseScheme(url, `${path}.file_url`);
      const inline = sourceIn(data, `${path}.file_data`);
      const source = (url ?? '') === '' ? inline : REMOTE;
      inputs.push({ modality: 'file', param: path, source });
      return;
    }
    case 'input_audio': {
      const { data } = asJsonObject(part['input_audio']) ?? {};
      const source = sourceIn(data, `${path}.input_audio.data`);
      inputs.push({ modality: 'audio', param: path, source });
      return;
    }
    default:
      readUnknown(part, path, gathered);
  }
}

function readImage(part: JsonObject, path: string, { inputs, claims }: Gathered): void {
  const { file_id: fileId, image_url: url, detail } = part;
  if ((fileId ?? null) !== null) claim(claims, `${path}.file_id`, FILE_ID, fileId);
  // Translators send `high` instead of `original`.
  const only = 'untranslated';
  if ((detail ?? null) !== null)
    claims.push({ param: `${path}.detail`, rule: IMAGE_DETAIL, value: detail, only });
  inputs.push({ modality: 'image', param: path, source: sourceIn(url, `${path}.image_url`) });
  // The provider reads an image at full size if `detail` is `original`, and a screenshot in any
  // case. The size and the cost of a remote image are unknown.
  const isFull = detail === 'original' || part['type'] !== 'input_image';
  if (isOtherFile(url) || (isFull && !isDataUrl(url)))
    inputs.push({ modality: 'unknown', param: path, source: REMOTE });
}

/** Reads encrypted reasoning. It counts as at most one token per byte of its text. */
function readSealed(data: unknown, path: string, { inputs }: Gathered): void {
  if (typeof data === 'string' && data !== '')
    inputs.push({ modality: 'unknown', param: path, source: { kind: 'sealed', data } });
}
