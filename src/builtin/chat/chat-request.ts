/** Parses a chat completions body and validates the known fields. Ignores unknown fields. */
import { askedEffort } from '../../protocols/chat-to-messages/options.ts';
import { Fields, type JsonObject } from '../body-fields.ts';
import type {
  Conversation,
  Effort,
  OutputFormat,
  Tool,
  ToolChoice,
} from '../builtin-conversation.ts';
import { EFFORTS } from '../builtin-conversation.ts';
import { invalid, RequestError } from '../request-error.ts';
import { lintSchema } from '../schema/schema-lint.ts';
import { readChatTurns } from './chat-turns.ts';

export type ChatRequest = {
  readonly conversation: Conversation;
  readonly stream: boolean;
  readonly includeUsage: boolean;
  /** The number of answers (the field `n`). */
  readonly choices: number;
  /** The number of alternatives to list for each token. Null means no log probabilities. */
  readonly topLogprobs: number | null;
  readonly serviceTier: string;
};

const MAX_CHOICES = 128;
const MAX_STOPS = 4;
const MAX_TOP_LOGPROBS = 20;
const MAX_METADATA = 16;
const MAX_TOOLS = 128;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Fields that `settings` omits, because they do not affect the answer or are hashed separately. */
const NOT_SETTINGS = ['stream', 'stream_options', 'messages', 'tools', 'model'] as const;

/** @throws RequestError for a body that the protocol does not allow. */
export function readChatRequest(body: JsonObject): ChatRequest {
  const fields = new Fields(body, '');
  const model = fields.requiredString('model');
  checkSampling(fields);
  const tools = readChatTools(fields);
  const settings: Record<string, unknown> = { ...body };
  for (const name of NOT_SETTINGS) delete settings[name];
  const conversation: Conversation = {
    model,
    tools,
    turns: readChatTurns(fields),
    choice: readToolChoice(fields, new Set(tools.map((tool) => tool.name))),
    parallelCalls: fields.boolean('parallel_tool_calls') ?? true,
    announcesCalls: false,
    format: readFormat(fields),
    effort: readEffort(fields),
    thinkingBudget: null,
    maxTokens:
      fields.integer('max_completion_tokens', { min: 1 }) ??
      fields.integer('max_tokens', { min: 1 }) ??
      null,
    stopSequences: readStops(fields),
    prefill: null,
    settings: JSON.stringify(settings),
  };
  const wantsLogprobs = fields.boolean('logprobs') ?? false;
  const top = fields.integer('top_logprobs', { min: 0, max: MAX_TOP_LOGPROBS });
  if (top !== undefined && !wantsLogprobs) {
    throw invalid('top_logprobs', "Requires 'logprobs' to be true.");
  }
  return {
    conversation,
    stream: fields.boolean('stream') ?? false,
    includeUsage: readIncludeUsage(fields),
    choices: fields.integer('n', { min: 1, max: MAX_CHOICES }) ?? 1,
    topLogprobs: wantsLogprobs ? (top ?? 0) : null,
    serviceTier: servedTier(fields.string('service_tier')),
  };
}

/**
 * Validates the sampling parameters, the metadata and the modalities. These fields have no effect
 * on an answer except through its seed (the hash of the request), because the models are
 * deterministic.
 */
function checkSampling(fields: Fields): void {
  fields.number('temperature', { min: 0, max: 2 });
  fields.number('top_p', { min: 0, max: 1 });
  fields.number('presence_penalty', { min: -2, max: 2 });
  fields.number('frequency_penalty', { min: -2, max: 2 });
  fields.integer('seed');
  fields.child('logit_bias');
  fields.oneOf('verbosity', ['low', 'medium', 'high']);
  const metadata = fields.child('metadata');
  if (metadata !== undefined && Object.keys(metadata.object).length > MAX_METADATA) {
    throw invalid('metadata', `At most ${MAX_METADATA} pairs are allowed.`);
  }
  if (fields.strings('modalities').includes('audio')) {
    throw new RequestError('unsupported_value', 'modalities', 'This model only returns text.');
  }
}

function readIncludeUsage(fields: Fields): boolean {
  const options = fields.child('stream_options');
  if (options !== undefined && fields.boolean('stream') !== true) {
    throw invalid('stream_options', "Only allowed when 'stream' is true.");
  }
  return options?.boolean('include_usage') ?? false;
}

/** Returns the service tier to report in the answer. `fast` is an old name of `priority`. */
function servedTier(asked: string | undefined): string {
  if (asked === undefined || asked === 'auto') return 'default';
  return asked === 'fast' ? 'priority' : asked;
}

function readStops(fields: Fields): readonly string[] {
  if (typeof fields.object['stop'] === 'string') return [fields.object['stop']];
  const stops = fields.strings('stop');
  if (stops.length > MAX_STOPS)
    throw invalid('stop', `At most ${MAX_STOPS} stop sequences are allowed.`);
  return stops;
}

