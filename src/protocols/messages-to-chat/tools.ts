/** Translates the tools and the tool choice of a Messages request into those of a chat request. */
import { asArray, asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import { PARAGRAPH } from '../chat/content-parts.ts';
import { canBeStrict, toolInputSchema } from '../json-schema.ts';
import { invalid, unsupportedParameter, unsupportedValue } from '../validation.ts';
import type { Reading } from './conversation.ts';
import { REFUSED_CALLERS, typedToolFate } from './field-table.ts';
import type { ToolNames } from './tool-names.ts';

/**
 * Translates the tools and the tool choice of a Messages request into JSON members of a chat
 * request.
 * @throws GatewayError that names an unsupported tool or choice.
 */
export function readTools(body: JsonObject, reading: Reading): JsonObject {
  const tools = asArray(body['tools']).flatMap((each, index) => {
    const tool = asJsonObject(each) ?? {};
    const isDropped = typedToolFate(asString(tool['type']) ?? '').fate === 'dropped';
    return isDropped ? [] : [readTool(tool, `tools[${index}]`, reading)];
  });
  const choice = asJsonObject(body['tool_choice']);
  const word = choiceOf(choice, tools, reading);
  if (tools.length === 0) return {};
  return {
    tools: tools.map((definition) => ({ type: 'function', function: definition })),
    ...(word === null ? {} : { tool_choice: word }),
    ...(choice?.['disable_parallel_tool_use'] === true ? { parallel_tool_calls: false } : {}),
  };
}

/**
 * Returns the tools with `eager_input_streaming`, by the names that they have in the chat request.
 */
export const eagerTools = (body: JsonObject, names: ToolNames): ReadonlySet<string> =>
  new Set(
    asArray(body['tools']).flatMap((each) => {
      const { name, eager_input_streaming: isEager } = asJsonObject(each) ?? {};
      return isEager === true && typeof name === 'string' ? [names.forChat(name)] : [];
    }),
  );

function readTool(tool: JsonObject, path: string, { placeholders, names }: Reading): JsonObject {
  const type = asString(tool['type']) ?? 'custom';
  const name = asString(tool['name']);
  if (type !== 'custom') return readTypedTool(type, name, path);
  if (name === null) throw invalid(`${path}.name`, "must be the tool's name");
  refuseCallers(tool['allowed_callers'], path);
  const examples = asArray(tool['input_examples']);
  const texts = [
    asString(tool['description']) ?? '',
    examples.length === 0
      ? ''
      : `Examples of its input:\n${examples.map((example) => placeholders.stringify(example)).join('\n')}`,
  ].filter((text) => text !== '');
  const parameters = toolInputSchema(asJsonObject(tool['input_schema']));
  return {
    name: names.forChat(name),
    ...(texts.length === 0 ? {} : { description: texts.join(PARAGRAPH) }),
    parameters,
    // A strict tool of Messages may have optional parameters, but one of chat may not.
    ...(typeof tool['strict'] === 'boolean'
      ? { strict: tool['strict'] && canBeStrict(parameters) }
      : {}),
  };
}

function readTypedTool(type: string, name: string | null, path: string): JsonObject {
  const known = typedTool(type);
  const fate = typedToolFate(type);
  if (known !== null && name !== null) {
    return { name, description: known.description, parameters: known.schema };
  }
  const remedy = fate.fate === 'refused' ? fate.remedy : 'has no name';
  throw unsupportedValue(`${path}.type`, `the tool "${name ?? type}" of type "${type}" ${remedy}`);
}

function refuseCallers(callers: unknown, path: string): void {
  const given = asArray(callers);
  if (given.length === 0 || given.includes('direct')) return;
  throw unsupportedParameter(`${path}.allowed_callers`, REFUSED_CALLERS);
}

/**
 * Returns the `tool_choice` of the chat request; null for the default, which lets the model decide.
 */
function choiceOf(
  choice: JsonObject | null,
  tools: readonly JsonObject[],
  { names }: Reading,
): unknown {
  const type = choice?.['type'];
  if (type === 'none') return 'none';
  if (type === 'any') {
    if (tools.length > 0) return 'required';
    throw invalid('tool_choice', 'requires a tool call, but the request has no tools; add tools');
  }
  if (type !== 'tool') return null;
  const name = names.forChat(asString(choice?.['name']) ?? '');
  if (tools.some((tool) => tool['name'] === name)) return { type: 'function', function: { name } };
  throw invalid(
    'tool_choice.name',
    `"${String(choice?.['name'])}" is not one of the tools in the request; name one of them`,
  );
}

/**
 * A function definition that replaces a client-run tool of the Messages protocol, for models that
 * were not trained on that tool.
 */
type TypedTool = { readonly description: string; readonly schema: JsonObject };

const text = (description: string): JsonObject => ({ type: 'string', description });
const command = (...names: readonly string[]): JsonObject => ({
  type: 'string',
  enum: names,
  description: 'What to do.',
});
const LINES: JsonObject = {
  type: 'array',
  items: { type: 'integer' },
  minItems: 2,
  maxItems: 2,
  description: 'For view: the first and the last line to show, counted from 1; -1 is the end.',
};
const EDITS = {
  file_text: text('For create: the whole content of the file.'),
  old_str: text('For str_replace: the text to be replaced.'),
  new_str: text('For str_replace: the replacement.'),
  insert_line: {
    type: 'integer',
    description:
      'For insert: the line after which the text is inserted; 0 is the start of the file.',
  },
};

const BASH: TypedTool = {
  description: 'Runs a command in a bash session that persists between calls.',
  schema: {
    type: 'object',
    properties: {
      command: text('The command to run. Required unless restart is true.'),
      restart: { type: 'boolean', description: 'true restarts the session.' },
    },
  },
};

const editor = (
  fields: Readonly<Record<string, JsonObject>>,
  ...commands: readonly string[]
): TypedTool => ({
  description:
    'Views, creates and edits text files. str_replace requires old_str to appear in the file exactly once.',
  schema: {
    type: 'object',
    properties: {
      command: command('view', 'create', 'str_replace', 'insert', ...commands),
      path: text('The file or directory.'),
      ...EDITS,
      view_range: LINES,
      ...fields,
    },
    required: ['command', 'path'],
  },
});
const INSERTED = { insert_text: text('For insert: the text to insert.') };

const MEMORY: TypedTool = {
  description: 'Keeps notes in files below /memories that last beyond this conversation.',
  schema: {
    type: 'object',
    properties: {
      command: command('view', 'create', 'str_replace', 'insert', 'delete', 'rename'),
      path: text(
        'The file or directory, such as /memories/notes.md. For every command but rename.',
      ),
      view_range: LINES,
      ...EDITS,
      ...INSERTED,
      old_path: text('For rename: the current path.'),
      new_path: text('For rename: the new path.'),
    },
    required: ['command'],
  },
};

/** In earlier versions of the editor tool, `new_str` is also the text to insert. */
const NEW_STR = {
  new_str: text('For str_replace: the replacement. For insert: the text to insert.'),
};

const BY_BEGINNING: readonly (readonly [beginning: string, tool: TypedTool])[] = [
  ['bash_', BASH],
  ['text_editor_20241022', editor(NEW_STR, 'undo_edit')],
  ['text_editor_20250124', editor(NEW_STR, 'undo_edit')],
  ['text_editor_20250429', editor(NEW_STR)],
  ['text_editor_', editor(INSERTED)],
  ['memory_', MEMORY],
];

/**
 * Returns the function that replaces a Messages tool of the type `type`. Returns null if the type
 * is unknown, or if the client does not run such tools.
 */
const typedTool = (type: string): TypedTool | null =>
  BY_BEGINNING.find(([beginning]) => type.startsWith(beginning))?.[1] ?? null;
