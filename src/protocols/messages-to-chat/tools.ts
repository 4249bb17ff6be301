/** The tools of a Messages request, and the choice among them, as chat has them. */

import { asJsonObject, asString, type JsonObject } from '../../json/object.ts';
import { invalid } from '../check.ts';
import { inputSchema } from '../input-schema.ts';
import { unsupportedParameter, unsupportedValue } from '../unsupported.ts';
import type { Reading } from './conversation.ts';
import { TOOL_FIELDS, typedToolFate } from './field-table.ts';
import { typedTool } from './typed-tools.ts';

/** @returns members of the chat request. @throws GatewayError naming a tool or a choice that cannot be. */
export function readTools(body: JsonObject, reading: Reading): JsonObject {
  const given: readonly unknown[] = Array.isArray(body['tools']) ? body['tools'] : [];
  const tools = given.map((each, index) =>
    readTool(asJsonObject(each) ?? {}, `tools[${index}]`, reading),
  );
  const choice = asJsonObject(body['tool_choice']);
  const word = choiceOf(choice, tools, reading);
  if (tools.length === 0) return {};
  return {
    tools: tools.map((definition) => ({ type: 'function', function: definition })),
    ...(word === null ? {} : { tool_choice: word }),
    ...(choice?.['disable_parallel_tool_use'] === true ? { parallel_tool_calls: false } : {}),
  };
}

function readTool(tool: JsonObject, path: string, { aside, names }: Reading): JsonObject {
  const type = asString(tool['type']) ?? 'custom';
  const name = asString(tool['name']);
  if (type !== 'custom') return readTypedTool(type, name, path);
  if (name === null) throw invalid(`${path}.name`, "must be the tool's name");
  refuseCallers(tool['allowed_callers'], path);
  const examples: readonly unknown[] = Array.isArray(tool['input_examples'])
    ? tool['input_examples']
    : [];
  const texts = [
    asString(tool['description']) ?? '',
    examples.length === 0
      ? ''
      : `Examples of its input:\n${examples.map((example) => aside.jsonText(example)).join('\n')}`,
  ].filter((text) => text !== '');
  return {
    name: names.forChat(name),
    ...(texts.length === 0 ? {} : { description: texts.join('\n\n') }),
    parameters: inputSchema(asJsonObject(tool['input_schema'])),
    ...(typeof tool['strict'] === 'boolean' ? { strict: tool['strict'] } : {}),
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
  const row = TOOL_FIELDS['allowed_callers'];
  if (!Array.isArray(callers) || callers.includes('direct') || row?.fate !== 'refused') return;
  if (callers.length > 0) throw unsupportedParameter(`${path}.allowed_callers`, row.remedy);
}

/** @returns null for the default, the model's own choice. */
function choiceOf(
  choice: JsonObject | null,
  tools: readonly JsonObject[],
  { names }: Reading,
): unknown {
  const type = choice?.['type'];
  if (type === 'none') return 'none';
  if (type === 'any') {
    if (tools.length > 0) return 'required';
    throw invalid('tool_choice', 'asks for a tool call, but there is no tool to call; send tools');
  }
  if (type !== 'tool') return null;
  const name = names.forChat(asString(choice?.['name']) ?? '');
  if (tools.some((tool) => tool['name'] === name)) return { type: 'function', function: { name } };
  throw invalid(
    'tool_choice.name',
    `"${String(choice?.['name'])}" is none of the tools of the request; name one of them`,
  );
}
