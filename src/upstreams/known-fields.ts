/**
 * Lists the request fields of each kind of server. These are the fields that the server accepts in
 * addition to the protocol's fields, and the fields that the gateway sets in each request. A field
 * that is in no table is not sent.
 */
import type { UpstreamMake } from '../config/upstream-schema.ts';
import { CHAT_FIELDS } from '../protocols/chat/fields.ts';
import { EMBEDDINGS_FIELDS } from '../protocols/embeddings/fields.ts';
import type { LimitedTool, LimitedTools } from '../protocols/inputs/server-tools.ts';
import { MESSAGES_FIELDS } from '../protocols/messages/fields.ts';
import {
  BOUNDED,
  each,
  type FieldRule,
  type FieldRules,
  FREE,
  fieldList,
  foreign,
  otherModel,
  type UpstreamFields,
  unpriced,
  type WrittenField,
  withheld,
} from '../protocols/request-fields.ts';
import { RESPONSES_FIELDS } from '../protocols/responses/fields.ts';

export type MakeFields = {
  readonly chat?: FieldRules;
  readonly embeddings?: FieldRules;
  /**
   * Fields that the gateway sets in a chat request, unless the caller sent an allowed value.
   * Without them, the provider's defaults would apply, which may cost money or store answers.
   */
  readonly writtenChat?: readonly WrittenField[];
  /** Like `writtenChat`, for a Messages request. */
  readonly writtenMessages?: readonly WrittenField[];
  /** Like `writtenChat`, for a Responses request. */
  readonly writtenResponses?: readonly WrittenField[];
  readonly imageDetail?: UpstreamFields['imageDetail'];
  /**
   * The provider's server-side tools for which a chat request can limit the number of uses and
   * results.
   */
  readonly limitedTools?: LimitedTools;
  readonly sources: readonly string[];
  /** The day on which the sources were read, `YYYY-MM-DD`; null for a row without fields. */
  readonly checked: string | null;
};

const CHECKED = '2026-11-22';
const NONE: MakeFields = { sources: [], checked: null };

const UNCOUNTED = unpriced(
  'this field causes work that the reported usage does not include; omit it',
);
const SERVER = foreign("this field controls the provider's server; omit it");
const ELSEWHERE = otherModel('requests that may run another model are not sold; omit this field');
const SEARCH = unpriced(
  "the provider's search has no price here; omit this field, or define your own search tool",
);
const SEARCH_TOOL = unpriced(
  'this search has no price here; send a tool of type "openrouter:web_search", or define your own',
);
/**
 * OpenRouter's web search with the engine Exa, which obeys all limits. One fee covers a search with
 * up to ten results.
 */
const OPENROUTER_SEARCH: LimitedTool = {
  type: 'openrouter:web_search',
  engine: 'exa',
  sent: [
    ...['allowed_domains', 'excluded_domains', 'user_location', 'search_context_size'],
    'max_total_results',
  ],
  results: { usual: 5, most: 10 },
};
/**
 * The variables that a request may pass to the chat template. Other variables could replace the
 * prompt.
 */
const TEMPLATE: FieldRule = {
  class: 'members',
  members: ['enable_thinking', 'thinking', 'thinking_budget', 'reasoning_effort'],
};

/**
 * The switches of thinking by OpenRouter and DeepSeek. A server that knows only `reasoning_effort`
 * would refuse the whole request.
 */
const SWITCHES: FieldRules = each('thinking reasoning', withheld());

/** The field rules that vLLM and SGLang have in common. */
const ENGINE: FieldRules = {
  ...each('length_penalty stop_token_ids include_stop_str_in_output skip_special_tokens', FREE),
  ...each('spaces_between_special_tokens add_generation_prompt continue_final_message', FREE),
  ...each('ignore_eos min_tokens', BOUNDED),
  ...each('best_of use_beam_search prompt_logprobs', UNCOUNTED),
  ...each('priority request_id rid session_id cache_salt chat_template', SERVER),
  ...each('custom_logit_processor logits_processors', SERVER),
  chat_template_kwargs: TEMPLATE,
};

