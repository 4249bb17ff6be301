/**
 * The schema of a Messages request, for validation and `/openapi.json`. The protocol gains fields
 * and block types quickly, so only an invalid value of a known field is an error.
 */
import * as z from 'zod';
import { built } from '../../config/document/on-demand.ts';
import { isJsonObject, type JsonObject } from '../../json/object.ts';
import { MAX_MESSAGES, maxEntries, must, object, providerOption, text } from '../validation.ts';

export const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'] as const;
export type Effort = (typeof EFFORTS)[number];

/**
 * These four limits are set by the gateway. They are higher than the limits that any server
 * documents.
 */
const MAX_STOP_SEQUENCES = 1024;
const MAX_MCP_SERVERS = 20;
const MAX_CONTEXT_EDITS = 64;
const MAX_TOOLS = 2048;
/** The maximum number of entries of each list or map that the schema validates. */
export const REQUEST_ENTRIES = maxEntries(
  {
    messages: MAX_MESSAGES,
    stop_sequences: MAX_STOP_SEQUENCES,
    mcp_servers: MAX_MCP_SERVERS,
    tools: MAX_TOOLS,
  },
  [
    ...['cache_control', 'compaction', 'container', 'context_management', 'diagnostics'],
    ...['metadata', 'output_config', 'output_format', 'provider', 'thinking', 'tool_choice'],
  ],
);
export const CONTEXT_ENTRIES = maxEntries({ edits: MAX_CONTEXT_EDITS });
export const TOOL_ENTRIES = maxEntries({}, ['input_schema']);
/** Minimum thinking budget of the public protocol, in tokens. */
export const MIN_THINKING_TOKENS = 1024;
/** Minimum task budget of the public protocol, in tokens. */
export const MIN_TASK_BUDGET_TOKENS = 20_000;

const flag = () => z.boolean(must('true or false'));
const number = () => z.number(must('a number'));

const cacheControl = built(() =>
  object(
    {
      type: text("'ephemeral'"),
      ttl: z.enum(['5m', '1h'], must("'5m' or '1h'")).nullish(),
    },
    'a cache marker such as {"type": "ephemeral", "ttl": "5m"}, or null',
  ).nullish(),
);

const source = built(() =>
  object({
    type: text("a source type: 'base64', 'url', 'text', 'content' or 'file'"),
  }),
);

const SOURCES = built(
  () =>
    ({
      base64: object({ type: z.literal('base64'), media_type: text(), data: text('base64 text') }),
      url: object({ type: z.literal('url'), url: text('an address') }),
      file: object({ type: z.literal('file'), file_id: text() }),
      text: object({ type: z.literal('text'), data: text() }),
      content: object({ type: z.literal('content') }),
    }) as const,
);

export const anyBlock = built(() =>
  object({
    type: text("a block type such as 'text'"),
    cache_control: cacheControl(),
  }),
);

/**
 * Schemas of the block types whose members are validated here. Blocks of other types are checked by
 * `request.ts` and the field rules.
 */
const BLOCKS = built(
  () =>
    ({
      text: object({ type: z.literal('text'), text: text(), cache_control: cacheControl() }),
      image: object({ type: z.literal('image'), source: source(), cache_control: cacheControl() }),
      document: object({
        type: z.literal('document'),
        source: source(),
        title: text('a string or null').nullish(),
        context: text('a string or null').nullish(),
        cache_control: cacheControl(),
      }),
      tool_use: object({
        type: z.literal('tool_use'),
        id: text(),
        name: text(),
        input: object({}),
        cache_control: cacheControl(),
      }),
      tool_result: object({
        type: z.literal('tool_result'),
        tool_use_id: text('the id of the tool_use block it answers'),
        is_error: flag().nullish(),
        cache_control: cacheControl(),
      }),
      thinking: object({
        type: z.literal('thinking'),
        thinking: text(),
        // LangChain for Python leaves out a signature that is empty in a stream.
        signature: text('the signature that came with the block').nullish(),
      }),
      redacted_thinking: object({ type: z.literal('redacted_thinking'), data: text() }),
    }) as const,
);

export const clientTool = built(() =>
  object({
    type: z.literal('custom').nullish(),
    name: text("the tool's name"),
    description: text().nullish(),
    input_schema: object({}, 'a JSON schema object such as {"type": "object", "properties": {}}'),
    cache_control: cacheControl(),
  }),
);
/** A tool of the protocol, such as `web_search_20260318`, run by the client or the server. */
export const typedTool = built(() =>
  object({ type: text('a string or null'), cache_control: cacheControl() }),
);

const toolChoice = built(() =>
  object(
    { type: text("'auto', 'any', 'tool' or 'none'"), disable_parallel_tool_use: flag().nullish() },
    'an object such as {"type": "auto"}',
  ),
);
export const namedToolChoice = built(() =>
  object({
    type: z.literal('tool'),
    name: text('the name of a tool'),
  }),
);

const thinking = built(() =>
  object(
    { type: text("'adaptive', 'enabled' or 'disabled'") },
    'an object such as {"type": "adaptive"}',
  ),
);
export const enabledThinking = built(() =>
  object({
    type: z.literal('enabled'),
    budget_tokens: z
      .int(must('an integer, in tokens'))
      .min(MIN_THINKING_TOKENS, `must be at least ${MIN_THINKING_TOKENS} tokens`),
  }),
);

