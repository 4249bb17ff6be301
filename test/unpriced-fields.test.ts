/**
 * Tests that the gateway never sends request fields that cost extra, run other models or reach
 * other accounts.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { settledWallet, wallet } from './support/history/ledger-views.ts';
import {
  chatStream,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, at, hello, IMAGES } from './support/wire.ts';

const CHAT = '/v2/chat/completions';
const MESSAGES = '/v1/messages';
const COUNT = '/v1/messages/count_tokens';
let upstream: ScriptedUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const config = upstream.config({
    'scripted-openai: { protocol: openai,': 'scripted-openai: { protocol: openai, make: openai,',
    'scripted-anthropic: { protocol: anthropic,':
      'scripted-anthropic: { protocol: anthropic, make: anthropic,',
  });
  gateway = await startGateway({ config });
  upstream.script(({ path }) => Response.json(path === '/v1/messages' ? MESSAGE : COMPLETION));
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const COMPLETION = {
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 1, total_tokens: 10 },
};
const MESSAGE = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text: 'Hi' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 9, output_tokens: 1 },
};

const chat = { ...hello.chat, model: 'scripted-chat' };
const messages = { ...hello.messages, model: 'scripted-messages' };

/**
 * Sends a request. Returns what the upstream received, and the response header `x-ignored-fields`.
 */
async function sent(path: string, body: object | string, headers: Record<string, string> = {}) {
  const before = upstream.calls.length;
  const answer = await ask(gateway, path, body, headers);
  expect([answer.status, answer.text]).toEqual([200, expect.anything()]);
  expect(upstream.calls.length).toBe(before + 1);
  const call = upstream.calls.at(-1);
  return { call, body: call?.body, ignored: answer.headers.get('x-ignored-fields') };
}

describe('an OpenAI upstream', () => {
  test('gets the tier that is sold, nothing to store, and no unknown field', async () => {
    const costly = {
      ...{ best_of: 20, models: ['dear'], fallbacks: ['dear'], mock_testing_fallbacks: true },
      ...{ plugins: [{ id: 'web' }], lora_request: {}, api_base: 'http://10.0.0.1', preset: 'x' },
    };
    const usual = { service_tier: 'auto', store: true, metadata: { a: 'b' }, user: 'u1' };
    const { body, ignored } = await sent(CHAT, { ...chat, ...costly, ...usual });
    expect(body).toEqual({
      ...{ ...hello.chat, model: 'upstream-model' },
      ...{ service_tier: 'default', store: false, user: expect.stringMatching(/^[0-9a-f]{32}$/) },
    });
    expect(ignored).toBe([...Object.keys(costly), 'store', 'metadata'].join(', '));
  });

  test('gets no routing preferences, which are named', async () => {
    const provider = { channel: 'direct', order: ['a'], only: ['a'], sort: 'price' };
    const named = 'provider.order, provider.only, provider.sort';
    for (const model of ['scripted-chat', 'scripted-messages']) {
      const inChat = await sent(CHAT, { ...chat, model, provider });
      const inMessages = await sent(MESSAGES, { ...messages, model, provider });
      expect([inChat.ignored, inMessages.ignored]).toEqual([named, named]);
      expect(inChat.body).not.toHaveProperty('provider');
      expect(inMessages.body).not.toHaveProperty('provider');
    }
    const responses = { model: 'scripted-messages', input: 'Hi', provider };
    expect((await sent('/v1/responses', responses)).ignored).toBe(named);
  });

  test('reports usage whatever the stream options say', async () => {
    upstream.script(() => eventStream(chatStream('Hi')));
    const options = { include_usage: false, Include_Usage: false, include_obfuscation: false };
    const { body } = await sent(CHAT, { ...chat, stream: true, stream_options: options });
    upstream.script(({ path }) => Response.json(path === '/v1/messages' ? MESSAGE : COMPLETION));
    expect(at(body, 'stream_options')).toEqual({
      include_usage: true,
      include_obfuscation: false,
    });
  });

  test('reads images at a bounded size', async () => {
    const part = (detail: object) => ({
      type: 'image_url',
      image_url: { url: 'https://example.com/a.png', ...detail },
    });
    const content = [part({}), part({ detail: 'auto' }), part({ detail: 'low' })];
    const { body } = await sent(CHAT, { ...chat, messages: [{ role: 'user', content }] });
    const details = [0, 1, 2].map((n) => at(body, `messages.0.content.${n}.image_url.detail`));
    expect(details).toEqual(['high', 'high', 'low']);
    const json = JSON.stringify({ ...chat, messages: [{ role: 'user', content: [part({})] }] });
    const escaped = await sent(CHAT, json.replaceAll('image_url', 'image\\u005furl'));
    expect(at(escaped.body, 'messages.0.content.0.image_url.detail')).toBe('high');
    const block = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const translated = await sent(MESSAGES, {
      ...{ ...messages, model: 'scripted-chat' },
      messages: [{ role: 'user', content: [block] }],
    });
    expect(at(translated.body, 'messages.0.content.0.image_url.detail')).toBe('high');
    expect(at(translated.body, 'service_tier')).toBe('default');
  });
});

