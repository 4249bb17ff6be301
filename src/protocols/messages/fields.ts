/** Rules for Messages request fields, chosen by how a field affects the bill and other accounts. */
import { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { MCP } from '../chat/fields.ts';
import { PROVIDER_MEMBERS, type SentMembers } from '../claimed-members.ts';
import {
  BOUNDED,
  each,
  type FieldRule,
  type FieldRules,
  type FieldTable,
  FREE,
  foreign,
  otherModel,
  unpriced,
  withheld,
} from '../request-fields.ts';

export const MESSAGES_FIELDS: FieldTable = {
  rules: {
    ...each('model messages system stop_sequences temperature top_p top_k stream', FREE),
    ...each('tool_choice output_format provider', FREE),
    ...each('max_tokens thinking output_config tools cache_control', BOUNDED),
    // A compaction is an extra run of the same model, whose tokens `usage` reports.
    ...each('context_management compaction', BOUNDED),
    service_tier: { class: 'priced', by: 'tier', included: ['auto', 'standard_only'] },
    speed: { class: 'priced', by: 'speed', included: ['standard'] },
    inference_geo: { class: 'priced', by: 'geo', included: ['global'], isSent: true },
    metadata: { class: 'identity', member: 'user_id' },
    // `diagnostics` compares the request with an earlier message, which may be another account's.
    diagnostics: withheld(),
    fallbacks: otherModel(
      'requests that may run another model are not sold; call that model yourself',
    ),
    container: foreign(
      'containers at the provider may belong to other accounts of this gateway; omit this field',
    ),
    mcp_servers: foreign(
      'the provider cannot connect to MCP servers here; connect to them yourself and define their tools in tools',
    ),
    thread: foreign('message threads are not supported; send the whole conversation in messages'),
    ...each(
      'fallback_credit_token billing_policy',
      foreign("this field acts on the gateway operator's account at the provider; omit it"),
    ),
  },
  sources: [
    'https://pypi.org/project/anthropic/2.12.0/',
    'https://platform.claude.com/docs/en/about-claude/pricing',
  ],
  checked: '2026-11-22',
};

/**
 * The fields that `count_tokens` accepts. It refuses the other fields of a message request, because
 * they concern the answer.
 */
export const COUNTED_FIELDS: FieldRules = Object.fromEntries(
  [
    ...['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'output_config'],
    ...['output_format', 'cache_control', 'context_management', 'compaction', 'speed'],
    ...['mcp_servers', 'billing_policy', 'provider'],
  ].flatMap((name) => {
    const rule = MESSAGES_FIELDS.rules[name];
    return rule === undefined ? [] : [[name, rule] as const];
  }),
);

/**
 * Field rules for the tools that the protocol defines, by the beginning of the tool's type. The
 * first matching beginning applies.
 */
const TYPED_TOOLS: readonly (readonly [beginning: string, rule: FieldRule])[] = [
  // The caller runs these tools. Providers add at most a few thousand tokens to the prompt for
  // them.
  ...['bash_', 'text_editor_', 'memory_', 'computer_', 'browser_', 'tool_search_'].map(
    (beginning) => [beginning, BOUNDED] as const,
  ),
  ['web_search_', { class: 'tool', unit: 'web_search' }],
  ['web_fetch_', { class: 'tool', unit: 'web_fetch' }],
  ['code_execution_', { class: 'tool', unit: 'code_execution' }],
  ['mcp_toolset', MCP],
  ['advisor_', otherModel('tools that run another model are not sold; remove this tool')],
];
const UNKNOWN_TOOL = unpriced(
  'tools of this type have no price here; define a tool with name and input_schema',
);
export const typedToolRule = (type: string): FieldRule =>
  TYPED_TOOLS.find(([beginning]) => type.startsWith(beginning))?.[1] ?? UNKNOWN_TOOL;
export const TOOL_MODEL = otherModel(
  'only the model of the request may run here; remove this field',
);

export const FILE_SOURCE = foreign(
  'files stored at the provider may belong to other accounts of this gateway; send the file as base64',
);
const UNKNOWN_BLOCK = unpriced('blocks of this type have no price here; send text instead');
export const blockRule = (type: unknown): FieldRule =>
  type === 'container_upload' ? FILE_SOURCE : UNKNOWN_BLOCK;

/** The most frequent blocks of text, which contain no media. */
export const PLAIN_BLOCKS: ReadonlySet<unknown> = new Set([
  'text',
  'thinking',
  'redacted_thinking',
]);

/** Blocks that are text except for the media that they contain. */
export const TEXT_BLOCKS: ReadonlySet<unknown> = new Set([
  'browser_state',
  'tool_use',
  'tool_reference',
  'tool_removal',
  'server_tool_use',
  'web_search_tool_result',
  'code_execution_tool_result',
  'bash_code_execution_tool_result',
  'text_editor_code_execution_tool_result',
  'tool_search_tool_result',
  'mcp_tool_use',
  'mcp_tool_listing',
  'advisor_tool_result',
  'fallback',
]);

export const CACHE_TTL = { class: 'priced', by: 'cacheTtl', included: ['5m'] } as const;

/**
 * For each of these object fields, the members that are sent. Other members are omitted or refused.
 */
export const SENT_MEMBERS: SentMembers = {
  provider: PROVIDER_MEMBERS,
  output_config: ['effort', 'format', 'task_budget'],
  thinking: ['type', 'budget_tokens', 'display', 'block_binding'],
};
/** The only members that `output_config` of a message may have. Anthropic has the same rule. */
export const MESSAGE_CONFIG = ['effort'] as const;

/** Whether a source of base64 is declared as an image. */
export const isImageType = (source: JsonObject): boolean =>
  /^image\//i.test(String(source['media_type']));

/** Refuses message threads: upstreams store them, and any caller could open those of others. */
export function refuseThread(view: Record<string, unknown>): void {
  if ((view['thread'] ?? null) === null) return;
  throw new GatewayError(
    'thread_unsupported_request',
    'thread: message threads are not supported; omit it and send the whole conversation in `messages`.',
    { param: 'thread' },
  );
}
