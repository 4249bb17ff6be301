/** Translates the tools and the tool choice of a Responses request into those of a chat request. */
import {
  asArray,
  asFilledString,
  asJsonObject,
  asString,
  type JsonObject,
} from '../../json/object.ts';
import { PARAGRAPH } from '../chat/content-parts.ts';
import { toolInputSchema } from '../json-schema.ts';
import { isWebSearch } from '../responses/fields.ts';
import { invalid, missing, unsupportedParameter, unsupportedValue } from '../validation.ts';
import { refusedTool } from './field-table.ts';
import type { CallerTool, DefinedTool, ToolNames } from './tool-names.ts';

/** The name of the only argument of the function that replaces a custom tool. */
export const CUSTOM_INPUT = 'input';

const FREE_TEXT = {
  type: 'object',
  properties: { [CUSTOM_INPUT]: { type: 'string' } },
  required: [CUSTOM_INPUT],
} as const;

/**
 * Returns the members `tools`, `tool_choice` and `parallel_tool_calls` of a chat request.
 * @throws GatewayError for a tool that only OpenAI runs, and for a choice that names no tool.
 */
export function readTools(
  request: JsonObject,
  defined: readonly DefinedTool[],
  names: ToolNames,
): JsonObject {
  const functions = functionsOf(defined, names);
  const { choice, allowed } = readChoice(request['tool_choice'], names);
  const tools = [...functions].flatMap(([name, definition]) =>
    allowed === null || allowed.has(name) ? [{ type: 'function', function: definition }] : [],
  );
  if (tools.length === 0) {
    if (choice === 'required')
      throw invalid('tool_choice', 'requires a tool call, but the request has no tools; add tools');
    return {};
  }
  return {
    tools,
    ...(choice === null ? {} : { tool_choice: choice }),
    ...(request['parallel_tool_calls'] === false ? { parallel_tool_calls: false } : {}),
  };
}

/** Returns the functions by name. If a tool is offered twice, its last definition counts. */
function functionsOf(
  defined: readonly DefinedTool[],
  names: ToolNames,
): ReadonlyMap<string, JsonObject> {
  const functions = new Map<string, JsonObject>();
  let search: string | null = null;
  for (const { tool, definition, path, about } of defined) {
    if (definition === null) throw invalid(path, 'must be a tool: an object with a type');
    if (tool !== null) {
      const name = names.chatName(tool);
      functions.set(name, functionOf(name, tool, definition, about));
    } else if (isWebSearch(definition['type'])) search ??= path;
    else if (definition['type'] !== 'tool_search') refuse(definition, path);
  }
  if (search === null || functions.size > 0) return functions;
  throw unsupportedParameter(
    `${search}.type`,
    'web search is not available with this model; offer a search function of your own',
  );
}

function functionOf(
  name: string,
  { kind }: CallerTool,
  { description, parameters, strict, format }: JsonObject,
  about: string,
): JsonObject {
  const isCustom = kind === 'custom';
  const texts = [about, asString(description) ?? '', isCustom ? freeText(format) : ''];
  const text = texts.filter((each) => each !== '').join(PARAGRAPH);
  return {
    name,
    ...(text === '' ? {} : { description: text }),
    parameters: isCustom ? FREE_TEXT : toolInputSchema(asJsonObject(parameters)),
    ...(strict === true && !isCustom ? { strict } : {}),
  };
}

/**
 * Returns a description of a custom tool's input for the model. It includes the grammar, which
 * nothing enforces.
 */
function freeText(format: unknown): string {
  const { type, syntax, definition } = asJsonObject(format) ?? {};
  const grammar =
    type === 'grammar' && typeof definition === 'string'
      ? `\n\`\`\`${asString(syntax) ?? ''}\n${definition}\n\`\`\``
      : '';
  return `The input is free text, not JSON.${grammar}`;
}

function refuse({ type, name }: JsonObject, path: string): never {
  if (type === undefined)
    throw missing(`${path}.type`, 'it is the type of this tool, such as `function`');
  const isNamed = type === 'function' || type === 'custom' || type === 'namespace';
  if (isNamed && asFilledString(name) === null)
    throw missing(`${path}.name`, 'it must be the name of the tool');
  throw refusedTool(type, path);
}

type Choice = {
  /**
   * The member `tool_choice` of the chat request; null for the default, which lets the model
   * decide.
   */
  readonly choice: unknown;
  /** The tools that the model may call, by their names in the chat request; null for all tools. */
  readonly allowed: ReadonlySet<string> | null;
};

const ANY_TOOL: Choice = { choice: null, allowed: null };

function readChoice(given: unknown, names: ToolNames): Choice {
  const choice = asJsonObject(given);
  if (choice === null) return wordChoice(given) ?? ANY_TOOL;
  const { type } = choice;
  if (type === 'allowed_tools') return allowedTools(choice, names);
  if (isKind(type)) {
    const [name] = chosen(choice, 'tool_choice', names);
    return { choice: { type: 'function', function: { name } }, allowed: null };
  }
  // Cursor sends a choice such as `auto` as `{"type": "auto"}`.
  const word = wordChoice(type);
  if (word !== null) return word;
  throw unsupportedValue(
    'tool_choice.type',
    `a choice of type "${String(type)}" is not supported by this model; name a function`,
  );
}

const isKind = (type: unknown): type is CallerTool['kind'] =>
  type === 'function' || type === 'custom' || type === 'tool_search';

function wordChoice(word: unknown): Choice | null {
  switch (word) {
    case 'auto':
      return ANY_TOOL;
    case 'none':
      return { choice: 'none', allowed: null };
    case 'required':
    case 'any':
    case 'tool':
      return { choice: 'required', allowed: null };
    default:
      return null;
  }
}

/**
 * Reads the choice `allowed_tools`. Few servers support it, so the gateway offers only the allowed
 * tools instead.
 */
function allowedTools({ mode, tools }: JsonObject, names: ToolNames): Choice {
  const allowed = new Set<string>();
  // One name may stand for tools of many namespaces, so each name is looked up only once.
  const known = new Set<string>();
  for (const [index, each] of asArray(tools).entries()) {
    const at = `tool_choice.tools[${index}]`;
    const tool = asJsonObject(each) ?? {};
    const { type, name, namespace } = tool;
    if (!isKind(type))
      throw unsupportedValue(`${at}.type`, 'this model supports functions and custom tools only');
    const key = JSON.stringify([type, name, namespace]);
    if (known.has(key)) continue;
    known.add(key);
    for (const chatName of chosen(tool, at, names)) allowed.add(chatName);
  }
  return { choice: mode === 'required' ? 'required' : null, allowed };
}

/**
 * Returns the name, in the chat request, of the tool that a choice names. If the choice has no
 * namespace, returns the names of all tools that the caller gave this name.
 */
function chosen(choice: JsonObject, path: string, names: ToolNames): readonly string[] {
  const { type, name: given } = choice;
  const kind = isKind(type) ? type : 'function';
  const name = kind === 'tool_search' ? kind : asString(given);
  const namespace = asFilledString(choice['namespace']);
  const exact = name === null ? null : names.offeredAs({ kind, namespace, name });
  if (exact !== null) return [exact];
  const offered = name === null || namespace !== null ? [] : names.offered(kind, name);
  if (offered.length > 0) return offered;
  throw invalid(`${path}.name`, `"${String(given)}" is not one of the tools; name one of them`);
}
