/** Parses tool definitions: a JSON array, as the API accepts it. */
import { asObject, type JsonObject } from '#api/json.ts';

export type Tools =
  | { readonly tools: readonly JsonObject[]; readonly problem: null }
  | { readonly tools: null; readonly problem: ToolsProblem };

/**
 * A problem in the tool definitions. `at` is the path of the error, such as `[0].function.name`;
 * `message` comes from the JSON parser.
 */
export type ToolsProblem = {
  readonly kind: 'json' | 'array' | 'tool' | 'name' | 'parameters' | 'twice';
  readonly at: string;
  readonly message: string;
};

/** The format of a tool name in the protocol. */
const NAME = /^[a-zA-Z0-9_-]{1,64}$/;

/** Parses the tool definitions; an empty text means no tools. */
export function parseTools(text: string): Tools {
  if (text.trim() === '') return { tools: [], problem: null };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    return wrong('json', '', thrown instanceof Error ? thrown.message : '');
  }
  if (!Array.isArray(value)) return wrong('array', '');
  const seen = new Set<string>();
  const tools: JsonObject[] = [];
  for (const [index, each] of value.entries()) {
    const tool = asObject(each);
    const problem = tool === null ? wrong('tool', `[${index}]`) : toolProblem(tool, index, seen);
    if (problem !== null || tool === null) return problem ?? wrong('tool', `[${index}]`);
    tools.push(tool);
  }
  return { tools, problem: null };
}

function toolProblem(tool: JsonObject, index: number, seen: Set<string>): Tools | null {
  const { type } = tool;
  if (type !== 'function' && type !== 'custom') return wrong('tool', `[${index}].type`);
  const definition = asObject(tool[type]);
  if (definition === null) return wrong('tool', `[${index}].${type}`);
  const { name, parameters } = definition;
  const at = `[${index}].${type}`;
  if (typeof name !== 'string' || !NAME.test(name)) return wrong('name', `${at}.name`);
  if (seen.has(name)) return wrong('twice', `${at}.name`);
  seen.add(name);
  const isSchema = (parameters ?? null) === null || asObject(parameters) !== null;
  return isSchema ? null : wrong('parameters', `${at}.parameters`);
}

const wrong = (kind: ToolsProblem['kind'], at: string, message = ''): Tools => ({
  tools: null,
  problem: { kind, at, message },
});

/** Formats the JSON text; an invalid text stays unchanged. */
export function laidOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const parameters = (properties: JsonObject, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const EXAMPLE_TOOLS = {
  weather: {
    name: 'get_weather',
    description: 'The weather in a city now',
    parameters: parameters(
      {
        city: { type: 'string', description: 'Such as Paris' },
        unit: { type: 'string', enum: ['celsius', 'fahrenheit'] },
      },
      ['city'],
    ),
  },
  search: {
    name: 'search_orders',
    description: 'Orders of a customer, newest first',
    parameters: parameters(
      {
        customer: { type: 'string', description: 'Name or email address' },
        limit: { type: 'integer', minimum: 1, maximum: 50 },
      },
      ['customer'],
    ),
  },
  time: {
    name: 'get_time',
    description: 'The time in a time zone',
    parameters: parameters({ zone: { type: 'string', description: 'Such as Asia/Shanghai' } }, [
      'zone',
    ]),
  },
} as const;

export type ExampleName = keyof typeof EXAMPLE_TOOLS;
export const EXAMPLE_NAMES = ['weather', 'search', 'time'] as const satisfies ExampleName[];

/** Adds an example tool to the text, or replaces the text if it is invalid. */
export function withExample(text: string, name: ExampleName): string {
  const { tools } = parseTools(text);
  const example = EXAMPLE_TOOLS[name];
  const others = (tools ?? []).filter(
    (tool) => asObject(tool['function'])?.['name'] !== example.name,
  );
  return JSON.stringify([...others, { type: 'function', function: example }], null, 2);
}
