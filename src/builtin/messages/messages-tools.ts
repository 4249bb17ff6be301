/** The `tools` of a messages request: the caller's own, and the typed ones whose schemas the maker knows. */

import type { Fields, JsonObject } from '../body-fields.ts';
import type { Tool } from '../builtin-conversation.ts';
import { invalid } from '../request-error.ts';
import { lintSchema } from '../schema/schema-lint.ts';
import { readMarker } from './messages-blocks.ts';

const NAME = /^[A-Za-z0-9_-]{1,128}$/;

const string = { type: 'string' } as const;
const object = (properties: JsonObject): JsonObject => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
});

/** Typed tools that the client runs, by how their type begins; all others run at a provider. */
const TYPED_SCHEMAS: readonly (readonly [string, JsonObject])[] = [
  ['bash_', object({ command: string })],
  ['text_editor_', object({ command: { const: 'view' }, path: string })],
  [
    'memory_',
    object({ command: { const: 'view' }, path: { type: 'string', default: '/memories' } }),
  ],
];

export function readMessagesTools(fields: Fields): readonly Tool[] {
  const tools = fields.children('tools').map(readTool);
  const names = new Set<string>();
  for (const [index, { name }] of tools.entries()) {
    if (names.has(name)) throw invalid(`tools[${index}].name`, 'Tool names must be unique.');
    names.add(name);
  }
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
    throw invalid(schema.at('type'), "Tool input is an object: use type 'object'.");
  }
  lintSchema(schema.object, schema.path);
  const description = fields.string('description') ?? '';
  return { name, description, input: { kind: 'schema', schema: schema.object }, marker };
}

function typedTool(fields: Fields, type: string): Omit<Tool, 'marker'> {
  const name = fields.string('name') ?? fields.string('mcp_server_name') ?? type;
  const schema = TYPED_SCHEMAS.find(([start]) => type.startsWith(start))?.[1];
  const input =
    schema === undefined ? ({ kind: 'server' } as const) : ({ kind: 'schema', schema } as const);
  return { name, description: '', input };
}
