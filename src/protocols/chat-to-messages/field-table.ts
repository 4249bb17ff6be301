/**
 * Lists how each field of a chat request is translated for a Messages upstream. A test checks the
 * code against every row. Unknown fields are dropped, because Messages upstreams would refuse them,
 * and an error of the gateway would break clients that send them.
 */
import { type Dropped, dropped, type Mapped, mapped } from '../field-fate.ts';

export type FieldFate =
  | Mapped
  | Dropped
  /** The field would change the answer but cannot be translated, so the request is refused. */
  | { readonly fate: 'refused'; readonly when: string; readonly why: string };

export const refused = (when: string, why: string): FieldFate => ({ fate: 'refused', when, why });

export const REQUEST_FIELDS: Readonly<Record<string, FieldFate>> = {
  model: mapped("model, by the upstream's own name"),
  messages: mapped('system and messages'),
  stream: mapped('stream'),
  stream_options: dropped('a Messages stream always reports usage; callers get it if they asked'),
  max_completion_tokens: mapped('max_tokens; the maximum of the model when omitted'),
  max_tokens: mapped('max_tokens, unless max_completion_tokens is set'),
  n: refused('above 1', 'an answer has one choice'),
  temperature: mapped('temperature, at most 1; omitted at its default and with thinking'),
  top_p: mapped('top_p; omitted at its default, with a temperature and with thinking'),
  presence_penalty: dropped('a sampling preference without a counterpart'),
  frequency_penalty: dropped('a sampling preference without a counterpart'),
  logit_bias: dropped('a sampling preference by token ids, which differ between models'),
  logprobs: refused('true', 'log probabilities are not available'),
  top_logprobs: refused('above 0', 'log probabilities are not available'),
  seed: dropped('best effort in chat too, without a guarantee'),
  stop: mapped('stop_sequences; empty ones are omitted, blank ones refused'),
  tools: mapped('tools; only functions, others are refused'),
  tool_choice: mapped('tool_choice; allowed_tools by omitting the others'),
  parallel_tool_calls: mapped('tool_choice.disable_parallel_tool_use'),
  functions: mapped('tools'),
  function_call: mapped('tool_choice, one call at a time'),
  response_format: mapped(
    'output_config.format; json_object as an instruction after the system text',
  ),
  reasoning_effort: mapped(
    'thinking and output_config.effort: none omits both, minimal becomes low; ' +
      'with a forced tool call, only the effort is sent, because thinking is then refused',
  ),
  verbosity: dropped('a preference without a counterpart; the prompt can express it'),
  service_tier: mapped('service_tier: default becomes standard_only, all others auto'),
  metadata: dropped("labels on the provider's platform"),
  store: dropped("storage on the provider's platform"),
  user: mapped('metadata.user_id, unless safety_identifier is set'),
  safety_identifier: mapped('metadata.user_id'),
  prompt_cache_key: dropped(
    'only affects how the server routes; the gateway uses it to choose a route',
  ),
  prompt_cache_options: dropped(
    'the mode explicit only keeps the gateway from adding cache markers',
  ),
  prompt_cache_retention: dropped(
    'the cache markers have lifetimes of their own: five minutes, or an hour',
  ),
  audio: dropped('options of audio answers, which modalities refuses'),
  modalities: dropped('always text; audio is refused for every model'),
  prediction: dropped('changes the speed, not the answer'),
  moderation: dropped('asks for a moderation report, which no model here returns'),
  web_search_options: refused('given', 'the answer would not use a search'),
  provider: dropped('an option of the gateway itself, which has already chosen the channel'),
};
