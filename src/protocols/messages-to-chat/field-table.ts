/**
 * Lists how each part of a Messages request is translated for a chat upstream. A test checks the
 * code against every row, and error messages contain the text of a row. Unknown fields are dropped,
 * because chat servers refuse them.
 */
import type { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { type Dropped, dropped, type Mapped, mapped } from '../field-fate.ts';
import { unsupportedParameter, unsupportedValue } from '../validation.ts';

export type Fate = Mapped | Dropped | Refusal;

/** The field would change the answer but cannot be translated, so the request is refused. */
type Refusal = {
  readonly fate: 'refused';
  /** The reason for the refusal, and what the caller can do. It is the end of the error message. */
  readonly remedy: string;
  /**
   * Values that are ignored, because they request nothing. Null, false and empty lists are always
   * ignored.
   */
  readonly harmless: readonly unknown[];
};

export const refused = (remedy: string, ...harmless: readonly unknown[]): Refusal => ({
  fate: 'refused',
  remedy,
  harmless,
});

const SERVER_TOOL =
  "runs on another provider's servers and is not available with this model; define a tool with " +
  'name and input_schema instead';
const SERVER_CALL = "text that names the provider's tool and its input";
const SERVER_RESULT = 'text with the readable parts, such as titles and URLs';

/** The top-level fields of a request that are refused. */
export const REFUSED_FIELDS: Readonly<Record<string, Refusal>> = {
  inference_geo: refused(
    'the region of this model cannot be chosen per request; omit it',
    'global',
    'not_available',
  ),
  mcp_servers: refused(
    'MCP servers are not supported by this model; connect to the server yourself and define its tools',
  ),
  compaction: refused('this model does not compact conversations; ask for a summary in the prompt'),
  fallbacks: refused(
    'this model has no fallback models; omit it and call the other model yourself',
  ),
  thread: refused('message threads are not supported; omit it and send the whole conversation'),
};

/** How each type of block in a message, the system text or a tool result is translated. */
export const BLOCK_TYPES: Readonly<Record<string, Fate>> = {
  text: mapped('text; empty text and citations of earlier answers are omitted'),
  image: mapped('an image_url part; a file_id is refused, since files are not stored'),
  document: mapped(
    'a file part (PDF) or text under its title; URLs, file_ids and citations are refused',
  ),
  search_result: mapped('text under its title and source; citations are refused'),
  tool_use: mapped('a tool call'),
  tool_result: mapped('a tool message; images and files follow in the next user message'),
  tool_reference: mapped('text that names the tool; all tools are loaded from the start'),
  thinking: dropped('earlier thinking is needed only by servers with reasoningBack'),
  redacted_thinking: dropped('only its provider can read it'),
  server_tool_use: mapped(SERVER_CALL),
  mcp_tool_use: mapped(SERVER_CALL),
  web_search_tool_result: mapped(SERVER_RESULT),
  web_fetch_tool_result: mapped(SERVER_RESULT),
  code_execution_tool_result: mapped(SERVER_RESULT),
  bash_code_execution_tool_result: mapped(SERVER_RESULT),
  text_editor_code_execution_tool_result: mapped(SERVER_RESULT),
  tool_search_tool_result: mapped(SERVER_RESULT),
  mcp_tool_result: mapped(SERVER_RESULT),
  advisor_tool_result: mapped(SERVER_RESULT),
  mcp_tool_listing: dropped("lists the tools of a provider's server, which this model cannot call"),
  container_upload: refused(
    "names a file on another provider's servers; put its content into a text block",
  ),
  compaction: mapped(
    'the summary in the block replaces all earlier messages; refused if only its provider can read it',
  ),
  fallback: dropped('reports which model answered'),
  tool_addition: refused('tools cannot be added later with this model; put the tool into tools'),
  tool_removal: refused(
    'tools cannot be removed later with this model; remove the tool from tools',
  ),
};

/** The end of the error message when the `allowed_callers` of a tool are refused. */
export const REFUSED_CALLERS =
  'code execution is not available with this model; allow "direct", or omit it';

/**
 * How tools that the protocol defines are translated, by the prefix of their type. The longest
 * matching prefix applies.
 */
export const TYPED_TOOLS: Readonly<Record<string, Fate>> = {
  bash_: mapped('a function with the documented input'),
  text_editor_: mapped('a function with the documented input'),
  memory_: mapped('a function with the documented input'),
  computer_: refused('needs a model trained on it; define a tool of your own instead'),
  browser_: refused('needs a model trained on it; define a tool of your own instead'),
  web_search_: refused(SERVER_TOOL),
  web_fetch_: refused(SERVER_TOOL),
  code_execution_: refused(SERVER_TOOL),
  tool_search_: dropped('every tool is loaded from the start, so there is nothing to search'),
  mcp_toolset: refused(SERVER_TOOL),
  advisor_: refused(SERVER_TOOL),
  '': refused(SERVER_TOOL),
};

/** Returns the entry of `TYPED_TOOLS` that applies to a type of tool. */
export function typedToolFate(type: string): Fate {
  const beginnings = Object.keys(TYPED_TOOLS).filter((beginning) => type.startsWith(beginning));
  const longest = beginnings.reduce((one, other) => (other.length > one.length ? other : one), '');
  return TYPED_TOOLS[longest] ?? refused(SERVER_TOOL);
}

/**
 * Refuses requests with fields that `REFUSED_FIELDS` lists.
 * @throws GatewayError `unsupported_parameter` for the first such field.
 */
export function refuseFields(body: JsonObject): void {
  for (const [name, { harmless, remedy }] of Object.entries(REFUSED_FIELDS)) {
    const value = body[name] ?? false;
    const isIdle = Array.isArray(value) ? value.length === 0 : harmless.includes(value);
    if (value !== false && !isIdle) throw unsupportedParameter(name, remedy);
  }
}

/** Returns the error for a block whose type is unknown, refused, or not allowed at this path. */
export function refusedBlock(type: unknown, path: string): GatewayError {
  const name = String(type);
  const row = BLOCK_TYPES[name];
  const remedy =
    row?.fate === 'refused'
      ? row.remedy
      : row === undefined
        ? 'is not supported by this model; put its content into a text block'
        : 'is not allowed here; move it to a message whose role allows it';
  return unsupportedValue(path, `a block of type "${name}" ${remedy}`);
}
