/**
 * Translates Gemini's function declarations, their schemas and the function calling configuration
 * to chat.
 */
import { asFilledString, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import { chatToolName } from '../chat/chat-names.ts';
import { toolInputSchema } from '../json-schema.ts';
import { invalid, missing, unsupportedParameter, unsupportedValue } from '../validation.ts';
import { camel, listAt, member, objectAt, onlyMembers } from './members.ts';

/**
 * Translates function declarations to chat tools. Google's names may have dots and colons, which
 * chat servers refuse.
 * @param originals gets the name of each function by its name in chat, to restore it in the answer.
 * @throws GatewayError for a tool that runs on Google's servers.
 */
export function readFunctions(
  tools: readonly unknown[],
  originals: Map<string, string>,
): readonly JsonObject[] {
  return tools.flatMap((tool, index) => {
    const path = `tools[${index}]`;
    if (!isJsonObject(tool)) throw invalid(path, 'must be an object');
    const declared = member(tool, 'functionDeclarations');
    for (const name of Object.keys(tool)) {
      if (tool[name] === declared) continue;
      const remedy = "this tool runs on Google's servers; declare a function instead";
      throw unsupportedParameter(`${path}.${name}`, remedy);
    }
    return listAt(tool, 'functionDeclarations').map((each, at) =>
      functionOf(each, `${path}.functionDeclarations[${at}]`, originals),
    );
  });
}

/** Returns the path of each function in the caller's request, in the order of chat's tools. */
export const functionPaths = (tools: readonly unknown[]): readonly string[] =>
  tools.filter(isJsonObject).flatMap((tool, index) => {
    const path = `tools[${index}].functionDeclarations`;
    return listAt(tool, 'functionDeclarations').map((_, at) => `${path}[${at}]`);
  });

function functionOf(declared: unknown, path: string, originals: Map<string, string>): JsonObject {
  if (!isJsonObject(declared)) throw invalid(path, 'must be an object');
  const original = asFilledString(declared['name']);
  if (original === null) throw missing(`${path}.name`, 'it must be the name of the function');
  const name = chatToolName(original);
  originals.set(name, original);
  const own = objectAt(declared, 'parameters', path);
  const parameters =
    objectAt(declared, 'parametersJsonSchema', path) ?? (own === null ? null : jsonSchema(own));
  const description = asString(declared['description']);
  return {
    type: 'function',
    function: {
      name,
      ...(description === null ? {} : { description }),
      parameters: toolInputSchema(parameters),
    },
  };
}

/** Translates `toolConfig` to chat's `tool_choice`. @throws GatewayError for an unknown mode. */
export function readToolConfig(config: JsonObject | null, functions: number): JsonObject {
  if (config === null || functions === 0) return {};
  const path = 'toolConfig.functionCallingConfig';
  const calling = objectAt(config, 'functionCallingConfig', 'toolConfig') ?? {};
  onlyMembers(calling, ['mode', 'allowedFunctionNames', 'streamFunctionCallArguments'], path);
  const allowed = listAt(calling, 'allowedFunctionNames').map((name) => {
    if (typeof name === 'string') return name;
    throw invalid(`${path}.allowedFunctionNames`, 'must be a list of names');
  });
  const mode = member(calling, 'mode') ?? 'AUTO';
  switch (mode) {
    case 'NONE':
      return { tool_choice: 'none' };
    case 'AUTO':
    case 'VALIDATED':
    case 'MODE_UNSPECIFIED':
      return allowed.length === 0 ? {} : allowedTools('auto', allowed);
    case 'ANY':
      return allowed.length === 0 ? { tool_choice: 'required' } : allowedTools('required', allowed);
    default:
      throw unsupportedValue(`${path}.mode`, 'use AUTO, ANY, NONE or VALIDATED');
  }
}

function allowedTools(mode: 'auto' | 'required', names: readonly string[]): JsonObject {
  const tools = names.map((name) => ({
    type: 'function',
    function: { name: chatToolName(name) },
  }));
  // Only some servers know `allowed_tools`, but all know a choice of one function.
  if (mode === 'required' && tools.length === 1) return { tool_choice: tools[0] };
  return { tool_choice: { type: 'allowed_tools', allowed_tools: { mode, tools } } };
}

/** Members of Google's schemas whose value is a map from names to schemas. */
const SCHEMA_MAPS = new Set(['properties', '$defs', 'defs']);
/** Matches members whose value is a count. Google writes counts as strings. */
const COUNTS = /^(?:min|max)(?:Items|Length|Properties)$/;

/**
 * Converts a schema in Google's format to JSON Schema. Google's format has upper-case types,
 * `nullable`, and counts as strings. The recursion is bounded, because the depth of a body is
 * limited.
 */
export function jsonSchema(schema: JsonObject): JsonObject {
  const written: Record<string, unknown> = {};
  for (const [given, value] of Object.entries(schema)) {
    const name = camel(given);
    if (name === 'propertyOrdering' || name === 'nullable') continue;
    written[name] =
      SCHEMA_MAPS.has(name) && isJsonObject(value) ? mapped(value) : plain(name, value);
  }
  if (schema['nullable'] === true) allowNull(written);
  return written;
}

/** Changes a JSON Schema so that it also accepts null. */
function allowNull(schema: Record<string, unknown>): void {
  const { type, enum: values, anyOf } = schema;
  if (typeof type === 'string') schema['type'] = [type, 'null'];
  if (Array.isArray(values)) schema['enum'] = [...values, null];
  if (Array.isArray(anyOf)) schema['anyOf'] = [...anyOf, { type: 'null' }];
}

const mapped = (schemas: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(schemas).map(([name, each]) => [
      name,
      isJsonObject(each) ? jsonSchema(each) : each,
    ]),
  );

function plain(name: string, value: unknown): unknown {
  if (name === 'type' && typeof value === 'string') return value.toLowerCase();
  if (COUNTS.test(name) && typeof value === 'string') return Number(value);
  if ((name === 'items' || name === 'additionalProperties') && isJsonObject(value))
    return jsonSchema(value);
  if (name === 'anyOf' && Array.isArray(value))
    return value.map((each) => (isJsonObject(each) ? jsonSchema(each) : each));
  return value;
}
