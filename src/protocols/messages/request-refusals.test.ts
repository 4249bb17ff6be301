import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import { readCountTokensRequest, readMessagesRequest } from './request.ts';

const minimal = {
  model: 'gen-opus-4-8',
  max_tokens: 64,
  messages: [{ role: 'user', content: 'hi' }],
};
const read = (more: Record<string, unknown>) => readMessagesRequest({ ...minimal, ...more });
const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });

/** Returns the error's code, param and message. */
function refusal(run: () => unknown): readonly [string, string | null, string] {
  try {
    run();
  } catch (thrown) {
    if (thrown instanceof GatewayError) return [thrown.code, thrown.param, thrown.message];
    throw thrown;
  }
  throw new Error('nothing was refused');
}

const missing = 'missing_required_parameter';
const invalid = 'invalid_value';
const image = (source: unknown) => user({ type: 'image', source });
const task = (task_budget: unknown) => ({ output_config: { task_budget } });

describe('a rejected request', () => {
  test.each<[unknown, string, string, string]>([
    [
      { model: undefined },
      missing,
      'model',
      "field required; it must be the id of a chat model, such as 'gen-opus-4-8'",
    ],
    [{ model: 7 }, invalid, 'model', "must be the id of a chat model, such as 'gen-opus-4-8'"],
    [{ model: '' }, invalid, 'model', 'must not be empty'],
    [
      { max_tokens: undefined },
      missing,
      'max_tokens',
      'field required; it must be an integer: the most tokens the answer may have, such as 4096',
    ],
    [
      { max_tokens: '64' },
      invalid,
      'max_tokens',
      'must be an integer: the most tokens the answer may have, such as 4096',
    ],
    [
      { max_tokens: 1.5 },
      invalid,
      'max_tokens',
      'must be an integer: the most tokens the answer may have, such as 4096',
    ],
    [{ max_tokens: -1 }, invalid, 'max_tokens', 'must be 0 or more'],
    [
      { messages: undefined },
      missing,
      'messages',
      'field required; it must be an array of messages',
    ],
    [{ messages: [] }, invalid, 'messages', 'must hold at least one message'],
    [{ messages: 'hi' }, invalid, 'messages', 'must be an array of messages'],
    [{ messages: ['hi'] }, invalid, 'messages[0]', 'must be an object with role and content'],
    [
      { messages: [{ content: 'x' }] },
      missing,
      'messages[0].role',
      "field required; it must be 'user', 'assistant' or 'system'; a tool's result is a tool_result block in a user message",
    ],
    [
      { messages: [{ role: 'tool', content: 'x' }] },
      invalid,
      'messages[0].role',
      "must be 'user', 'assistant' or 'system'; a tool's result is a tool_result block in a user message",
    ],
    [
      { messages: [{ role: 'user' }] },
      missing,
      'messages[0].content',
      'field required; it must be a string or an array of content blocks',
    ],
    [
      { messages: [{ role: 'user', content: 5 }] },
      invalid,
      'messages[0].content',
      'must be a string or an array of content blocks',
    ],
    [user('hi'), invalid, 'messages[0].content[0]', 'must be an object'],
    [
      user({ text: 'hi' }),
      missing,
      'messages[0].content[0].type',
      "field required; it must be a block type such as 'text'",
    ],
    [
      user({ type: 'text' }),
      missing,
      'messages[0].content[0].text',
      'field required; it must be a string',
    ],
    [user({ type: 'text', text: 1 }), invalid, 'messages[0].content[0].text', 'must be a string'],
    [
      user({ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: '1d' } }),
      invalid,
      'messages[0].content[0].cache_control.ttl',
      "must be '5m' or '1h'",
    ],
    [
      user({ type: 'tool_use', id: 'x', name: 'y', input: '{}' }),
      invalid,
      'messages[0].content[0].input',
      'must be an object',
    ],
    [
      user({ type: 'tool_result', tool_use_id: 'x', content: [{ type: 'text' }] }),
      missing,
      'messages[0].content[0].content[0].text',
      'field required; it must be a string',
    ],
    [
      user({ type: 'compaction', content: 'x', tool_changes: { type: 'tool_addition' } }),
      invalid,
      'messages[0].content[0].tool_changes',
      'must be an array of content blocks, or null',
    ],
    [
      image(undefined),
      missing,
      'messages[0].content[0].source',
      'field required; it must be an object',
    ],
    [
      image({ type: 'base64', media_type: 'image/png' }),
      missing,
      'messages[0].content[0].source.data',
      'field required; it must be base64 text',
    ],
    [{ system: 5 }, invalid, 'system', 'must be a string or an array of content blocks'],
    [{ stream: 'yes' }, invalid, 'stream', 'must be true or false'],
    [{ stop_sequences: ['a', 1] }, invalid, 'stop_sequences[1]', 'must be a string'],
    [{ temperature: 'hot' }, invalid, 'temperature', 'must be a number'],
    [{ tools: {} }, invalid, 'tools', 'must be an array of tools'],
    [
      { tools: [{ name: 'a' }] },
      missing,
      'tools[0].input_schema',
      'field required; it must be a JSON schema object such as {"type": "object", "properties": {}}',
    ],
    [{ tool_choice: 'auto' }, invalid, 'tool_choice', 'must be an object such as {"type": "auto"}'],
    [
      { tool_choice: { type: 'tool' } },
      missing,
      'tool_choice.name',
      'field required; it must be the name of a tool',
    ],
    [
      { output_config: { effort: 'extreme' } },
      invalid,
      'output_config.effort',
      "must be one of low, medium, high, xhigh, max; leave it out for the model's own default",
    ],
    [
      { messages: [...minimal.messages, { role: 'system', output_config: { effort: 1 } }] },
      invalid,
      'messages[1].output_config.effort',
      "must be one of low, medium, high, xhigh, max; leave it out for the model's own default",
    ],
    [{ thinking: true }, invalid, 'thinking', 'must be an object such as {"type": "adaptive"}'],
    [
      { thinking: { type: 'enabled' } },
      missing,
      'thinking.budget_tokens',
      'field required; it must be an integer, in tokens',
    ],
    [
      { max_tokens: 4096, thinking: { type: 'enabled', budget_tokens: 1023 } },
      invalid,
      'thinking.budget_tokens',
      'must be at least 1024 tokens',
    ],
    [
      { max_tokens: 2048, thinking: { type: 'enabled', budget_tokens: 2048 } },
      invalid,
      'thinking.budget_tokens',
      'must be less than max_tokens, which is 2048: thinking is part of the output',
    ],
    [
      task({ type: 'tokens', total: 19_999 }),
      invalid,
      'output_config.task_budget.total',
      'must be at least 20000 tokens',
    ],
    [
      task({ type: 'tokens' }),
      missing,
      'output_config.task_budget.total',
      'field required; it must be an integer, in tokens',
    ],
    [
      task({ type: 'words', total: 20_000 }),
      invalid,
      'output_config.task_budget.type',
      "must be 'tokens'",
    ],
    [
      task({ type: 'tokens', total: 20_000, remaining: -1 }),
      invalid,
      'output_config.task_budget.remaining',
      'must be 0 or more',
    ],
    [
      task({ type: 'tokens', total: 20_000, remaining: 20_001 }),
      invalid,
      'output_config.task_budget.remaining',
      'must be at most the total, which is 20000',
    ],
    [
      { provider: 'direct' },
      invalid,
      'provider',
      'must be an object such as {"channel": "direct"}, or null',
    ],
    [
      { provider: { channel: 1 } },
      invalid,
      'provider.channel',
      'must be the name of a channel, or null',
    ],
    [
      { context_management: { edits: [{}] } },
      missing,
      'context_management.edits[0].type',
      'field required; it must be the name of an edit',
    ],
  ])('%j', (more, code, param, problem) => {
    const refused = refusal(() => read(more as Record<string, unknown>));
    expect(refused).toEqual([code, param, `${param}: ${problem}.`]);
  });
});

