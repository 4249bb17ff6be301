/**
 * Tests the gateway with aimock as its upstream. aimock is an independent mock server for chat
 * completions and Messages.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Anthropic from '@anthropic-ai/sdk';
import { LLMock } from '@copilotkit/aimock';
import { dump } from 'js-yaml';
import OpenAI from 'openai';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { breaches, nanoOf, receiptOf, wallet } from './support/history/ledger-views.ts';
import { CHAT_TOOLS, judgedChat } from './support/judge/judge-chat-body.ts';
import { judgedMessage, MESSAGES_TOOLS } from './support/judge/judge-messages-body.ts';
import { at } from './support/wire.ts';

/** The usage that aimock reports. It contains the field names of both protocols. */
const USAGE = {
  prompt_tokens: 1000,
  completion_tokens: 50,
  total_tokens: 1050,
  input_tokens: 1000,
  output_tokens: 50,
};
/** The cost in nano-USD ($0.0025): 1000 tokens at $2 per 1M and 50 tokens at $10 per 1M. */
const COST = 2_500_000n;
const WORDS = 'The harbour opens at seven, “ahoy” 👋.';
const PARIS = { city: 'Paris' };
const CALLS = [
  { name: 'get_weather', arguments: JSON.stringify(PARIS) },
  { name: 'get_time', arguments: JSON.stringify(PARIS) },
];

let peer: LLMock;
let gateway: GatewayProcess;
beforeAll(async () => {
  peer = new LLMock({ port: 0, host: '127.0.0.1' });
  peer.onMessage('words', { content: WORDS, usage: USAGE });
  peer.onMessage('thought', { content: WORDS, reasoning: 'Seven, I think.', usage: USAGE });
  peer.onMessage('tools', { toolCalls: CALLS, usage: USAGE });
  peer.onMessage('busy', {
    error: { message: 'org-123 is over its limit', type: 'rate_limit' },
    status: 429,
  });
  await peer.start();
  gateway = await startGateway({ config: configOf(peer.url) });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await peer.stop();
});

const modelOn = (upstream: string) => ({
  kind: 'chat',
  maker: 'peer',
  context_window: 100_000,
  max_output: 10_000,
  default_channel: 'direct',
  channels: {
    direct: {
      price: { input: '2.00', output: '10.00' },
      routes: [{ upstream, model: 'theirs' }],
    },
  },
});
const configOf = (url: string): string =>
  dump({
    upstreams: {
      chat: { protocol: 'openai', base_url: `${url}/v1`, api_key: 'none', allow_private: true },
      messages: { protocol: 'anthropic', base_url: url, api_key: 'none', allow_private: true },
    },
    models: { 'over-chat': modelOn('chat'), 'over-messages': modelOn('messages') },
  });

type JudgedAnswer = ReturnType<typeof judgedChat>;
type PeerAnswer = { readonly judged: JudgedAnswer; readonly requestId: string };
type Ask = (model: string, content: string) => Promise<PeerAnswer>;

const openai = () =>
  new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey: gateway.key, maxRetries: 0 });
const anthropic = () => new Anthropic({ baseURL: gateway.url, apiKey: gateway.key, maxRetries: 0 });
const chatAsk = (model: string, content: string) => ({
  model,
  messages: [{ role: 'user' as const, content }],
  ...(content === 'tools' ? { tools: CHAT_TOOLS } : {}),
});
const messagesAsk = (model: string, content: string) => ({
  model,
  max_tokens: 1000,
  messages: [{ role: 'user' as const, content }],
  ...(content === 'tools' ? { tools: MESSAGES_TOOLS } : {}),
  ...(content === 'thought' ? { thinking: { type: 'adaptive' as const } } : {}),
});

const ENDPOINTS: Readonly<Record<string, Ask>> = {
  'chat, non-streaming': async (model, content) => {
    const { data, request_id: id } = await openai()
      .chat.completions.create(chatAsk(model, content))
      .withResponse();
    return { judged: judgedChat(data), requestId: String(id) };
  },
  'chat, streamed': async (model, content) => {
    let id: string | null = null;
    let thinking = '';
    const client = new OpenAI({
      baseURL: `${gateway.url}/v2`,
      apiKey: gateway.key,
      maxRetries: 0,
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        id = response.headers.get('x-request-id');
        return response;
      },
    });
    const runner = client.chat.completions.stream({
      ...chatAsk(model, content),
      stream_options: { include_usage: true },
    });
    runner.on('chunk', (chunk) => {
      thinking += String(at(chunk, 'choices.0.delta.reasoning_content') ?? '');
    });
    const judged = judgedChat(await runner.finalChatCompletion());
    return { judged: { ...judged, thinking }, requestId: String(id) };
  },
  'messages, non-streaming': async (model, content) => {
    const { data, request_id: id } = await anthropic()
      .messages.create(messagesAsk(model, content))
      .withResponse();
    return { judged: judgedMessage(data), requestId: String(id) };
  },
  'messages, streamed': async (model, content) => {
    const runner = anthropic().messages.stream(messagesAsk(model, content));
    const judged = judgedMessage(await runner.finalMessage());
    return { judged, requestId: String(runner.request_id) };
  },
};

const plain = { text: WORDS, thinking: '', calls: [], end: 'stop' };
const EXPECTED: Readonly<Record<string, Omit<JudgedAnswer, 'inputTokens' | 'outputTokens'>>> = {
  words: { ...plain, end: 'stop' },
  thought: { ...plain, end: 'stop', thinking: 'Seven, I think.' },
  tools: { text: '', thinking: '', calls: CALLS.map(({ name }) => [name, PARIS]), end: 'calls' },
};

describe.each(['over-chat', 'over-messages'])('%s', (model) => {
  for (const [name, ask] of Object.entries(ENDPOINTS))
    test.each(Object.entries(EXPECTED))(
      `${name}: %s, with usage and price`,
      async (content, said) => {
        const before = await wallet(gateway);
        const { judged, requestId } = await ask(model, content);
        expect(judged).toEqual({ ...said, inputTokens: 1000, outputTokens: 50 });
        const receipt = await receiptOf(gateway, requestId);
        expect(nanoOf(receipt.at('data.cost_exact'))).toBe(COST);
        expect(before.balance - (await wallet(gateway)).balance).toBe(COST);
      },
    );
});

test.each(['over-chat', 'over-messages'])(
  '%s: masks the error of an upstream and charges nothing',
  async (model) => {
    const before = await wallet(gateway);
    for (const [name, ask] of Object.entries(ENDPOINTS)) {
      const thrown = await ask(model, 'busy').catch((error: unknown) => error);
      // The two protocols use different statuses for an overloaded server.
      expect([name, at(thrown, 'status')]).toEqual([name, name.startsWith('chat') ? 503 : 529]);
      expect(String(thrown)).not.toContain('org-123');
    }
    expect((await wallet(gateway)).balance).toBe(before.balance);
  },
);

test('the ledger is sound after all tests', async () => {
  expect(await breaches(gateway)).toEqual([]);
  expect((await wallet(gateway)).held).toBe(0n);
});
