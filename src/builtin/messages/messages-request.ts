/** Parses a Messages body and validates the known fields. Ignores unknown fields. */
import { Fields, type JsonObject } from '../body-fields.ts';
import {
  type CacheLife,
  type Conversation,
  EFFORTS,
  type Effort,
  type OutputFormat,
  type Tool,
  type ToolChoice,
  type Turn,
} from '../builtin-conversation.ts';
import { invalid, RequestError } from '../request-error.ts';
import { lintSchema } from '../schema/schema-lint.ts';
import { readMarker, readMessagesTurns } from './messages-turns.ts';

export type MessagesRequest = {
  readonly conversation: Conversation;
  readonly stream: boolean;
  /** Whether the answer contains thinking blocks without their text. */
  readonly hidesThinking: boolean;
  /** Whether the body has `context_management`. Its edits are accepted but not applied. */
  readonly managesContext: boolean;
};

const MAX_MARKERS = 4;
const MIN_THINKING_TOKENS = 1024;
const MIN_TASK_BUDGET_TOKENS = 20_000;
const DEFAULT_EFFORT: Effort = 'high';
const NOT_SETTINGS = ['stream', 'messages', 'system', 'tools', 'model'] as const;

/**
 * @param generates whether an answer is generated; false for `count_tokens`, whose body has no
 *   `max_tokens`.
 */
export function readMessagesRequest(body: JsonObject, generates: boolean): MessagesRequest {
  const fields = new Fields(body, '');
  const model = fields.requiredString('model');
  const maxTokens = fields.integer('max_tokens', { min: 0 });
  if (generates && maxTokens === undefined) fields.missing('max_tokens');
  checkSampling(fields);
  const tools = readMessagesTools(fields);
  const { choice, parallelCalls } = readToolChoice(fields, tools);
  const { turns, prefill } = readMessagesTurns(fields);
  const settings: Record<string, unknown> = { ...body };
  for (const name of NOT_SETTINGS) delete settings[name];
  const conversation: Conversation = {
    model,
    ...withMarkers(fields, tools, turns),
    choice,
    parallelCalls,
    announcesCalls: choice.kind === 'may',
    format: readFormat(fields),
    ...readThinking(fields, maxTokens),
    maxTokens: maxTokens ?? null,
    stopSequences: fields.strings('stop_sequences'),
    prefill,
    settings: JSON.stringify(settings),
  };
  if (fields.has('compaction')) {
    throw new RequestError(
      'unsupported_value',
      'compaction',
      'This model does not support compaction.',
    );
  }
  return {
    conversation,
    stream: fields.boolean('stream') ?? false,
    hidesThinking: fields.child('thinking')?.string('display') === 'omitted',
    managesContext: fields.child('context_management') !== undefined,
  };
}

function checkSampling(fields: Fields): void {
  fields.number('temperature', { min: 0, max: 1 });
  fields.number('top_p', { min: 0, max: 1 });
  fields.integer('top_k', { min: 0 });
  fields.oneOf('service_tier', ['auto', 'standard_only']);
  fields.child('metadata')?.string('user_id');
  const budget = fields.child('output_config')?.child('task_budget');
  if (budget === undefined) return;
  if (budget.oneOf('type', ['tokens']) === undefined) budget.missing('type');
  const total = budget.integer('total', { min: MIN_TASK_BUDGET_TOKENS }) ?? budget.missing('total');
  budget.integer('remaining', { min: 0, max: total });
}

function readToolChoice(
  fields: Fields,
  tools: readonly Tool[],
): { readonly choice: ToolChoice; readonly parallelCalls: boolean } {
  const names = new Set(
    tools.flatMap(({ name, input }) => (input.kind === 'server' ? [] : [name])),
  );
  const given = fields.child('tool_choice');
  if (given === undefined) {
    return {
      choice: names.size === 0 ? { kind: 'none' } : { kind: 'may', names },
      parallelCalls: true,
    };
  }
  const type = given.oneOf('type', ['auto', 'any', 'tool', 'none']) ?? given.missing('type');
  if (type === 'none') return { choice: { kind: 'none' }, parallelCalls: true };
  if (names.size === 0) throw invalid('tool_choice', "Only allowed with 'tools'.");
  const parallelCalls = given.boolean('disable_parallel_tool_use') !== true;
  if (type === 'auto') return { choice: { kind: 'may', names }, parallelCalls };
  if (type === 'any') return { choice: { kind: 'must', names }, parallelCalls };
  const name = given.requiredString('name');
  if (!names.has(name)) {
    throw invalid('tool_choice.name', `'tools' has no tool '${name}'.`);
  }
  return { choice: { kind: 'must', names: new Set([name]) }, parallelCalls };
}

