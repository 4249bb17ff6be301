/**
 * What becomes of each field of a chat request before a Messages upstream. Whatever chat completions name
 * stands here, so that nothing is lost unsaid; a test holds every row to the code. Fields that nobody
 * names are dropped: no client may be refused for them, and Messages refuses what it does not know.
 */

export type FieldFate =
  | { readonly fate: 'mapped'; readonly as: string }
  /** Without it the answer is still what was asked for. */
  | { readonly fate: 'dropped'; readonly why: string }
  /** Without it the answer would be another, so that the request is refused with its path. */
  | { readonly fate: 'refused'; readonly when: string; readonly why: string };

const mapped = (as: string): FieldFate => ({ fate: 'mapped', as });
const dropped = (why: string): FieldFate => ({ fate: 'dropped', why });
const refused = (when: string, why: string): FieldFate => ({ fate: 'refused', when, why });

/** By top-level field of the request. */
export const REQUEST_FIELDS: Readonly<Record<string, FieldFate>> = {
  model: mapped("model, by the upstream's own name"),
  messages: mapped('system and messages'),
  stream: mapped('stream'),
  stream_options: dropped(
    'the usage of a Messages stream always comes; who asked for it is told it',
  ),
  max_completion_tokens: mapped('max_tokens; the most that the model can say when it is omitted'),
  max_tokens: mapped('max_tokens, unless max_completion_tokens is there'),
  n: refused('above 1', 'an answer has one choice'),
  temperature: mapped('temperature, at most 1; left out at its default and while the model thinks'),
  top_p: mapped('top_p; left out at its default and while the model thinks'),
  presence_penalty: dropped('a leaning of the sampler, with no counterpart'),
  frequency_penalty: dropped('a leaning of the sampler, with no counterpart'),
  logit_bias: dropped(
    'a leaning of the sampler, by token numbers that mean nothing to another model',
  ),
  logprobs: refused('true', 'log probabilities are not told'),
  top_logprobs: refused('above 0', 'log probabilities are not told'),
  seed: dropped('best effort where it is known, and promises nothing'),
  stop: mapped('stop_sequences; empty ones stop nothing, blank ones alone are refused'),
  tools: mapped('tools; any kind but functions is refused'),
  tool_choice: mapped('tool_choice; allowed_tools by offering no others'),
  parallel_tool_calls: mapped('tool_choice.disable_parallel_tool_use'),
  functions: mapped('tools'),
  function_call: mapped('tool_choice, one call at a time'),
  response_format: mapped('output_config.format; json_object in words, behind the system text'),
  reasoning_effort: mapped(
    'thinking and output_config.effort: none is neither, minimal is low; ' +
      'effort alone where a tool must be called, as thinking is refused then',
  ),
  verbosity: dropped('a leaning towards length, with no counterpart; the prompt can say it'),
  service_tier: mapped('service_tier: default is standard_only, all others are auto'),
  metadata: dropped("labels for the records of the maker's platform"),
  store: dropped("for the records of the maker's platform"),
  user: mapped('metadata.user_id, unless safety_identifier is there'),
  safety_identifier: mapped('metadata.user_id'),
  prompt_cache_key: dropped('chooses a machine, not an answer; routing has made use of it'),
  prompt_cache_options: dropped('markers say what is cached, and it lives five minutes'),
  prompt_cache_retention: dropped('what is cached lives five minutes'),
  audio: dropped('the voice of an answer in audio, which is refused by modalities'),
  modalities: dropped('text is what there is; audio is refused for every model'),
  prediction: dropped('makes an answer faster, not another'),
  moderation: dropped('an extra report on the answer, which no model here gives'),
  web_search_options: refused('given', 'the answer would rest on no search'),
  provider: dropped("the gateway's own: it has chosen the channel"),
};

/** By member of a message; `content` goes part by part. */
export const MESSAGE_FIELDS: Readonly<Record<string, FieldFate>> = {
  role: mapped('role, or system; developer is system'),
  content: mapped('content'),
  name: dropped('Messages has one user; who is speaking can be said in the text'),
  tool_call_id: mapped('tool_use_id'),
  tool_calls: mapped(
    'tool_use blocks behind the text; calls of any kind but functions are refused',
  ),
  function_call: mapped('a tool_use block'),
  refusal: mapped('a text block'),
  audio: refused('given', 'the model does not know what was spoken'),
  reasoning_content: dropped(
    'for reading; what can go back is in reasoning_details, or with the calls',
  ),
  reasoning_details: mapped('thinking blocks, where they are signed'),
  thinking_blocks: mapped('thinking blocks, where they are signed'),
};

/** By type of a content part. */
export const PART_TYPES: Readonly<Record<string, FieldFate>> = {
  text: mapped('a text block; blank text is left out'),
  image_url: mapped('an image block; its detail is dropped, as the model sees every image alike'),
  file: mapped('a document or image block; a file_id is refused, as there is no store of files'),
  refusal: mapped('a text block, of the assistant'),
  input_audio: refused('given', 'the model does not hear'),
  video_url: refused('given', 'the model does not watch'),
};