describe('an Anthropic upstream', () => {
  test('gets the tier that is sold and no unknown field', async () => {
    const more = { speed: 'standard', service_tier: 'auto', priority: 'high', models: ['dear'] };
    const { body, ignored } = await sent(MESSAGES, { ...messages, ...more });
    expect(body).toEqual({
      ...{ ...hello.messages, model: 'upstream-model', service_tier: 'standard_only' },
    });
    expect(ignored).toBe('priority, models');
  });

  test('gets the tier that is sold from chat, too', async () => {
    const { body, ignored } = await sent(CHAT, {
      ...{ ...chat, model: 'scripted-messages' },
      ...{ service_tier: 'auto', user: 'u', best_of: 2 },
    });
    expect(at(body, 'service_tier')).toBe('standard_only');
    expect(at(body, 'metadata.user_id')).toMatch(/^[0-9a-f]{32}$/);
    expect(ignored).toBe('best_of');
  });

  test('gets the betas that only unlock what is sold', async () => {
    const betas = 'claude-code-20250219, fast-mode-2026-02-01,files-api-2025-04-14,new-2031-01-01';
    for (const path of [MESSAGES, COUNT]) {
      if (path === COUNT) upstream.script(() => Response.json({ input_tokens: 7 }));
      const { call, ignored } = await sent(path, messages, { 'anthropic-beta': betas });
      expect(call?.headers.get('anthropic-beta')).toBe('claude-code-20250219');
      expect(ignored).toEndWith('fast-mode-2026-02-01, files-api-2025-04-14, new-2031-01-01');
    }
    const none = { 'anthropic-beta': 'new-2031-01-01' };
    const { call, body } = await sent(COUNT, messages, none);
    expect(call?.headers.get('anthropic-beta')).toBeNull();
    expect(body).not.toHaveProperty('max_tokens');
    upstream.script(({ path }) => Response.json(path === '/v1/messages' ? MESSAGE : COMPLETION));
  });
});

test('images: unknown fields are not sent, and auto is the default of the model', async () => {
  const { image } = hello;
  const more = { quality: 'auto', input_fidelity: 'high', svg: { model: 'costly' } };
  const answer = await ask(gateway, IMAGES, { ...image, ...more });
  expect([answer.status, answer.headers.get('x-ignored-fields')]).toEqual([
    200,
    'input_fidelity, svg',
  ]);
  const variant = await ask(gateway, IMAGES, { ...image, N: 10 });
  expect([variant.status, variant.at('error.param')]).toEqual([400, 'N']);
});

describe('a request is refused before it is sent, and is free', () => {
  const image = (source: object) => [{ role: 'user', content: [{ type: 'image', source }] }];
  const search = [{ type: 'web_search_20260318', name: 'web_search' }];
  const file = [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }];
  test.each([
    [CHAT, 'Model', { Model: 'dear' }],
    [CHAT, 'N', { N: 5 }],
    [CHAT, 'Stream_Options', { Stream_Options: { include_usage: false } }],
    [CHAT, 'service_tier', { service_tier: 'priority' }],
    [CHAT, 'service_tier', { service_tier: 'fast' }],
    [CHAT, 'web_search_options', { web_search_options: {} }],
    [CHAT, 'messages[0].content[0].file.file_id', { messages: file }],
    [MESSAGES, 'speed', { speed: 'fast' }],
    [MESSAGES, 'inference_geo', { inference_geo: 'us' }],
    [MESSAGES, 'fallbacks', { fallbacks: [{ model: 'dear', speed: 'fast' }] }],
    [MESSAGES, 'container', { container: 'container_of_another' }],
    [MESSAGES, 'mcp_servers', { mcp_servers: [{ type: 'url', url: 'http://10.0.0.1' }] }],
    [CHAT, 'cache_control.ttl', { cache_control: { type: 'ephemeral', ttl: '1h' } }],
    [MESSAGES, 'compaction.model', { compaction: { type: 'summarize', model: 'dear' } }],
    [
      MESSAGES,
      'context_management.edits[0].model',
      { context_management: { edits: [{ type: 'compact_20260112', model: 'dear' }] } },
    ],
    [MESSAGES, 'tools[0].type', { tools: search }],
    [
      MESSAGES,
      'messages[0].content[0].source.file_id',
      { messages: image({ type: 'file', file_id: 'f' }) },
    ],
    [COUNT, 'tools[0].type', { tools: search }],
  ] as const)('%s with %s', async (path, param, more) => {
    const before = upstream.calls.length;
    const { balance } = await wallet(gateway);
    const body = path === CHAT ? chat : messages;
    // The same rules apply to the built-in model `gen-sonnet-5` and to a model of a remote server.
    for (const model of [body.model, 'gen-sonnet-5']) {
      const answer = await ask(gateway, path, { ...body, model, ...more });
      expect([answer.status, answer.at('error.message')]).toEqual([
        400,
        expect.stringContaining(`${param}: `),
      ]);
    }
    expect(upstream.calls.length).toBe(before);
    expect(await settledWallet(gateway)).toMatchObject({ balance });
  });
});
