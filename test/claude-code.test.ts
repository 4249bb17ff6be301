/**
 * Tests the requests that Claude Code sends for a model of a chat completions upstream. The test
 * has two turns of a loop of tool calls.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { settledWallet } from './support/history/ledger-views.ts';
import {
  chatChunk,
  chatStream,
  chatUsage,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { readEnding } from './support/upstreams/stream-grammar.ts';
import { ask, at, listAt, payloads } from './support/wire.ts';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({ config: upstream.config() });
});
afterEach(async () => {
  await settledWallet(gateway);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const MARK = { cache_control: { type: 'ephemeral' } };
const tool = (name: string, more: object = {}) => ({
  name,
  description: `The ${name} tool.`,
  input_schema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { file_path: { type: 'string' } },
    required: ['file_path'],
    additionalProperties: false,
  },
  ...more,
});
const USER = {
  role: 'user',
  content: [
    { type: 'text', text: '<system-reminder>Today is a day.</system-reminder>' },
    { type: 'text', text: 'Read a.txt', ...MARK },
  ],
};
const REMINDER = { role: 'system', content: 'Be brief.' };

const request = (messages: readonly unknown[]) => ({
  model: 'scripted-chat',
  max_tokens: 10_000,
  stream: true,
  system: [
    {
      type: 'text',
      text: 'x-anthropic-billing-header: cc_version=2.1.332.be0; cc_entrypoint=cli;',
    },
    { type: 'text', text: 'You are a coding agent.', ...MARK },
    { type: 'text', text: 'Work in /tmp.', ...MARK },
  ],
  messages,
  tools: [tool('Read'), tool('Bash'), tool('WebThing', { defer_loading: true })],
  metadata: { user_id: JSON.stringify({ device_id: 'd'.repeat(64), session_id: 's-1' }) },
  thinking: { type: 'adaptive', display: 'omitted' },
  context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
  output_config: { effort: 'high' },
});
const headers = {
  'anthropic-version': '2023-06-01',
  'anthropic-beta':
    'claude-code-20250219,interleaved-thinking-2025-05-14,context-management-2025-06-27',
  'user-agent': 'claude-cli/2.1.329 (external, cli)',
  'x-app': 'cli',
};
const send = (messages: readonly unknown[]) =>
  ask(gateway, '/v1/messages?beta=true', request(messages), headers);
const lastSent = (): unknown => upstream.calls.at(-1)?.body;

test('answers the connection probe without a key', async () => {
  const probe = await fetch(gateway.url, { method: 'HEAD' });
  expect(probe.status).toBe(200);
});

test('one turn calls a tool, the next returns its result, and the upstream gets both as chat', async () => {
  const call = (fragment: object) => chatChunk({ tool_calls: [{ index: 0, ...fragment }] });
  upstream.script(() =>
    eventStream([
      chatChunk({ role: 'assistant', reasoning_content: 'I will read it.' }),
      call({ id: 'call_1', type: 'function', function: { name: 'Read', arguments: '' } }),
      call({ function: { arguments: '{"file_path":' } }),
      call({ function: { arguments: '"a.txt"}' } }),
      chatChunk({}, 'tool_calls'),
      chatUsage(100, 20),
      'data: [DONE]\n\n',
    ]),
  );
  const first = await send([USER, REMINDER]);
  expect(first.status).toBe(200);
  expect(readEnding('messages', first.text)).toEqual({ end: 'success' });
  const blocks = payloads(first.text).filter((each) => at(each, 'type') === 'content_block_start');
  const use = blocks.find((each) => at(each, 'content_block.type') === 'tool_use');
  expect(at(use, 'content_block.name')).toBe('Read');
  const id = at(use, 'content_block.id');

  const sent = lastSent();
  expect(listAt(sent, 'messages').map((each) => at(each, 'role'))).toEqual([
    'system',
    'user',
    'system',
  ]);
  expect(listAt(sent, 'tools').map((each) => at(each, 'function.name'))).toEqual([
    'Read',
    'Bash',
    'WebThing',
  ]);
  // The first block differs for each conversation, so that prompts would share no prompt cache.
  expect(at(sent, 'messages.0.content')).toBe('You are a coding agent.\n\nWork in /tmp.');
  expect(at(sent, 'reasoning_effort')).toBe('high');
  expect(at(sent, 'stream_options.include_usage')).toBe(true);
  for (const foreign of ['thinking', 'context_management', 'output_config', 'metadata', 'system'])
    expect(sent).not.toHaveProperty(foreign);

  upstream.script(() => eventStream(chatStream('It says hello.')));
  const input = { file_path: 'a.txt' };
  const second = await send([
    USER,
    REMINDER,
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: '', signature: '' },
        { type: 'tool_use', id, name: 'Read', input },
      ],
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: id,
          content: [{ type: 'text', text: 'hello' }],
          ...MARK,
        },
      ],
    },
  ]);
  expect(second.text).toContain('It says hello.');
  expect(readEnding('messages', second.text)).toEqual({ end: 'success' });
  const turns = listAt(lastSent(), 'messages');
  expect(turns.slice(-2).map((each) => at(each, 'role'))).toEqual(['assistant', 'tool']);
  expect(at(turns.at(-2), 'tool_calls.0.function')).toEqual({
    name: 'Read',
    arguments: JSON.stringify(input),
  });
  expect(at(turns.at(-1), 'tool_call_id')).toBe(at(turns.at(-2), 'tool_calls.0.id'));
});
