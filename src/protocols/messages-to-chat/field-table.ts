/**
 * What becomes of each part of a Messages request before a chat upstream. Whatever the Messages protocol
 * names stands here, so that nothing is lost unsaid; a test holds every row to the code, and refusals are
 * read from here. Fields that nobody names are dropped: no client may be refused for them, and chat servers
 * refuse what they do not know.
 */
import type { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { unsupportedParameter, unsupportedValue } from '../validation.ts';

export type Fate =
  | { readonly fate: 'mapped'; readonly as: string }
  /** Without it the answer is still what was asked for. */
  | { readonly fate: 'dropped'; readonly why: string }
  /** Without it the answer would be another, so that the request is refused with its path. */
  | Refusal;

export type Refusal = {
  readonly fate: 'refused';
  /** Why, and what to do instead: the end of the sentence that the caller reads. */
  readonly remedy: string;
  /** Values that ask for nothing, besides null and what is empty. */
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
  'is run by the server of another model and not offered with this one; offer a tool of your own with ' +
  'name and input_schema instead';
const HISTORY =
  'tells of a tool that the server of another model ran, which this model cannot be told; leave it out or ' +
  'say its content in a text block';

/** By top-level field of the request. */
export const REQUEST_FIELDS: Readonly<Record<string, Fate>> = {
  model: mapped("model, by the upstream's own name"),
  messages: mapped('messages'),
  system: mapped('the leading system message'),
  stream: mapped('stream, with its usage asked for where the server knows how'),
  max_tokens: mapped(
    'max_completion_tokens or max_tokens, as the server calls it; 0 is refused, as chat cannot warm a cache ' +
      'without saying anything',
  ),
  stop_sequences: mapped(
    'stop, four at most; which of them was hit is not told, the end is an end_turn',
  ),
  temperature: mapped('temperature'),
  top_p: mapped('top_p'),
  top_k: dropped('a leaning of the sampler, with no counterpart'),
  tools: mapped('tools, all of them functions'),
  tool_choice: mapped('tool_choice and parallel_tool_calls'),
  thinking: mapped(
    'reasoning_effort by its budget, unless output_config.effort is there. Off and omitted say nothing, ' +
      'since no word for it is known to all servers: what the model thinks all the same is shown',
  ),
  output_config: mapped(
    'effort as reasoning_effort, that of the last system message with one before it; format as ' +
      'response_format; task_budget is dropped, as it is advice',
  ),
  output_format: mapped('response_format, unless output_config.format is there'),
  metadata: mapped('user_id as user, hashed where it is over 64 characters'),
  service_tier: dropped("chooses among tiers of another maker's prices"),
  cache_control: dropped('chat servers cache by themselves, and mark nothing'),
  context_management: dropped(
    'nothing is cleared, which the answer says: the prompt stays as long as it is sent',
  ),
  container: dropped('where server tools run, of which there are none; with skills it is refused'),
  speed: dropped('makes an answer faster, not another'),
  diagnostics: dropped('an extra report on the cache'),
  inference_geo: refused(
    'where this model runs cannot be chosen by request; leave it out',
    'global',
    'not_available',
  ),
  mcp_servers: refused(
    'no server tools run with this model; connect to the server yourself and offer its tools',
  ),
  compaction: refused(
    'this model does not compact a conversation; ask for a summary in the prompt',
  ),
  fallbacks: refused(
    'no other model stands in for this one; leave it out and ask the other one yourself',
  ),
  thread: refused('message threads are not offered; leave it out and send the whole conversation'),
  provider: dropped("the gateway's own: it has chosen the channel"),
};

/** By type of a content block in a message, the system text or a tool's result. */
export const BLOCK_TYPES: Readonly<Record<string, Fate>> = {
  text: mapped('text; empty ones are left out, citations of earlier answers too'),
  image: mapped('an image_url part; a file_id is refused, as there is no store of files'),
  document: mapped(
    'a file part (PDF) or text under its title; an address and a file_id are refused, and so are citations',
  ),
  search_result: mapped('text under its title and source; citations are refused'),
  tool_use: mapped('a tool call'),
  tool_result: mapped('a tool message; what is no text follows in the next user message'),
  tool_reference: mapped('text that names the tool; all tools are there from the beginning'),
  thinking: dropped('thinking of earlier turns is not needed, save by servers with reasoningBack'),
  redacted_thinking: dropped('nobody but its maker can read it'),
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
    'is a summary that only its maker can read; send the conversation itself, or the summary as text',
  ),
  fallback: refused('tells of another model that stood in; leave it out'),
  tool_addition: refused('this model has its tools from the beginning; put the tool into tools'),
  tool_removal: refused('this model has its tools from the beginning; take the tool out of tools'),
};

/** By member of a tool of the caller's own. */
export const TOOL_FIELDS: Readonly<Record<string, Fate>> = {
  type: mapped('a function; the tools that the protocol itself defines are in TYPED_TOOLS'),
  name: mapped('its name, made to fit where it is over 64 characters, and told back as it was'),
  description: mapped('description'),
  input_schema: mapped('parameters'),
  strict: mapped('strict'),
  input_examples: mapped('examples at the end of the description'),
  cache_control: dropped('chat servers cache by themselves, and mark nothing'),
  defer_loading: dropped('every tool is loaded from the beginning: more tokens, the same tools'),
  eager_input_streaming: dropped('arguments are streamed as they come'),
  allowed_callers: refused(
    'no code runs with this model that could call the tool; allow "direct", or leave it out',
  ),
};

/** Tools that the protocol itself defines, by how their type begins; the longest beginning holds. */
export const TYPED_TOOLS: Readonly<Record<string, Fate>> = {
  bash_: mapped('a function with the input that the protocol documents'),
  text_editor_: mapped('a function with the input that the protocol documents'),
  memory_: mapped('a function with the input that the protocol documents'),
  computer_: refused('was made for the eyes of another model; offer a tool of your own instead'),
  browser_: refused('was made for the eyes of another model; offer a tool of your own instead'),
  web_search_: refused(SERVER_TOOL),
  web_fetch_: refused(SERVER_TOOL),
  code_execution_: refused(SERVER_TOOL),
  tool_search_: refused(
    'is not needed with this model, which has all its tools at once; leave it out',
  ),
  mcp_toolset: refused(SERVER_TOOL),
  advisor_: refused(SERVER_TOOL),
  '': refused(SERVER_TOOL),
};

/** The row of a tool's type. */
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

/** What is said of a block that cannot stand where it stands. */
export function refusedBlock(type: unknown, path: string): GatewayError {
  const name = String(type);
  const row = BLOCK_TYPES[name];
  const remedy =
    row?.fate === 'refused'
      ? row.remedy
      : row === undefined
        ? 'cannot be told to this model; say its content in a text block'
        : 'cannot stand here; move it into a message whose role has such blocks';
  return unsupportedValue(path, `a block of type "${name}" ${remedy}`);
}
