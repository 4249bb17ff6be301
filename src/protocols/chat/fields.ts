/**
 * The rules for the fields of a chat request. The rule of a field depends on how the field affects
 * the bill and other accounts.
 */
import { asJsonObject, type JsonObject } from '../../json/object.ts';
import { PROVIDER_MEMBERS, type SentMembers } from '../claimed-members.ts';
import {
  BOUNDED,
  each,
  type FieldRule,
  type FieldTable,
  FREE,
  foreign,
  otherModel,
  unpriced,
  withheld,
} from '../request-fields.ts';

export const TIER = { class: 'priced', by: 'tier', included: ['auto', 'default'] } as const;

export const CHAT_FIELDS: FieldTable = {
  rules: {
    ...each('model messages stream stream_options provider', FREE),
    ...each('temperature top_p presence_penalty frequency_penalty seed stop logit_bias', FREE),
    ...each('logprobs top_logprobs parallel_tool_calls tool_choice function_call verbosity', FREE),
    // The sampling parameters in the next line are not OpenAI's, but most other servers accept
    // them.
    ...each('modalities top_k min_p repetition_penalty', FREE),
    ...each('max_completion_tokens max_tokens n reasoning_effort tools functions', BOUNDED),
    // On most servers, `thinking` and `reasoning` turn thinking on or off. Thinking is charged as
    // output.
    ...each('response_format prediction thinking reasoning', BOUNDED),
    // A cache entry is stored for 30 minutes. The price of cache writes includes this.
    prompt_cache_options: { class: 'members', members: ['mode', 'ttl'] },
    service_tier: TIER,
    ...each('user safety_identifier prompt_cache_key', { class: 'identity', member: null }),
    store: withheld(false),
    // `metadata` is for the provider's platform. `audio` is for audio answers, which are refused.
    ...each('metadata audio prompt_cache_retention', withheld()),
    web_search_options: unpriced(
      'searches cannot be counted here, so they are not sold; omit this field, or define your own search tool',
    ),
    moderation: otherModel('requests that run another model are not sold; omit this field'),
  },
  sources: [
    'https://pypi.org/project/openai/3.54.0/',
    'https://developers.openai.com/api/docs/pricing',
  ],
  checked: '2026-11-22',
};

export const FILE_SEARCH = foreign(
  "this tool searches the gateway operator's files at the provider; define your own tool",
);
export const MCP = foreign(
  'the provider cannot connect to MCP servers here; connect to them yourself and define their tools',
);
/** Tools that the provider runs, by type. Functions and custom tools are run by the caller. */
const SERVER_TOOLS: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ['web_search', { class: 'tool', unit: 'web_search' }],
  ['openrouter:web_search', { class: 'tool', unit: 'web_search' }],
  ['openrouter:web_fetch', { class: 'tool', unit: 'web_fetch' }],
  ['x_search', { class: 'tool', unit: 'x_search' }],
  ['file_search', FILE_SEARCH],
  ['mcp', MCP],
]);
const UNKNOWN_TOOL = unpriced(
  'only tools of type "function" and "custom" have a price here; define a function',
);
export const serverTool = (type: string): FieldRule => SERVER_TOOLS.get(type) ?? UNKNOWN_TOOL;

/**
 * Whether only one kind of server has the tool. Then the tool's type begins with the server's name,
 * as in `openrouter:web_search`.
 */
export const isOfOneMake = (type: string): boolean => type.includes(':');

/** Returns a server tool's parameters, which are in `parameters` or in the tool itself. */
export const parametersOf = ({ parameters, ...members }: JsonObject): JsonObject => ({
  ...members,
  ...asJsonObject(parameters),
});

export const TOOL_MODEL = otherModel('a tool with a model of its own is not sold; remove it');

export const UNKNOWN_PART = unpriced(
  'parts of this type have no price; send text, image_url, file, input_audio or video_url',
);
export const FILE_ID = foreign(
  'files stored at the provider may belong to other accounts of this gateway; send the file in file_data',
);
export const MEDIA_UUID = foreign(
  'media that the server caches by this id may belong to other accounts of this gateway; omit it',
);
export const AUDIO_ID = foreign(
  'audio stored at the provider may belong to other accounts of this gateway; send the transcript as content',
);
const DETAILS = ['low', 'high', 'auto'] as const;
export const IMAGE_DETAIL = { class: 'priced', by: 'imageDetail', included: DETAILS } as const;
export const CHAT_CACHE_TTL = unpriced(
  'chat requests have no price for this cache lifetime; omit ttl to cache for 5 minutes',
);

/** The caller's stream options that are sent. The gateway itself sets `include_usage`. */
export const STREAM_OPTIONS = ['include_obfuscation', 'continuous_usage_stats'] as const;

/** The members of these fields that are sent. All other members are omitted or refused. */
export const SENT_MEMBERS: SentMembers = {
  provider: PROVIDER_MEMBERS,
  response_format: [
    ...['type', 'json_schema', 'json_schema.name', 'json_schema.description'],
    ...['json_schema.schema', 'json_schema.strict'],
    // If the type is `json_object`, older servers read the schema from this member.
    'schema',
  ],
  // Thinking is charged as output, no matter which of these members requests it. `keep` and
  // `clear_thinking` are about the thinking of earlier turns (Moonshot and GLM).
  thinking: ['type', 'budget_tokens', 'display', 'effort', 'enabled', 'keep', 'clear_thinking'],
  reasoning: ['effort', 'max_tokens', 'enabled', 'exclude', 'summary', 'generate_summary'],
  stream_options: ['include_usage', ...STREAM_OPTIONS],
};