test.each<[string, number, unknown]>([
  ['stop_sequences', 1024, { stop_sequences: Array(1025).fill(1) }],
  ['output_config', 64, { output_config: Object.assign({}, Array(65).fill(1)) }],
  ['mcp_servers', 20, { mcp_servers: Array(21).fill(1) }],
  ['context_management.edits', 64, { context_management: { edits: Array(65).fill(1) } }],
])('rejects a list %s of more than %d entries by its length', (param, most, more) => {
  const wanted = [invalid, param, `${param}: must hold at most ${most} entries.`] as const;
  expect(refusal(() => read(Object(more)))).toEqual(wanted);
  expect(refusal(() => readCountTokensRequest({ ...minimal, ...Object(more) }))).toEqual(wanted);
});

test('rejects the same mistakes in a token counting request', () => {
  const { max_tokens, ...body } = minimal;
  expect(max_tokens).toBe(64);
  const thinking = { type: 'enabled', budget_tokens: 5 };
  expect(refusal(() => readCountTokensRequest({ ...body, thinking }))[1]).toBe(
    'thinking.budget_tokens',
  );
  expect(refusal(() => readCountTokensRequest({ ...body, messages: [] }))[1]).toBe('messages');
});

test('rejects a message thread with the code at which the official client continues without one', () => {
  const [code, param] = refusal(() => read({ thread: { type: 'create' } }));
  expect([code, param]).toEqual(['thread_unsupported_request', 'thread']);
  expect(read({ thread: null }).model).toBe('gen-opus-4-8');
});
