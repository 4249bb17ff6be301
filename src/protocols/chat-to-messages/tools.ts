/** Translates the tools and the legacy functions of a chat request to Messages tools. */
import { asJsonObject, asString, isJsonObject, type JsonObject } from '../../json/object.ts';
import type { Placeholders } from '../../json/placeholders.ts';
import { NO_INPUT_SCHEMA, strictCost, toolInputSchema } from '../json-schema.ts';
import { invalid, unsupportedValue } from '../validation.ts';
import { acceptedSchema } from './accepted-schema.ts';
import { type Block, copyMarker } from './cache-markers.ts';
import type { Turn } from './turns.ts';

export type Tools = {
  readonly tools: readonly Block[];
  /** The tools that have a cache marker. */
  readonly marked: readonly Block[];
  readonly choice: JsonObject | null;
  /** Whether the model must call a tool. Upstreams refuse this together with thinking. */
  readonly isForced: boolean;
  /** Whether the caller uses the legacy `functions`. The answer then must use `function_call`. */
  readonly isLegacy: boolean;
};

/**
 * Translates the tools and the tool choice.
 * @param schema the schema of the output format that the upstream enforces; null without one.
 * @throws GatewayError `unsupported_value` or `invalid_value`, which names the tool or the choice.
 */
export function readTools(
  { json, stringify }: Pick<Placeholders, 'json' | 'stringify'>,
  turns: readonly Turn[],
  { schema }: { readonly schema: JsonObject | null },
): Tools {
  const { tools, functions } = json;
  const isLegacy =
    !isFilled(tools) && (isFilled(functions) || (json['function_call'] ?? null) !== null);
  const defined = isLegacy ? functionsOf(functions) : toolsOf(tools);
  const { choice, allowed } = readChoice(json, isLegacy);
  const offered = allowed === null ? defined : defined.filter(({ name }) => allowed.has(name));
  limitStrictness(offered, stringify, schema === null ? [] : [schema]);
  refuseUnknown(choice, offered, isLegacy ? 'function_call' : 'tool_choice');
  // Upstreams require a definition of every tool that was called earlier in the conversation. If
  // the request defines no tools, their definitions are derived from these calls, and the model is
  // not allowed to call them.
  if (offered.length === 0) {
    const past = toolsFromHistory(turns);
    const none = past.length === 0 ? null : { type: 'none' };
    return { tools: past, marked: [], choice: none, isForced: false, isLegacy };
  }
  const isForced = choice['type'] === 'any' || choice['type'] === 'tool';
  const oneOnly = isLegacy || json['parallel_tool_calls'] === false;
  const sent =
    oneOnly && choice['type'] !== 'none' ? { ...choice, disable_parallel_tool_use: true } : choice;
  const isDefault = sent['type'] === 'auto' && !oneOnly;
  const marked = offered.filter((tool) => tool['cache_control'] !== undefined);
  return { tools: offered, marked, choice: isDefault ? null : sent, isForced, isLegacy };
}

const isFilled = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0;

const toolsOf = (tools: unknown): readonly Block[] =>
  isFilled(tools)
    ? tools.map((each, index) => {
        const tool = asJsonObject(each) ?? {};
        const { type, function: definition } = tool;
        if (type === 'function') {
          const read = toolOf(definition, `tools[${index}].function`);
          copyMarker(tool, read, []);
          return read;
        }
        throw unsupportedValue(
          `tools[${index}].type`,
          `tools of type "${String(type)}" are not supported by this model; use type "function" with ` +
            'parameters, such as one string for free text',
        );
      })
    : [];

const functionsOf = (functions: unknown): readonly Block[] =>
  isFilled(functions) ? functions.map((each, index) => toolOf(each, `functions[${index}]`)) : [];

function toolOf(definition: unknown, path: string): Block {
  const given = asJsonObject(definition) ?? {};
  const { name, description, parameters, strict } = given;
  if (asString(name) === null) throw invalid(`${path}.name`, 'must be the name of the function');
  const tool: Block = {
    name,
    ...(typeof description === 'string' ? { description } : {}),
    input_schema: toolInputSchema(asJsonObject(parameters)),
    ...(strict === true ? { strict } : {}),
  };
  copyMarker(given, tool, []);
  return tool;
}

