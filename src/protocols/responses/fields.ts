/** Rules for Responses fields, tools and items, by how they affect the bill and other accounts. */
import { FILE_SEARCH, MCP, TIER } from '../chat/fields.ts';
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

const NOT_STORED =
  'nothing is stored here; omit this field and send the whole conversation in input';

export const RESPONSES_FIELDS: FieldTable = {
  rules: {
    ...each('model input instructions stream stream_options provider', FREE),
    ...each('temperature top_p top_logprobs parallel_tool_calls tool_choice truncation', FREE),
    ...each('text include personality', FREE),
    ...each('max_output_tokens max_tool_calls tools reasoning', BOUNDED),
    // A compaction is an extra run of the same model, whose tokens `usage` reports.
    context_management: BOUNDED,
    image: { class: 'members', members: ['context_compression'] },
    // A cache entry lives for 30 minutes, at the price of cache writes. Two members are refused:
    // `prewarm` fills the cache without an answer, `comparison_response_id` refers to another
    // answer.
    prompt_cache_options: { class: 'members', members: ['mode', 'ttl'] },
    service_tier: TIER,
    ...each('user safety_identifier prompt_cache_key', { class: 'identity', member: null }),
    // True and false are accepted and not reported as ignored, because some clients send `true`.
    // Every answer says that it was not stored.
    store: withheld(false, true),
    background: foreign(`answers in the background need storage, and ${NOT_STORED}`, false),
    // `request.ts` refuses this field before this rule applies, with a different error code.
    previous_response_id: foreign(NOT_STORED),
    ...each('conversation background_options', foreign(NOT_STORED)),
    prompt: foreign(
      "prompt templates are in the gateway operator's account; send instructions and input",
    ),
    access_programs: foreign(
      "this field acts on the gateway operator's account at the provider; omit it",
    ),
    // These fields concern only the provider's own platform.
    ...each('metadata client_metadata moderation prompt_cache_retention', withheld()),
  },
  sources: [
    'https://pypi.org/project/openai/3.54.0/',
    'https://developers.openai.com/api/docs/pricing',
  ],
  checked: '2026-11-22',
};

const CONTAINER = unpriced(
  'containers at the provider have no price here; run the code yourself and define a function',
);
/** The rules of tools by their type. Tools that the caller runs cost only tokens. */
const TOOLS: ReadonlyMap<string, FieldRule> = new Map<string, FieldRule>([
  ...['function', 'custom', 'namespace', 'tool_search', 'computer', 'computer_use_preview'].map(
    (type) => [type, BOUNDED] as const,
  ),
  ...['local_shell', 'apply_patch'].map((type) => [type, BOUNDED] as const),
  ...['web_search', 'web_search_2025_08_26'].map(
    (type) => [type, { class: 'tool', unit: 'web_search' }] as const,
  ),
  ['file_search', FILE_SEARCH],
  ['mcp', MCP],
  ['image_generation', otherModel('tools that run another model are not sold; remove this tool')],
  ['code_interpreter', CONTAINER],
  ['programmatic_tool_calling', CONTAINER],
]);
const UNKNOWN_TOOL = unpriced(
  'tools of this type run at the provider and have no price here; define a function',
);
/**
 * The type of a shell tool. The caller runs the shell if the tool's environment is `local`;
 * otherwise the provider runs it in a container.
 */
const SHELL = 'shell';

/**
 * Returns the rule for tools of a type.
 * @param environment the `type` of the tool's environment, which decides where a shell runs.
 */
export const toolRule = (type: string, environment: unknown): FieldRule =>
  type === SHELL
    ? environment === 'local'
      ? BOUNDED
      : CONTAINER
    : (TOOLS.get(type) ?? UNKNOWN_TOOL);

/**
 * Whether this is the provider's web search, such as `web_search_preview_2025_03_11`. Codex sends
 * one with every request.
 */
export const isWebSearch = (type: unknown): boolean =>
  typeof type === 'string' && type.startsWith('web_search');

export const PRO_MODE = unpriced('the price of the mode pro is unknown; omit it');
export const ONE_COMPACTION = unpriced(
  'only one entry, of type "compaction", has a price here; remove this entry',
);

/**
 * For each of these object fields, the members that are sent. Other members are omitted or refused.
 */
export const SENT_MEMBERS: SentMembers = {
  provider: PROVIDER_MEMBERS,
  reasoning: ['effort', 'summary', 'generate_summary', 'context', 'mode'],
  text: [
    ...['format', 'format.type', 'format.name', 'format.description', 'format.schema'],
    ...['format.strict', 'verbosity'],
  ],
  stream_options: ['include_obfuscation'],
};
