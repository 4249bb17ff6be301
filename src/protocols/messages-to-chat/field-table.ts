/**
 * How each part of a Messages request reaches a chat upstream. Every name of the Messages protocol
 * is listed, so that none is dropped by accident. A test holds every row to the code, and refusals
 * use its texts. Unknown fields are dropped: refusing them would break clients, and chat servers
 * refuse unknown fields.
 */
import type { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { unsupportedParameter, unsupportedValue } from '../validation.ts';

export type Fate =
  | { readonly fate: 'mapped'; readonly as: string }
  /** The answer is still what was asked for. */
  | { readonly fate: 'dropped'; readonly why: string }
  /** The answer would be a different one, so the request is refused with the field's path. */
  | Refusal;

export type Refusal = {
  readonly fate: 'refused';
  /** Why, and what to do instead: the end of the error message. */
  readonly remedy: string;
  /** Values that ask for nothing, besides null and empty ones. */
  readonly harmless: readonly unknown[];
};

const mapped = (as: string): Fate => ({ fate: 'mapped', as });
const dropped = (why: string): Fate => ({ fate: 'dropped', why });
const refused = (remedy: string, ...harmless: readonly unknown[]): Fate => ({
  fate: 'refused',
  remedy,
  harmless,
});

const SERVER_TOOL =
  "runs on another provider's servers and is not available with this model; define a tool with " +
  'name and input_schema instead';
const HISTORY =
  "reports a tool that ran on another provider's servers, which this model does not support; " +
  'remove it or put its content into a text block';

/** By top-level field of the request. */
export const REQUEST_FIELDS: Readonly<Record<string, Fate>> = {
  model: mapped("model, by the upstream's own name"),
  messages: mapped('messages'),
  system: mapped('the leading system message'),
  stream: mapped('stream, and stream_options if the server accepts it'),
  max_tokens: mapped(
    "max_completion_tokens or max_tokens, by the server's name; 0 is refused, since chat cannot warm " +
      'a cache without an answer',
  ),
  stop_sequences: mapped(
    'stop, at most four; the stop reason is end_turn, since the match is not reported',
  ),
  temperature: mapped('temperature'),
  top_p: mapped('top_p'),
  top_k: dropped('a sampling preference without a counterpart'),
  tools: mapped('tools, all of them functions'),
  tool_choice: mapped('tool_choice and parallel_tool_calls'),
  thinking: mapped(
    'reasoning_effort by its budget, unless output_config.effort is set. Disabled sends nothing, since ' +
      'servers have no common value for it: if the model thinks anyway, the thinking is shown',
  ),
  output_config: mapped(
    'effort as reasoning_effort, overridden by the last system message with one; format as ' +
      'response_format; task_budget is dropped, since it is advice',
  ),
  output_format: mapped('response_format, unless output_config.format is set'),
  metadata: mapped('user_id as user, hashed if over 64 characters'),
  service_tier: dropped('a price tier of another provider'),
  cache_control: dropped('chat servers cache automatically'),
  context_management: dropped('nothing is cleared, and the answer reports that'),
  container: dropped('for server tools, which are not available; refused with skills'),
  speed: dropped('changes the speed, not the answer'),
  diagnostics: dropped('an extra cache report'),
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
  provider: dropped("the gateway's own: it has chosen the channel"),
};

/** By type of a content block in a message, the system text or a tool result. */
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
  server_tool_use: refused(HISTORY),
  web_search_tool_result: refused(HISTORY),
  web_fetch_tool_result: refused(HISTORY),
  code_execution_tool_result: refused(HISTORY),
  bash_code_execution_tool_result: refused(HISTORY),
  text_editor_code_execution_tool_result: refused(HISTORY),
  tool_search_tool_result: refused(HISTORY),
  container_upload: refused(HISTORY),
  mcp_tool_use: refused(HISTORY),
  mcp_tool_result: refused(HISTORY),
  mcp_tool_listing: refused(HISTORY),
  advisor_tool_result: refused(HISTORY),
  compaction: refused(
    'is a summary that only its provider can read; send the conversation itself, or the summary as text',
  ),
  fallback: refused('reports a fallback to another model; remove it'),
  tool_addition: refused('tools cannot be added later with this model; put the tool into tools'),
  tool_removal: refused(
    'tools cannot be removed later with this model; remove the tool from tools',
  ),
};

/** By member of a tool that the caller defines. */
export const TOOL_FIELDS: Readonly<Record<string, Fate>> = {
  type: mapped('a function; for tools defined by the protocol see TYPED_TOOLS'),
  name: mapped('its name, shortened if over 64 characters and restored in the answer'),
  description: mapped('description'),
  input_schema: mapped('parameters'),
  strict: mapped('strict'),
  input_examples: mapped('appended to the description'),
  cache_control: dropped('chat servers cache automatically'),
  defer_loading: dropped('every tool is loaded from the start: more tokens, the same tools'),
  eager_input_streaming: dropped('arguments are always streamed as they arrive'),
  allowed_callers: refused(
    'code execution is not available with this model; allow "direct", or omit it',
  ),
};

/** Tools defined by the protocol, by prefix of their type; the longest prefix wins. */
export const TYPED_TOOLS: Readonly<Record<string, Fate>> = {
  bash_: mapped('a function with the documented input'),
  text_editor_: mapped('a function with the documented input'),
  memory_: mapped('a function with the documented input'),
  computer_: refused('needs a model trained on it; define a tool of your own instead'),
  browser_: refused('needs a model trained on it; define a tool of your own instead'),
  web_search_: refused(SERVER_TOOL),
  web_fetch_: refused(SERVER_TOOL),
  code_execution_: refused(SERVER_TOOL),
  tool_search_: refused('is not needed with this model, which sees all tools at once; omit it'),
  mcp_toolset: refused(SERVER_TOOL),
  advisor_: refused(SERVER_TOOL),
  '': refused(SERVER_TOOL),
};

/** The row for a tool type. */
export function typedToolFate(type: string): Fate {
  const beginnings = Object.keys(TYPED_TOOLS).filter((beginning) => type.startsWith(beginning));
  const longest = beginnings.reduce((one, other) => (other.length > one.length ? other : one), '');
  return TYPED_TOOLS[longest] ?? refused(SERVER_TOOL);
}

/** Whether a value asks for what the row refuses. */
export function isAskedFor(value: unknown, { harmless }: Refusal): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !harmless.includes(value);
}

/** @throws GatewayError `unsupported_parameter` for the first field that the table refuses. */
export function refuseFields(body: JsonObject): void {
  for (const [name, row] of Object.entries(REQUEST_FIELDS)) {
    if (row.fate !== 'refused' || !isAskedFor(body[name], row)) continue;
    throw unsupportedParameter(name, row.remedy);
  }
}

/** The error for a block that is not allowed in its place. */
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