function readThinking(
  fields: Fields,
  maxTokens: number | undefined,
): Pick<Conversation, 'effort' | 'thinkingBudget'> {
  const levels = EFFORTS.filter((level) => level !== 'minimal');
  const effort = fields.child('output_config')?.oneOf('effort', levels) ?? DEFAULT_EFFORT;
  const thinking = fields.child('thinking');
  if (thinking === undefined) return { effort: null, thinkingBudget: null };
  const types = ['adaptive', 'enabled', 'disabled', 'between_tools'] as const;
  const type = thinking.oneOf('type', types) ?? thinking.missing('type');
  thinking.oneOf('display', ['summarized', 'omitted', 'updates']);
  if (type === 'disabled' || type === 'between_tools')
    return { effort: null, thinkingBudget: null };
  if (type === 'adaptive') return { effort, thinkingBudget: null };
  const budget =
    thinking.integer('budget_tokens', { min: MIN_THINKING_TOKENS }) ??
    thinking.missing('budget_tokens');
  if (maxTokens !== undefined && budget >= maxTokens) {
    throw invalid('thinking.budget_tokens', "Must be less than 'max_tokens'.");
  }
  return { effort, thinkingBudget: budget };
}

function readFormat(fields: Fields): OutputFormat {
  // `output_format` was the field's name during the provider's beta.
  const format = fields.child('output_config')?.child('format') ?? fields.child('output_format');
  if (format === undefined) return { kind: 'text' };
  if (format.oneOf('type', ['json_schema']) === undefined) format.missing('type');
  const { schema } = format.object;
  if (schema === undefined) return format.missing('schema');
  lintSchema(schema, format.at('schema'));
  return { kind: 'json_schema', schema };
}

/**
 * If the request itself has a cache marker, adds the marker to the last block of the prompt.
 * Validates all markers.
 */
function withMarkers(
  fields: Fields,
  tools: readonly Tool[],
  turns: readonly Turn[],
): { readonly tools: readonly Tool[]; readonly turns: readonly Turn[] } {
  const automatic = readMarker(fields);
  const marked = automatic === null ? turns : markLast(turns, automatic);
  const markers = [...tools, ...marked.flatMap((turn) => turn.parts)].flatMap(({ marker }) =>
    marker === null ? [] : [marker],
  );
  if (markers.length > MAX_MARKERS) {
    throw invalid(
      'cache_control',
      `At most ${MAX_MARKERS} blocks may have cache_control; found ${markers.length}.`,
    );
  }
  if (markers.lastIndexOf('1h') > markers.indexOf('5m') && markers.includes('5m')) {
    throw invalid('cache_control', "A block with ttl '1h' must not come after one with ttl '5m'.");
  }
  return { tools, turns: marked };
}

function markLast(turns: readonly Turn[], marker: CacheLife): readonly Turn[] {
  const last = turns.at(-1);
  const index = last?.parts.findLastIndex((part) => part.kind !== 'thinking') ?? -1;
  if (last === undefined || index < 0) return turns;
  const parts = last.parts.map((part, at) => (at === index ? { ...part, marker } : part));
  return [...turns.slice(0, -1), { ...last, parts }];
}

const NAME = /^[A-Za-z0-9_-]{1,128}$/;

const string = { type: 'string' } as const;
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/**
 * The argument schemas of tools that Anthropic defines and clients run. Each is listed with the
 * prefix of the tool's type.
 */
const TYPED_SCHEMAS: readonly (readonly [string, JsonObject])[] = [
  ['bash_', object({ command: string })],
  ['text_editor_', object({ command: { const: 'view' }, path: string })],
  [
    'memory_',
    object({ command: { const: 'view' }, path: { type: 'string', default: '/memories' } }),
  ],
];

function readMessagesTools(fields: Fields): readonly Tool[] {
  const tools = fields.children('tools').map(readTool);
  const names = tools.map((tool) => tool.name);
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated >= 0) throw invalid(`tools[${repeated}].name`, 'Tool names must be unique.');
  return tools;
}

function readTool(fields: Fields): Tool {
  const type = fields.string('type') ?? 'custom';
  const marker = readMarker(fields);
  if (type !== 'custom') return { ...typedTool(fields, type), marker };
  const name = fields.requiredString('name');
  if (!NAME.test(name)) {
    throw invalid(fields.at('name'), 'Use 1 to 128 letters, digits, underscores or dashes.');
  }
  const schema = fields.requiredChild('input_schema');
  if (schema.object['type'] !== 'object') {
    throw invalid(schema.at('type'), "Must be 'object'.");
  }
  lintSchema(schema.object, schema.path);
  const description = fields.string('description') ?? '';
  return { name, description, input: { kind: 'schema', schema: schema.object }, marker };
}

function typedTool(fields: Fields, type: string): Omit<Tool, 'marker'> {
  const name = fields.string('name') ?? fields.string('mcp_server_name') ?? type;
  const schema = TYPED_SCHEMAS.find(([start]) => type.startsWith(start))?.[1];
  if (schema !== undefined) return { name, description: '', input: { kind: 'schema', schema } };
  // The built-in model receives all tools at once, so it never needs to search them.
  if (type.startsWith('tool_search_')) return { name, description: '', input: { kind: 'server' } };
  throw new RequestError(
    'unsupported_value',
    fields.at('type'),
    `This model cannot use a tool of type '${type}'; define a tool with name and input_schema.`,
  );
}
