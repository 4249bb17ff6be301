/**
 * Gives each tool of a Responses request a name that chat servers accept, and finds the tool for a
 * name that the model calls. The names depend only on the request, so nothing is stored between
 * requests. All requests of a conversation use the same names, as the prompt cache requires.
 */
import { asArray, asFilledString, asJsonObject, type JsonObject } from '../../json/object.ts';
import { chatToolName, digestedName } from '../chat/chat-names.ts';

/** A tool as the caller names it. */
export type CallerTool = {
  readonly kind: 'function' | 'custom' | 'tool_search';
  readonly name: string;
  /** The namespace that contains the tool; null for a tool outside of namespaces. */
  readonly namespace: string | null;
};

/** A definition of a tool in a request. */
export type DefinedTool = {
  /** The tool; null for a type that the caller does not run itself. */
  readonly tool: CallerTool | null;
  /** The definition; null for an entry that is not an object. */
  readonly definition: JsonObject | null;
  /** The path of the definition, such as `tools[0].tools[1]`. */
  readonly path: string;
  /** The description of the tool's namespace; empty for a tool outside of namespaces. */
  readonly about: string;
};

/** The name of the function that replaces a tool search which the caller runs itself. */
const TOOL_SEARCH = 'tool_search';

export class ToolNames {
  readonly #chatNames = new Map<string, string>();
  readonly #tools = new Map<string, CallerTool>();
  /**
   * For each kind and name of tool, the names for chat servers. There are several if tools of
   * several namespaces share a kind and a name.
   */
  readonly #offered = new Map<string, string[]>();

  /**
   * Adds a tool that the request offers. Returns its name for chat servers. If another tool has
   * that name, a digest is added.
   */
  add(tool: CallerTool): string {
    const key = keyOf(tool);
    const known = this.#chatNames.get(key);
    if (known !== undefined) return known;
    const plain = plainName(tool);
    const name = this.#tools.has(plain) ? digestedName(plain, key) : plain;
    this.#chatNames.set(key, name);
    this.#tools.set(name, tool);
    const same = `${tool.kind} ${tool.name}`;
    const names = this.#offered.get(same);
    if (names === undefined) this.#offered.set(same, [name]);
    else names.push(name);
    return name;
  }

  /**
   * Returns the name of a tool for chat servers. Makes one if the request does not offer the tool.
   */
  chatName(tool: CallerTool): string {
    return this.#chatNames.get(keyOf(tool)) ?? plainName(tool);
  }

  /** Returns the name of a tool for chat servers; null if the request does not offer the tool. */
  offeredAs(tool: CallerTool): string | null {
    return this.#chatNames.get(keyOf(tool)) ?? null;
  }

  /**
   * Returns the caller's tool for a name that the model called. An unknown name counts as a
   * function of that name.
   */
  callerTool(name: string): CallerTool {
    return this.#tools.get(name) ?? { kind: 'function', name, namespace: null };
  }

  /** Returns the names, for chat servers, of all offered tools with this kind and this name. */
  offered(kind: CallerTool['kind'], name: string): readonly string[] {
    return this.#offered.get(`${kind} ${name}`) ?? [];
  }
}

const plainName = ({ namespace, name }: CallerTool): string =>
  chatToolName(namespace === null ? name : `${namespace}__${name}`);

const keyOf = (tool: CallerTool): string => JSON.stringify([tool.kind, tool.namespace, tool.name]);

/** Returns the names of the tools that a request offers. */
export function toolNames(defined: readonly DefinedTool[]): ToolNames {
  const names = new ToolNames();
  for (const { tool } of defined) if (tool !== null) names.add(tool);
  return names;
}

/**
 * Types of items that offer tools: `additional_tools` of Codex, and the results of a tool search.
 */
const OFFERING: ReadonlySet<unknown> = new Set(['additional_tools', 'tool_search_output']);

/** Returns the tools of a request: first the list `tools`, then the tools that items add. */
export function definedTools(request: JsonObject): readonly DefinedTool[] {
  const defined = definedIn(request['tools'], 'tools');
  for (const [index, each] of asArray(request['input']).entries()) {
    const item = asJsonObject(each);
    if (item === null || !OFFERING.has(item['type'])) continue;
    defined.push(...definedIn(item['tools'], `input[${index}].tools`));
  }
  return defined;
}

function definedIn(tools: unknown, path: string): DefinedTool[] {
  return asArray(tools).flatMap((each, index) => {
    const definition = asJsonObject(each);
    const at = `${path}[${index}]`;
    const namespace =
      definition?.['type'] === 'namespace' ? asFilledString(definition['name']) : null;
    if (definition === null || namespace === null) {
      return [{ tool: toolOf(definition, null), definition, path: at, about: '' }];
    }
    const about = asFilledString(definition['description']) ?? '';
    return asArray(definition['tools']).map((member, place) => {
      const inner = asJsonObject(member);
      return {
        tool: toolOf(inner, namespace),
        definition: inner,
        path: `${at}.tools[${place}]`,
        about,
      };
    });
  });
}

function toolOf(definition: JsonObject | null, namespace: string | null): CallerTool | null {
  const { type, name, execution } = definition ?? {};
  if (type === TOOL_SEARCH && execution === 'client') {
    return { kind: TOOL_SEARCH, name: TOOL_SEARCH, namespace: null };
  }
  const given = asFilledString(name);
  if (given === null || (type !== 'function' && type !== 'custom')) return null;
  return { kind: type, name: given, namespace };
}
