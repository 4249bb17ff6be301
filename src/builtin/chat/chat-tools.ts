/** `tools` and the deprecated `functions` of a chat request. */

import type { Fields } from '../body-fields.ts';
import type { Tool } from '../builtin-conversation.ts';
import { invalid } from '../request-error.ts';
import { lintSchema } from '../schema/schema-lint.ts';

const MAX_TOOLS = 128;
const NAME = /^[A-Za-z0-9_-]{1,64}$/;

export function readChatTools(fields: Fields): {
  readonly tools: readonly Tool[];
  readonly usesFunctions: boolean;
} {
  const functions = fields.children('functions');
  const tools = fields.children('tools');
  const usesFunctions = functions.length > 0 && tools.length === 0;
  const read = usesFunctions ? functions.map(readFunction) : tools.map(readTool);
  const field = usesFunctions ? 'functions' : 'tools';
  if (read.length > MAX_TOOLS) throw invalid(field, `At most ${MAX_TOOLS} tools are allowed.`);
  const repeated = read.findIndex((tool, index) =>
    read.slice(0, index).some((earlier) => earlier.name === tool.name),
  );
  if (repeated >= 0) {
    throw invalid(`${field}[${repeated}]`, 'Two tools have this name; give each its own.');
  }
  return { tools: read, usesFunctions };
}

function readTool(fields: Fields): Tool {
  const type = fields.oneOf('type', ['function', 'custom']) ?? fields.missing('type');
  return type === 'function'
    ? readFunction(fields.requiredChild('function'))
    : readCustom(fields.requiredChild('custom'));
}

function readFunction(fields: Fields): Tool {
  const { parameters: schema = { type: 'object', properties: {} } } = fields.object;
  const base = named(fields);
  const parameters = schema === null ? { type: 'object', properties: {} } : schema;
  lintSchema(parameters, fields.at('parameters'));
  const type = fields.child('parameters')?.object['type'];
  if (type !== undefined && type !== 'object') {
    throw invalid(fields.at('parameters.type'), "Arguments are an object: use type 'object'.");
  }
  return { ...base, input: { kind: 'schema', schema: parameters } };
}

function readCustom(fields: Fields): Tool {
  const format = fields.child('format');
  const kind = format?.oneOf('type', ['text', 'grammar']);
  const grammar = kind === 'grammar' ? format?.requiredChild('grammar') : undefined;
  const syntax = grammar?.oneOf('syntax', ['lark', 'regex']);
  const definition = grammar?.requiredString('definition') ?? null;
  return {
    ...named(fields),
    input: { kind: 'free_text', pattern: syntax === 'regex' ? definition : null },
  };
}

function named(fields: Fields): Omit<Tool, 'input'> {
  const name = fields.requiredString('name');
  if (!NAME.test(name)) {
    throw invalid(fields.at('name'), 'Use 1 to 64 letters, digits, underscores or dashes.');
  }
  return { name, description: fields.string('description') ?? '', marker: null };
}
