/** The fields of a Responses request, by their effect on the bill and on other accounts. */
import {
  BOUNDED,
  each,
  type FieldTable,
  FREE,
  foreign,
  otherModel,
  withheld,
} from '../request-fields.ts';

const NOT_STORED = 'nothing is stored here: send the whole conversation in input';

export const RESPONSES_FIELDS: FieldTable = {
  rules: {
    ...each('model input instructions stream stream_options provider', FREE),
    ...each('temperature top_p top_logprobs parallel_tool_calls tool_choice truncation', FREE),
    ...each('text include personality', FREE),
    ...each('max_output_tokens tools max_tool_calls reasoning', BOUNDED),
    // Removes from the prompt, or adds a compaction, which the output limit includes.
    context_management: BOUNDED,
    image: { class: 'members', members: ['context_compression'] },
    prompt_cache_options: { class: 'members', members: ['mode', 'ttl'] },
    service_tier: { class: 'priced', by: 'tier', included: ['auto', 'default'] },
    ...each('user safety_identifier prompt_cache_key', { class: 'identity', member: null }),
    // Every answer says `store: false`, so a caller who asked for storing can see it.
    store: withheld(false, true),
    background: foreign(`background answers are not offered, since ${NOT_STORED}`, false),
    ...each('conversation previous_response_id', foreign(NOT_STORED)),
    prompt: foreign(
      "prompt templates are stored in the gateway operator's account; send instructions and input",
    ),
    background_options: withheld(),
    // `metadata` and `client_metadata` are for the provider's platform.
    ...each('metadata client_metadata prompt_cache_retention', withheld()),
    moderation: otherModel('requests that run another model are not sold; omit this field'),
    access_programs: foreign(
      "this field acts on the gateway operator's account at the provider; omit it",
    ),
  },
  sources: [
    'https://pypi.org/project/openai/3.54.0/',
    'https://developers.openai.com/api/docs/pricing',
  ],
  checked: '2026-11-22',
};