const effort = built(() =>
  z
    .enum(EFFORTS, must(`one of ${EFFORTS.join(', ')}; leave it out for the model's own default`))
    .nullish(),
);

const taskBudget = built(() =>
  object(
    {
      type: z.literal('tokens', must("'tokens'")),
      total: z
        .int(must('an integer, in tokens'))
        .min(MIN_TASK_BUDGET_TOKENS, `must be at least ${MIN_TASK_BUDGET_TOKENS} tokens`),
      remaining: z.int(must('an integer, in tokens')).min(0, 'must be 0 or more').nullish(),
    },
    `an object such as {"type": "tokens", "total": ${MIN_TASK_BUDGET_TOKENS}}`,
  ),
);

const outputConfig = built(() =>
  object({
    effort: effort(),
    format: object({ type: text("'json_schema'") }).nullish(),
    task_budget: taskBudget().nullish(),
  }),
);

const ROLES = ['user', 'assistant', 'system'] as const;
const role = built(() =>
  z.enum(
    ROLES,
    must(
      "'user', 'assistant' or 'system'; a tool's result is a tool_result block in a user message",
    ),
  ),
);
/**
 * The members of a message other than `content`, which is validated block by block so that errors
 * name a block.
 */
export const message = built(() =>
  object(
    { role: role(), output_config: object({ effort: effort() }).nullish() },
    'an object with role and content',
  ),
);

type Message = z.output<ReturnType<typeof message>>;
const KNOWN_ROLES: ReadonlySet<unknown> = new Set(ROLES);

/**
 * Whether a value is a message without options. This check replaces the schema, which would accept
 * such a message unchanged but is slower.
 */
export const isPlainMessage = (value: unknown): value is Message =>
  isJsonObject(value) &&
  KNOWN_ROLES.has(value['role']) &&
  (value['output_config'] ?? null) === null;

/**
 * Whether a block is of a frequent type and valid. This check replaces the schema, which is slower.
 */
export function isPlainBlock(block: JsonObject): boolean {
  if ((block['cache_control'] ?? null) !== null) return false;
  switch (block['type']) {
    case 'text':
      return typeof block['text'] === 'string';
    case 'tool_use':
      return (
        typeof block['id'] === 'string' &&
        typeof block['name'] === 'string' &&
        isJsonObject(block['input'])
      );
    case 'tool_result':
      return typeof block['tool_use_id'] === 'string' && (block['is_error'] ?? false) === false;
    default:
      return false;
  }
}

/** The fields that both a message request and a token counting request may have. */
const shared = built(() => ({
  model: text("the id of a chat model, such as 'gen-opus-4-8'").min(1, 'must not be empty'),
  messages: z
    .array(z.unknown(), must('an array of messages'))
    .min(1, 'must hold at least one message'),
  thinking: thinking().nullish(),
  output_config: outputConfig().nullish(),
  tools: z.array(z.unknown(), must('an array of tools')).nullish(),
  tool_choice: toolChoice().nullish(),
  cache_control: cacheControl(),
  context_management: object({
    edits: z
      .array(object({ type: text('the name of an edit') }), must('an array of edits'))
      .nullish(),
  }).nullish(),
  mcp_servers: z.array(object({}), must('an array of servers')).nullish(),
  provider: providerOption(),
}));

/** The body of `count_tokens`, which lacks the fields that concern the answer. */
export const countTokensSchema = built(() => object(shared()));

/** The top level of a request. Messages, system text and tools are validated one by one. */
export const messagesSchema = built(() =>
  object({
    ...shared(),
    max_tokens: z
      .int(must('an integer: the most tokens the answer may have, such as 4096'))
      .min(0, 'must be 0 or more'),
    stream: flag().nullish(),
    stop_sequences: z.array(text(), must('an array of strings')).nullish(),
    temperature: number().nullish(),
    top_p: number().nullish(),
    top_k: number().nullish(),
    metadata: object({ user_id: text('a string or null').nullish() }).nullish(),
    service_tier: text("'auto' or 'standard_only'").nullish(),
    container: z
      .union([z.string(), z.looseObject({})], must('a container id, an object or null'))
      .nullish(),
    inference_geo: text('a string or null').nullish(),
    speed: text("'standard', 'fast' or null").nullish(),
    diagnostics: object({}).nullish(),
    compaction: object({ type: text("'summarize'") }).nullish(),
    output_format: object({ type: text("'json_schema'") }).nullish(),
  }),
);

/** Schemas of blocks by `type`. A block of unknown type is validated with `anyBlock` alone. */
export const blockSchemas: () => ReadonlyMap<string, z.ZodType> = built(
  () => new Map(Object.entries(BLOCKS())),
);
export const sourceSchemas: () => ReadonlyMap<string, z.ZodType> = built(
  () => new Map(Object.entries(SOURCES())),
);

const content = built(() =>
  z.union([z.string(), z.array(z.union([...Object.values(BLOCKS()), anyBlock()]))]),
);
const parts = built(() => ({
  messages: z.array(message().extend({ content: content().optional() })).min(1),
  system: content().nullish(),
  tools: z.array(z.union([clientTool(), typedTool()])).nullish(),
}));

/**
 * The whole request as one schema, used only for the API reference: validating with it would be too
 * slow.
 */
export const messagesDocument = built(() => messagesSchema().extend(parts()));
export const countTokensDocument = built(() => countTokensSchema().extend(parts()));