/** Maximum strict tools of a request at Anthropic. */
const MAX_STRICT_TOOLS = 20;
/** Maximum optional parameters of all schemas that Anthropic enforces for a request. */
const MAX_OPTIONAL = 24;
/** Maximum parameters with several types of all schemas that Anthropic enforces for a request. */
const MAX_UNIONS = 16;

/**
 * Changes the schemas of strict tools so that upstreams accept them. A tool whose schema cannot be
 * enforced is not strict. If there is too much to enforce, no tool is strict, because the upstream
 * would refuse the whole request.
 * @param others the schemas that the upstream enforces besides those of the tools.
 */
function limitStrictness(
  tools: readonly Block[],
  stringify: Placeholders['stringify'],
  others: readonly JsonObject[],
): void {
  const strict = tools.flatMap((tool) => {
    if (tool['strict'] !== true) return [];
    delete tool['strict'];
    const accepted = acceptedSchema(asJsonObject(tool['input_schema']) ?? {}, stringify);
    return 'schema' in accepted ? [{ tool, schema: accepted.schema }] : [];
  });
  const enforced = [...others, ...strict.map(({ schema }) => schema)];
  if (strict.length > MAX_STRICT_TOOLS || isTooCostly(enforced)) return;
  for (const { tool, schema } of strict)
    Object.assign(tool, { input_schema: schema, strict: true });
}

/** Whether upstreams refuse to enforce so many optional parameters or types. */
export function isTooCostly(schemas: readonly JsonObject[]): boolean {
  const { optional, unions } = strictCost(schemas);
  return optional > MAX_OPTIONAL || unions > MAX_UNIONS;
}

type Choice = { readonly choice: JsonObject; readonly allowed: ReadonlySet<unknown> | null };

function readChoice(json: JsonObject, isLegacy: boolean): Choice {
  const given = isLegacy ? json['function_call'] : json['tool_choice'];
  if (!isJsonObject(given)) return { choice: wordChoice(given), allowed: null };
  if (isLegacy) return { choice: { type: 'tool', name: given['name'] }, allowed: null };
  switch (given['type']) {
    case 'function':
      return { choice: named(given['function']), allowed: null };
    case 'allowed_tools':
      return allowedTools(asJsonObject(given['allowed_tools']) ?? {});
    default:
      throw unsupportedValue(
        'tool_choice.type',
        `a choice of type "${String(given['type'])}" is not supported by this model; name a function`,
      );
  }
}

function wordChoice(word: unknown): JsonObject {
  if (word === 'none') return { type: 'none' };
  return { type: word === 'required' ? 'any' : 'auto' };
}

const named = (value: unknown): JsonObject => ({
  type: 'tool',
  name: asJsonObject(value)?.['name'],
});

/**
 * Reads a tool choice of the kind `allowed_tools`. Messages has no such choice, so only the allowed
 * tools are sent.
 */
function allowedTools({ mode, tools }: JsonObject): Choice {
  const names = isFilled(tools)
    ? tools.map((tool) => asJsonObject(asJsonObject(tool)?.['function'])?.['name'])
    : [];
  const unknown = names.findIndex((name) => typeof name !== 'string');
  if (unknown >= 0) {
    throw unsupportedValue(
      `tool_choice.allowed_tools.tools[${unknown}]`,
      'this model supports functions only; name one',
    );
  }
  return { choice: wordChoice(mode), allowed: new Set(names) };
}

function refuseUnknown(choice: JsonObject, offered: readonly JsonObject[], param: string): void {
  const { type, name } = choice;
  if (type === 'any' && offered.length === 0) {
    throw invalid(param, 'requires a tool call, but the request has no tools; add tools');
  }
  if (type !== 'tool' || offered.some((tool) => tool['name'] === name)) return;
  throw invalid(param, `names "${String(name)}", which is not one of the tools in the request`);
}

function toolsFromHistory(turns: readonly Turn[]): readonly Block[] {
  const names = new Set<unknown>();
  for (const turn of turns) {
    if (turn.role !== 'assistant') continue;
    for (const block of turn.content) if (block['type'] === 'tool_use') names.add(block['name']);
  }
  return [...names].map((name) => ({ name, input_schema: NO_INPUT_SCHEMA }));
}