export const KNOWN_FIELDS: Readonly<Record<UpstreamMake, MakeFields>> = {
  generic: NONE,

  openai: {
    chat: { prompt_cache_retention: FREE, ...SWITCHES },
    writtenChat: [
      // If a request names no service tier, a setting of the operator's project at OpenAI selects
      // one.
      { name: 'service_tier', text: '"default"', condition: 'tier' },
      // OpenAI stores the answers of new projects unless the request says otherwise.
      { name: 'store', text: 'false', condition: null },
    ],
    // The translator to the Responses protocol sets `store` for every provider, so the field is not
    // listed here.
    writtenResponses: [{ name: 'service_tier', text: '"default"', condition: 'tier' }],
    // By default, newer models read images at full size, which costs up to 250,000 tokens.
    imageDetail: 'high',
    sources: [
      'https://pypi.org/project/openai/3.54.0/',
      'https://developers.openai.com/api/docs/guides/images-vision',
    ],
    checked: CHECKED,
  },

  anthropic: {
    writtenMessages: [
      // If a request names no service tier, Anthropic may serve it from the capacity that the
      // operator has bought in the priority tier.
      { name: 'service_tier', text: '"standard_only"', condition: 'tier' },
      // Without `inference_geo`, a setting of the operator's workspace selects the region. Older
      // models refuse the field, so it is added only where the price card has prices by region.
      { name: 'inference_geo', text: '"global"', condition: 'geo', isIfPriced: true },
    ],
    sources: [
      'https://pypi.org/project/anthropic/2.12.0/',
      'https://platform.claude.com/docs/en/build-with-claude/data-residency',
    ],
    checked: CHECKED,
  },

  // DeepSeek adds only the field `thinking`, which is in the table of chat fields.
  deepseek: NONE,

  vllm: {
    chat: {
      ...ENGINE,
      ...each('truncate_prompt_tokens truncation_side bad_words allowed_token_ids', FREE),
      ...each('structured_outputs include_reasoning repetition_detection', FREE),
      ...each('guided_json guided_regex guided_choice guided_grammar structural_tag', FREE),
      ...each('thinking_token_budget echo documents', BOUNDED),
      ...each('media_io_kwargs mm_processor_kwargs', UNCOUNTED),
      ...each('kv_transfer_params ec_transfer_params vllm_xargs mm_payload lora_request', SERVER),
    },
    embeddings: {
      ...each('truncate_prompt_tokens truncation_side add_special_tokens normalize', FREE),
      ...each('use_activation embed_dtype endianness', FREE),
      ...each('mm_processor_kwargs', UNCOUNTED),
      ...each('priority request_id cache_salt messages chat_template', SERVER),
    },
    sources: ['https://pypi.org/project/vllm/0.33.0/'],
    checked: CHECKED,
  },

  sglang: {
    chat: {
      ...ENGINE,
      ...each('regex ebnf stop_regex no_stop_trim separate_reasoning stream_reasoning', FREE),
      ...each('max_dynamic_patch images_config video_config', UNCOUNTED),
      ...each('lora_path session_params custom_params extra_key data_parallel_rank', SERVER),
      ...each('return_hidden_states return_routed_experts input_ids', SERVER),
    },
    embeddings: each('rid priority lora_path', SERVER),
    sources: ['https://pypi.org/project/sglang/0.5.23/'],
    checked: CHECKED,
  },

  // Ollama adds no fields to chat completions.
  ollama: NONE,

  'llama.cpp': {
    chat: {
      ...each('typical_p mirostat mirostat_tau mirostat_eta repeat_penalty repeat_last_n', FREE),
      ...each('dry_multiplier dry_base dry_allowed_length dry_penalty_last_n', FREE),
      ...each('xtc_probability xtc_threshold grammar json_schema samplers', FREE),
      reasoning_format: FREE,
      ignore_eos: BOUNDED,
      ...each('n_predict n_probs', UNCOUNTED),
      ...each('id_slot slot_id cache_prompt lora', SERVER),
      chat_template_kwargs: TEMPLATE,
    },
    sources: ['https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md'],
    checked: CHECKED,
  },

  litellm: {
    chat: {
      ...each('fallbacks context_window_fallbacks content_policy_fallbacks', ELSEWHERE),
      ...each('model_list mock_testing_fallbacks routing_strategy', ELSEWHERE),
      ...each('api_base base_url api_key api_version user_config deployment_url', SERVER),
      ...each('vertex_credentials azure_ad_token prompt_id prompt_variables guardrails', SERVER),
      ...each('tags cache', withheld()),
    },
    embeddings: {
      ...each('fallbacks context_window_fallbacks model_list mock_testing_fallbacks', ELSEWHERE),
      ...each('api_base base_url api_key api_version user_config deployment_url', SERVER),
      ...each('vertex_credentials azure_ad_token guardrails', SERVER),
      ...each('tags cache', withheld()),
    },
    sources: ['https://pypi.org/project/litellm/1.109.1/'],
    checked: CHECKED,
  },

  openrouter: {
    chat: {
      ...each('top_a transforms usage', FREE),
      ...each('cache_control include_reasoning', BOUNDED),
      session_id: { class: 'identity', member: null },
      ...each('models route fallbacks preset', ELSEWHERE),
      // The length of the search plugin's results cannot be limited, so only the search tool is
      // offered.
      ...each('plugins web_search_options', SEARCH_TOOL),
      stop_server_tools_when: BOUNDED,
      ...each('image_config speed', unpriced('this gateway has no price for this field; omit it')),
      ...each('trace debug', withheld()),
    },
    embeddings: each('models route fallbacks preset', ELSEWHERE),
    limitedTools: {
      'openrouter:web_search': OPENROUTER_SEARCH,
      web_search: OPENROUTER_SEARCH,
      'openrouter:web_fetch': {
        type: 'openrouter:web_fetch',
        engine: 'openrouter',
        sent: ['allowed_domains', 'blocked_domains'],
        results: null,
      },
    },
    sources: [
      'https://pypi.org/project/openrouter/1.3.84/',
      'https://openrouter.ai/docs/api-reference/overview',
    ],
    checked: CHECKED,
  },

  // Moonshot adds only the field `thinking`, which is in the table of chat fields.
  moonshot: NONE,

  xai: {
    chat: {
      search_parameters: SEARCH,
      deferred: unpriced('deferred answers are not sold; omit this field', false),
      previous_response_id: foreign(
        'stored answers may belong to other accounts of this gateway; omit this field',
      ),
    },
    sources: ['https://pypi.org/project/xai-sdk/1.21.0/', 'https://docs.x.ai/developers/pricing'],
    checked: CHECKED,
  },

  // Gemini's own fields are in `extra_body`, which is not sent: it may name the operator's caches.
  gemini: {
    chat: SWITCHES,
    sources: ['https://ai.google.dev/gemini-api/docs/openai'],
    checked: CHECKED,
  },

  // Bedrock's own fields are headers, which callers cannot send.
  bedrock: NONE,

  // A second Modelgate checks fields by its own tables and charges its own prices for them.
  modelgate: NONE,
};

/**
 * Returns the field rules of a kind of server.
 * @param pass the fields that are sent even if no rule allows them.
 */
export function fieldsOf(make: UpstreamMake, pass: 'all' | readonly string[]): UpstreamFields {
  const { chat, embeddings, writtenChat, writtenMessages, writtenResponses } = KNOWN_FIELDS[make];
  const { limitedTools = {}, imageDetail = null } = KNOWN_FIELDS[make];
  return {
    lists: {
      chat: fieldList({ ...CHAT_FIELDS.rules, ...chat }, writtenChat),
      messages: fieldList(MESSAGES_FIELDS.rules, writtenMessages),
      responses: fieldList(RESPONSES_FIELDS.rules, writtenResponses),
      embeddings: fieldList({ ...EMBEDDINGS_FIELDS.rules, ...embeddings }),
    },
    pass: pass === 'all' ? pass : new Set(pass),
    limitedTools,
    imageDetail,
  };
}

/**
 * The field rules of the protocols alone, without those of any server. They apply to requests that
 * a translator rewrites.
 */
export const PLAIN_FIELDS: UpstreamFields = fieldsOf('generic', []);
