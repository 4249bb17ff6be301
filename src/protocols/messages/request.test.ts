import { describe, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import * as z from 'zod';
import { NO_EXTRAS } from '../inputs/request-extras.ts';
import { readCountTokensRequest, readMessagesRequest } from './request.ts';
import { countTokensDocument, messagesDocument } from './schema.ts';

const messagesRequestSchema = z.toJSONSchema(messagesDocument(), { io: 'input' });
const countTokensRequestSchema = z.toJSONSchema(countTokensDocument(), { io: 'input' });

const minimal = {
  model: 'gen-opus-4-8',
  max_tokens: 64,
  messages: [{ role: 'user', content: 'hi' }],
};
const read = (more: Record<string, unknown>) => readMessagesRequest({ ...minimal, ...more });
const user = (...content: unknown[]) => ({ messages: [{ role: 'user', content }] });

test('the smallest request has every default', () => {
  expect(readMessagesRequest(minimal)).toEqual({
    model: 'gen-opus-4-8',
    stream: false,
    maxOutputTokens: 64,
    maxOutputField: 'max_tokens',
    choices: 1,
    includeUsage: true,
    channel: null,
    allowFallbacks: true,
    inputs: [],
    claims: [],
    extras: NO_EXTRAS,
    thinking: null,
    thinkingTokens: 0,
    mayThinkUnseen: false,
    effort: null,
    oneHourCache: false,
  });
});

describe('an accepted request', () => {
  test('service rule: a system message at any position', () => {
    const system = { role: 'system', content: 'Be brief.' };
    const assistant = { role: 'assistant', content: [{ type: 'text', text: 'ok' }] };
    const [hi] = minimal.messages;
    for (const messages of [
      [system, hi],
      [hi, system],
      [hi, system, system, assistant, system],
      [hi, { role: 'system', output_config: { effort: 'low' } }],
      [hi, { role: 'system', content: [{ type: 'tool_addition', tool: {} }], clear_at: 'never' }],
    ]) {
      expect(read({ messages }).model).toBe('gen-opus-4-8');
    }
  });

  test('max_tokens 0, which only warms the cache', () => {
    expect(read({ max_tokens: 0 }).maxOutputTokens).toBe(0);
  });

  test.each(['low', 'medium', 'high', 'xhigh', 'max'] as const)('effort %s', (effort) => {
    expect(read({ output_config: { effort } }).effort).toBe(effort);
  });

  test('null for every optional field', () => {
    const nulls = Object.fromEntries(
      Object.keys(messagesRequestSchema['properties'] as object)
        .filter((name) => !Object.hasOwn(minimal, name))
        .map((name) => [name, null]),
    );
    expect(Object.keys(nulls).length).toBeGreaterThan(20);
    expect(read(nulls)).toEqual(readMessagesRequest(minimal));
    expect(read({ output_config: { effort: null, format: null, task_budget: null } }).effort).toBe(
      null,
    );
  });

  test.each(['adaptive', 'disabled', 'between_tools', 'from_the_future'])('thinking %s', (type) => {
    expect(read({ thinking: { type, display: 'omitted' } }).thinking).toBe(type);
  });

  test('thinking enabled with a budget below max_tokens', () => {
    const thinking = { type: 'enabled', budget_tokens: 1024 };
    expect(read({ max_tokens: 1025, thinking }).thinking).toBe('enabled');
  });

  test('a task budget', () => {
    for (const more of [{}, { remaining: null }, { remaining: 0 }, { remaining: 20_000 }]) {
      const task_budget = { type: 'tokens', total: 20_000, ...more };
      expect(read({ output_config: { task_budget } }).effort).toBeNull();
    }
  });

  test('tools of every kind, and unknown fields, blocks and sources', () => {
    const tools = [
      { name: 'a', input_schema: { type: 'object' }, defer_loading: true, strict: true },
      { type: 'custom', name: 'b', input_schema: {} },
      { type: null, name: 'c', input_schema: {} },
      { type: 'bash_20250124', name: 'bash' },
      { type: 'web_search_20260318', name: 'web_search', max_uses: 3 },
      { type: 'mcp_toolset', mcp_server_name: 'x' },
    ];
    const content = [
      { type: 'from_the_future', anything: [1] },
      { type: 'server_tool_use', id: 'x', name: 'web_search', input: {} },
      { type: 'image', source: { type: 'from_the_future' } },
      { type: 'tool_result', tool_use_id: 'x' },
      { type: 'thinking', thinking: 'Hm' },
      { type: 'redacted_thinking', data: 'Em' },
    ];
    const request = { tools, tool_choice: { type: 'any' }, future: { a: 1 }, ...user(...content) };
    expect(read(request).inputs).toEqual([
      { modality: 'unknown', param: 'messages[0].content[0]', source: { kind: 'remote' } },
      { modality: 'image', param: 'messages[0].content[2]', source: { kind: 'remote' } },
    ]);
  });

  test('what Claude Code sends', () => {
    const request = read({
      max_tokens: 32_000,
      stream: true,
      system: [{ type: 'text', text: 'You are', cache_control: { type: 'ephemeral' } }],
      thinking: { type: 'adaptive', display: 'omitted' },
      output_config: { effort: 'high' },
      metadata: { user_id: '{"device_id":"x"}' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
    });
    expect(request).toMatchObject({ stream: true, thinking: 'adaptive', effort: 'high' });
  });
});

describe('reported for the relay', () => {
  test('the channel and whether fallbacks are allowed', () => {
    const provider = { channel: 'economical', allow_fallbacks: false };
    expect(read({ provider })).toMatchObject({ channel: 'economical', allowFallbacks: false });
    expect(read({ provider: { channel: 'no such channel' } }).channel).toBe('no such channel');
  });

  test('images and documents with their paths, those in tool results too', () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const document = {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
    };
    const result = { type: 'tool_result', tool_use_id: 'x', content: [image] };
    expect(read(user({ type: 'text', text: 'see' }, image, document, result)).inputs).toEqual([
      { modality: 'image', param: 'messages[0].content[1]', source: { kind: 'remote' } },
      {
        modality: 'file',
        param: 'messages[0].content[2]',
        source: { kind: 'inline', data: 'JVBE' },
      },
      {
        modality: 'image',
        param: 'messages[0].content[3].content[0]',
        source: { kind: 'remote' },
      },
    ]);
  });

  test.each([
    ['the request', (cache_control: unknown) => ({ cache_control })],
    [
      'system',
      (cache_control: unknown) => ({ system: [{ type: 'text', text: 'x', cache_control }] }),
    ],
    [
      'a tool',
      (cache_control: unknown) => ({ tools: [{ name: 'a', input_schema: {}, cache_control }] }),
    ],
    [
      'a typed tool',
      (cache_control: unknown) => ({ tools: [{ type: 'bash_20250124', cache_control }] }),
    ],
    ['a block', (cache_control: unknown) => user({ type: 'text', text: 'x', cache_control })],
    ['an unknown block', (cache_control: unknown) => user({ type: 'odd', cache_control })],
    [
      'the result of a tool search',
      (cache_control: unknown) =>
        user({
          type: 'tool_search_tool_result',
          tool_use_id: 'i',
          content: {
            type: 'tool_search_tool_search_result',
            tool_references: [{ type: 'tool_reference', tool_name: 't', cache_control }],
          },
        }),
    ],
  ])('a one-hour cache marker in %s', (_, request) => {
    expect(read(request({ type: 'ephemeral', ttl: '1h' }))).toMatchObject({
      oneHourCache: true,
      claims: expect.arrayContaining([
        expect.objectContaining({ param: expect.stringMatching(/cache_control\.ttl$/) }),
      ]),
    });
    expect(read(request({ type: 'ephemeral', ttl: '5m' })).oneHourCache).toBe(false);
    expect(read(request({ type: 'ephemeral' })).oneHourCache).toBe(false);
    expect(read(request(null)).oneHourCache).toBe(false);
  });
});

test.each([
  ['the request', { output_config: { effort: 'low' } }],
  ['a system message', { messages: [{ role: 'system', output_config: { effort: 'max' } }] }],
])('an effort of %s may cause thinking that is not shown', (_, more) => {
  expect(read(more).mayThinkUnseen).toBe(true);
  expect(read({ output_config: {} }).mayThinkUnseen).toBe(false);
});

test('tools inside messages add their instructions to the prompt', () => {
  const bash = { type: 'bash_20250124', name: 'bash' };
  const { addedTokens } = read({ tools: [bash] }).extras;
  const added = { type: 'tool_addition', tool: { definition: bash } };
  expect(addedTokens).toBeGreaterThan(325);
  expect(read(user(added)).extras.addedTokens).toBe(addedTokens);
  const inline = { messages: [{ role: 'user', content: 'a', tools: [bash] }] };
  expect(read(inline).extras.addedTokens).toBe(addedTokens);
});

test('tools in a compaction count as those in messages', () => {
  const cache_control = { type: 'ephemeral', ttl: '1h' };
  const added = (definition: object) => ({
    type: 'tool_addition',
    tool: { type: 'tool_definition', definition },
    cache_control,
  });
  const compacted = (tool_changes: unknown) =>
    read(user({ type: 'compaction', content: 'x', tool_changes }));
  const path = 'messages[0].content[0].tool_changes[0]';
  const search = added({ type: 'web_search_20260318', name: 'web_search', max_uses: 2 });
  const { claims, extras, oneHourCache } = compacted([search]);
  expect(claims.map(({ param, rule }) => [param, rule.class])).toEqual([
    [`${path}.cache_control.ttl`, 'priced'],
    [`${path}.tool.definition.type`, 'tool'],
  ]);
  const param = `${path}.tool.definition`;
  expect(extras.serverTools).toMatchObject([{ unit: 'web_search', param, maxUses: 2 }]);
  expect(oneHourCache).toBe(true);
  const bash = added({ type: 'bash_20250124', name: 'bash' });
  expect(compacted([bash]).extras).toEqual(read(user(bash)).extras);
  const removed = { type: 'tool_removal', tool: { type: 'tool_reference', name: 'bash' } };
  for (const none of [undefined, null, [], [removed]])
    expect(compacted(none)).toMatchObject({ claims: [], inputs: [], extras: NO_EXTRAS });
  const variant = { type: 'compaction', content: 'x', Tool_Changes: [search] };
  expect(() => read(user(variant))).toThrow('write "tool_changes" instead of "Tool_Changes"');
});

test('media in the results of connected tools are inputs', () => {
  const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
  const result = { type: 'mcp_tool_result', tool_use_id: 't', content: [image] };
  expect(read(user(result)).inputs).toEqual([
    { modality: 'image', param: 'messages[0].content[0].content[0]', source: { kind: 'remote' } },
  ]);
});

describe('count_tokens', () => {
  const { max_tokens, ...body } = minimal;

  test('the same body without max_tokens', () => {
    expect(max_tokens).toBe(64);
    expect(readCountTokensRequest({ ...body, provider: { channel: 'stable' } })).toEqual({
      model: 'gen-opus-4-8',
      channel: 'stable',
      allowFallbacks: true,
      inputs: [],
      claims: [],
    });
  });
});

describe('the published schema', () => {
  test('names every field of the protocol, and requires its three', () => {
    const { properties, required } = messagesRequestSchema as {
      properties: Record<string, unknown>;
      required: string[];
    };
    expect(required.toSorted()).toEqual(['max_tokens', 'messages', 'model']);
    expect(properties['messages']).toMatchObject({ minItems: 1 });
    expect(Object.keys(properties).toSorted()).toEqual([
      'cache_control',
      'compaction',
      'container',
      'context_management',
      'diagnostics',
      'inference_geo',
      'max_tokens',
      'mcp_servers',
      'messages',
      'metadata',
      'model',
      'output_config',
      'output_format',
      'provider',
      'service_tier',
      'speed',
      'stop_sequences',
      'stream',
      'system',
      'temperature',
      'thinking',
      'tool_choice',
      'tools',
      'top_k',
      'top_p',
    ]);
    expect(countTokensRequestSchema['required']).toEqual(['model', 'messages']);
  });
});

test('accepts what the official client sends', async () => {
  const sent: Record<string, unknown>[] = [];
  const client = new Anthropic({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async (_, init) => {
      sent.push(JSON.parse(String(init?.body)));
      return Response.json({});
    },
  });
  await client.messages.create({
    model: 'gen-opus-4-8',
    max_tokens: 4096,
    thinking: { type: 'enabled', budget_tokens: 2048 },
    messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
    tools: [{ name: 'a', input_schema: { type: 'object', properties: {} } }],
    tool_choice: { type: 'tool', name: 'a', disable_parallel_tool_use: true },
  });
  expect(sent.map((body) => readMessagesRequest(body).thinking)).toEqual(['enabled']);
});