function readEffort(fields: Fields): Effort | null {
  fields.oneOf('reasoning_effort', ['none', ...EFFORTS]);
  const asked = askedEffort(fields.object);
  return EFFORTS.find((effort) => effort === asked) ?? null;
}

function readFormat(fields: Fields): OutputFormat {
  const format = fields.child('response_format');
  const kind = format?.oneOf('type', ['text', 'json_object', 'json_schema']);
  if (format === undefined) return { kind: 'text' };
  if (kind === undefined) return format.missing('type');
  if (kind !== 'json_schema') return { kind };
  const spec = format.requiredChild('json_schema');
  if (!NAME.test(spec.requiredString('name'))) {
    throw invalid(spec.at('name'), 'Use 1 to 64 letters, digits, underscores or dashes.');
  }
  const { schema } = spec.object;
  if (schema === undefined) return spec.missing('schema');
  lintSchema(schema, spec.at('schema'));
  return { kind, schema };
}

function readToolChoice(fields: Fields, names: ReadonlySet<string>): ToolChoice {
  const { tool_choice: raw } = fields.object;
  if ((raw ?? null) === null) return names.size === 0 ? { kind: 'none' } : { kind: 'may', names };
  if (typeof raw === 'string') {
    const word = fields.oneOf('tool_choice', ['none', 'auto', 'required']);
    if (word === 'none') return { kind: 'none' };
    if (names.size === 0) throw invalid('tool_choice', "Only allowed with 'tools'.");
    return { kind: word === 'required' ? 'must' : 'may', names };
  }
  const choice = fields.requiredChild('tool_choice');
  const kind =
    choice.oneOf('type', ['function', 'custom', 'allowed_tools']) ?? choice.missing('type');
  if (kind !== 'allowed_tools') {
    return { kind: 'must', names: known(names, choice.requiredChild(kind)) };
  }
  const allowed = choice.requiredChild('allowed_tools');
  const mode = allowed.oneOf('mode', ['auto', 'required']) ?? allowed.missing('mode');
  const listed = allowed.children('tools').flatMap((tool) => {
    const type = tool.oneOf('type', ['function', 'custom']) ?? tool.missing('type');
    return [...known(names, tool.requiredChild(type))];
  });
  return { kind: mode === 'required' ? 'must' : 'may', names: new Set(listed) };
}

function known(names: ReadonlySet<string>, holder: Fields): ReadonlySet<string> {
  const name = holder.requiredString('name');
  if (!names.has(name)) throw invalid(holder.at('name'), `'tools' has no tool '${name}'.`);
  return new Set([name]);
}

function readChatTools(fields: Fields): readonly Tool[] {
  if (fields.has('functions')) {
    const message = "The deprecated 'functions' are not supported; use 'tools'.";
    throw new RequestError('unsupported_value', 'functions', message);
  }
  const tools = fields.children('tools').map(readTool);
  if (tools.length > MAX_TOOLS) throw invalid('tools', `At most ${MAX_TOOLS} tools are allowed.`);
  const names = tools.map((tool) => tool.name);
  const repeated = names.findIndex((name, index) => names.indexOf(name) < index);
  if (repeated >= 0) throw invalid(`tools[${repeated}]`, 'Tool names must be unique.');
  return tools;
}

function readTool(fields: Fields): Tool {
  const type = fields.oneOf('type', ['function', 'custom']) ?? fields.missing('type');
  return type === 'function'
    ? readFunction(fields.requiredChild('function'))
    : readCustom(fields.requiredChild('custom'));
}

function readFunction(fields: Fields): Tool {
  const base = named(fields);
  const parameters = fields.object['parameters'] ?? { type: 'object', properties: {} };
  lintSchema(parameters, fields.at('parameters'));
  const type = fields.child('parameters')?.object['type'];
  if (type !== undefined && type !== 'object') {
    throw invalid(fields.at('parameters.type'), "Must be 'object'.");
  }
  return { ...base, input: { kind: 'schema', schema: parameters } };
}

function readCustom(fields: Fields): Tool {
  const format = fields.child('format');
  const kind = format?.oneOf('type', ['text', 'grammar']);
  const grammar = kind === 'grammar' ? format?.requiredChild('grammar') : undefined;
  if (grammar?.oneOf('syntax', ['lark', 'regex']) === 'regex') {
    const message = 'The built-in models cannot follow a regex grammar.';
    throw new RequestError('unsupported_value', grammar.at('syntax'), message);
  }
  grammar?.requiredString('definition');
  return { ...named(fields), input: { kind: 'free_text' } };
}

function named(fields: Fields): Omit<Tool, 'input'> {
  const name = fields.requiredString('name');
  if (!NAME.test(name)) {
    throw invalid(fields.at('name'), 'Use 1 to 64 letters, digits, underscores or dashes.');
  }
  return { name, description: fields.string('description') ?? '', marker: null };
}
