/**
 * Lists how each kind of item, content part and tool of a Responses request reaches a chat
 * upstream. A test checks the code against every row, and error messages use the text of a row.
 */
import { GatewayError } from '../../errors.ts';
import { type Dropped, dropped, type Mapped, mapped } from '../field-fate.ts';
import { unsupportedParameter, unsupportedValue } from '../validation.ts';

export type Fate =
  | Mapped
  | Dropped
  /**
   * The item, content part or tool would change the answer but cannot be translated, so the request
   * is refused.
   */
  | { readonly fate: 'refused'; readonly remedy: string };

export const refused = (remedy: string): Fate => ({ fate: 'refused', remedy });

const HISTORY =
  "reports a tool that ran on OpenAI's servers, which this model does not support; remove it, or " +
  'put its content into a message';
const CLIENT_TOOL =
  'is a built-in tool that this model does not have; define a function, and send its calls as ' +
  'function_call';
const COMPACTION =
  'is a summary that only its provider can read; send the conversation itself, or the summary as ' +
  'a message';
/** Items that replace earlier items with an encrypted summary. */
const COMPACTIONS: ReadonlySet<unknown> = new Set(['compaction', 'context_compaction']);

/** The treatment of items of `input`, by their type. */
export const ITEM_TYPES: Readonly<Record<string, Fate>> = {
  message: mapped('a message of its role; developer becomes system, and empty content is omitted'),
  function_call: mapped('a tool call of the assistant message'),
  function_call_output: mapped('a tool message; images and files follow in a user message'),
  custom_tool_call: mapped('a tool call with the input as its only argument'),
  custom_tool_call_output: mapped('a tool message, as function_call_output'),
  tool_search_call: mapped('a call of the function tool_search, if it ran at the caller'),
  tool_search_output: mapped('a tool message that names the tools, which become tools'),
  additional_tools: mapped('tools'),
  configuration_update: mapped(
    'the effort and the format; if there are several, the last one applies',
  ),
  agent_message: mapped('a user message'),
  reasoning: mapped(
    'reasoning of the assistant message for servers with reasoningBack, if this gateway returned it',
  ),
  web_search_call: dropped('the answer that follows contains the search results'),
  item_reference: refused('refers to a stored item, but nothing is stored; send the item itself'),
  compaction: refused(COMPACTION),
  context_compaction: refused(COMPACTION),
  compaction_trigger: refused(
    'asks for a compaction, which this model does not offer; ask for a summary in a message',
  ),
  local_shell_call: refused(CLIENT_TOOL),
  local_shell_call_output: refused(CLIENT_TOOL),
  shell_call: refused(CLIENT_TOOL),
  shell_call_output: refused(CLIENT_TOOL),
  apply_patch_call: refused(CLIENT_TOOL),
  apply_patch_call_output: refused(CLIENT_TOOL),
  computer_call: refused(CLIENT_TOOL),
  computer_call_output: refused(CLIENT_TOOL),
  file_search_call: refused(HISTORY),
  code_interpreter_call: refused(HISTORY),
  image_generation_call: refused(HISTORY),
  mcp_list_tools: refused(HISTORY),
  mcp_call: refused(HISTORY),
  mcp_approval_request: refused(HISTORY),
  mcp_approval_response: refused(HISTORY),
  program: refused(HISTORY),
  program_output: refused(HISTORY),
};

/** The treatment of content parts, by their type. */
export const PART_TYPES: Readonly<Record<string, Fate>> = {
  input_text: mapped('text; empty text is omitted'),
  output_text: mapped('text, without annotations and log probabilities'),
  text: mapped('text'),
  refusal: mapped('text of the assistant message'),
  encrypted_content: mapped('text, in messages between agents'),
  input_image: mapped('image_url; detail "original" becomes "high", and a file_id is refused'),
  input_file: mapped('file; a file_id is refused, and a file_url by chat servers'),
  input_audio: mapped('input_audio'),
};

const HOSTED = "is run by OpenAI's servers; offer a function";

/** The treatment of tools, by their type. */
export const TOOL_TYPES: Readonly<Record<string, Fate>> = {
  function: mapped('a function'),
  custom: mapped('a function with one string'),
  namespace: mapped('functions with the name of the namespace in front'),
  tool_search: mapped(
    'the function tool_search if it runs at the caller; otherwise omitted, since all tools are loaded',
  ),
  web_search: dropped('other tools remain; refused if it is the only tool or the tool choice'),
  file_search: refused(HOSTED),
  code_interpreter: refused(HOSTED),
  computer: refused(HOSTED),
  computer_use_preview: refused(HOSTED),
  image_generation: refused(HOSTED),
  mcp: refused(HOSTED),
  programmatic_tool_calling: refused(HOSTED),
  local_shell: refused(CLIENT_TOOL),
  shell: refused(CLIENT_TOOL),
  apply_patch: refused(CLIENT_TOOL),
};

const MAX_SHOWN_CHARACTERS = 64;
const shown = (type: unknown): string => String(type).slice(0, MAX_SHOWN_CHARACTERS);

const remedyIn = (table: Readonly<Record<string, Fate>>, type: unknown, other: string): string => {
  const row = Object.hasOwn(table, String(type)) ? table[String(type)] : undefined;
  return row?.fate === 'refused' ? row.remedy : other;
};

/** Returns the error for an item whose type is refused or unknown. */
export function refusedItem(type: unknown, path: string): GatewayError {
  const remedy = remedyIn(ITEM_TYPES, type, 'is not supported by this model; remove it');
  const problem = `an item of type "${shown(type)}" ${remedy}`;
  if (!COMPACTIONS.has(type)) return unsupportedValue(`${path}.type`, problem);
  const param = `${path}.encrypted_content`;
  return new GatewayError('invalid_encrypted_content', `${param}: ${problem}.`, { param });
}

/** Returns the error for a part whose type is unknown. */
export const refusedPart = (type: unknown, path: string): GatewayError =>
  unsupportedValue(
    `${path}.type`,
    `a part of type "${shown(type)}" is not supported; send input_text, input_image or input_file`,
  );

/** Returns the error for a tool whose type is refused, unknown or not allowed at this path. */
export function refusedTool(type: unknown, path: string): GatewayError {
  const remedy = remedyIn(TOOL_TYPES, type, HOSTED);
  return unsupportedParameter(`${path}.type`, `a tool of type "${shown(type)}" ${remedy}`);
}
