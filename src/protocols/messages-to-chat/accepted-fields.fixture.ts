/**
 * Lists how each accepted field of a Messages request is translated for a chat upstream. The
 * refused fields are in `field-table.ts`.
 */
import { dropped, mapped } from '../field-fate.ts';
import { type Fate, REFUSED_CALLERS, REFUSED_FIELDS, refused } from './field-table.ts';

/** How each accepted top-level field of the request is translated. */
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
    'reasoning_effort by its budget, unless output_config.effort is set. Omitted or disabled sends the ' +
      "server's own switch in place of an effort, if it has one, and thinking is not delivered",
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
  provider: dropped('an option of the gateway itself, which has already chosen the channel'),
  ...REFUSED_FIELDS,
};

/** How each member of a tool that the caller defines is translated. */
export const TOOL_FIELDS: Readonly<Record<string, Fate>> = {
  type: mapped('a function; for tools defined by the protocol see TYPED_TOOLS'),
  name: mapped('its name, shortened if over 64 characters and restored in the answer'),
  description: mapped('description'),
  input_schema: mapped('parameters'),
  strict: mapped('strict; false if chat would refuse the schema of a strict tool'),
  input_examples: mapped('appended to the description'),
  cache_control: dropped('chat servers cache automatically'),
  defer_loading: dropped('every tool is loaded from the start: more tokens, the same tools'),
  eager_input_streaming: dropped('concerns the answer: true streams arguments unchecked'),
  allowed_callers: refused(REFUSED_CALLERS),
};
