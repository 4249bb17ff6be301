/**
 * Tests failover before the first event of a stream: which routes are tried, which attempts are
 * recorded, and what is charged.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'bun:test';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import {
  admin,
  breaches,
  newAccountKey,
  receiptOf,
  wallet,
} from './support/history/ledger-views.ts';
import {
  chatChunk,
  chatStream,
  eventStream,
  messageEnd,
  messageStart,
  messageWords,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, at, CHAT, hello, MESSAGES, payloads } from './support/wire.ts';

let first: ScriptedUpstream;
let second: ScriptedUpstream;
let gateway: GatewayProcess;

/**
 * Returns the configuration of a model. Its channels `direct` (the default) and `economical`
 * (lower-priced) have one upstream each. The channel `stable` has both upstreams and prefers the
 * upstream of `economical`.
 */
const model = (id: string, protocol: string): string => `
  ${id}:
    kind: chat
    maker: gen
    context_window: 100000
    max_output: 10000
    default_channel: direct
    channels:
      direct:
        price: { input: "10.00", output: "20.00" }
        routes: [{ upstream: second-${protocol}, model: ${id}-there }]
      economical:
        price: { input: "1.00", output: "2.00" }
        routes: [{ upstream: first-${protocol}, model: ${id}-there }]
      stable:
        price: { input: "1.00", output: "2.00" }
        routes:
          - { upstream: first-${protocol}, model: ${id}-there }
          - { upstream: second-${protocol}, model: ${id}-there, priority: 2 }
`;

const upstreams = (name: string, host: string): string => `
  ${name}-openai: { protocol: openai, base_url: "http://${host}/v1", api_key: "sk-x", allow_private: true }
  ${name}-anthropic: { protocol: anthropic, base_url: "http://${host}", api_key: "sk-x", allow_private: true }
`;

/**
 * The number of models. Each test uses its own models, so that no circuit breaker counts failures
 * that another test causes.
 */
const MODELS = 24;
let next = 0;

beforeAll(async () => {
  first = await startScriptedUpstream();
  second = await startScriptedUpstream();
  const models = Array.from({ length: MODELS }, (_, n) =>
    ['openai', 'anthropic'].map((protocol) => model(`${protocol}-${n}`, protocol)).join(''),
  );
  gateway = await startGateway({
    config: shippedConfig({
      '\nupstreams:\n': `\nupstreams:\n${upstreams('first', first.host)}${upstreams('second', second.host)}`,
      '\nmodels:\n': `\nmodels:\n${models.join('')}`,
      '# limits: ': 'limits: { first_event_hold: 10s }\n# limits: ',
    }),
  });
});
afterEach(async () => {
  expect((await wallet(gateway)).held).toBe(0n);
  expect(await breaches(gateway)).toEqual([]);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  first.stop();
  second.stop();
});

const SAID = 'the second answers';
const answer = () =>
  Response.json({
    id: 'chatcmpl-up',
    object: 'chat.completion',
    created: 1,
    model: 'there',
    choices: [{ index: 0, message: { role: 'assistant', content: SAID }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
const answerOrStream = (call: { readonly body: unknown }): Response =>
  at(call.body, 'stream') === true ? eventStream(chatStream(SAID)) : answer();

/** Sends one request to a model that no other test uses. The model has a chat upstream. */
async function send(
  channel: string,
  { stream = false, ...more }: Readonly<Record<string, unknown>> = {},
) {
  const provider = { channel, ...(more['provider'] as object | undefined) };
  const body = {
    ...hello.chat,
    model: `openai-${next++}`,
    stream,
    max_tokens: 100,
    ...more,
    provider,
  };
  return await ask(gateway, CHAT, body, {
    accept: stream === true ? 'text/event-stream' : 'application/json',
  });
}

const html = () =>
  new Response('<html>', { status: 200, headers: { 'content-type': 'text/html' } });
const error = () => Response.json({ error: { message: 'no', type: 'server_error' } });

describe('before its first event', () => {
  test.each([
    ['500', false, () => new Response('{}', { status: 500 })],
    ['429', false, () => new Response('{}', { status: 429, headers: { 'retry-after': '30' } })],
    ['a wrong key', false, () => new Response('{}', { status: 401 })],
    ['an error in a 200', false, error],
    ['HTML', false, html],
    ['an error in a 200', true, error],
    ['an error event', true, () => eventStream(['data: {"error":{"message":"no"}}\n\n'])],
    [
      'text followed by an error',
      true,
      () =>
        eventStream([
          `${chatChunk({ role: 'assistant', content: 'x' })}data: {"error":{"message":"no"}}\n\n`,
        ]),
    ],
    ['an empty stream', true, () => eventStream([])],
    ['half an event', true, () => eventStream(['data: {"id":'])],
    ['a reset', true, () => eventStream([], (controller) => controller.error(new Error('reset')))],
  ] as const)('%s (stream: %p) fails over to the next route', async (_what, stream, failing) => {
    first.script(failing);
    second.script(answerOrStream);
    const got = await send('stable', { stream });
    expect(got.status).toBe(200);
    expect(got.text).toContain(SAID);
    expect(got.headers.get('x-channel')).toBe('stable');
    expect(got.headers.get('x-attempts')).toMatch(/^stable:\w+, stable:200$/);
  });

  test('the receipt lists the attempts with their times', async () => {
    first.script(() => new Response('{}', { status: 500 }));
    second.script(answer);
    const got = await send('stable');
    const id = got.headers.get('x-request-id') ?? '';
    const log = await admin(gateway, 'GET', `/requests?limit=1`);
    expect(log.at('data.0.id')).toBe(id);
    expect(log.at('data.0.attempts')).toEqual([
      expect.objectContaining({ channel: 'stable', upstream: 'first-openai', result: '500' }),
      expect.objectContaining({ channel: 'stable', upstream: 'second-openai', result: '200' }),
    ]);
  });

  test('does not retry an invalid request on another route', async () => {
    first.script(() => Response.json({ error: { message: 'top_p is wrong' } }, { status: 400 }));
    const before = second.calls.length;
    const got = await send('stable');
    expect([got.status, got.headers.get('x-attempts')]).toEqual([400, 'stable:400']);
    expect(second.calls.length).toBe(before);
  });
});

describe('to the default channel', () => {
  test('charges the price card of the channel that served, with a single hold', async () => {
    first.script(() => new Response('{}', { status: 500 }));
    second.script(answer);
    const got = await send('economical');
    expect(got.headers.get('x-channel')).toBe('direct');
    expect(got.headers.get('x-channel-requested')).toBe('economical');
    expect(got.headers.get('x-attempts')).toBe('economical:500, direct:200');
    // The charge is for 10 input tokens at $10 per 1M and 5 output tokens at $20 per 1M.
    expect(got.headers.get('x-cost')).toBe('0.000200000 USD');
    const receipt = await receiptOf(gateway, got.headers.get('x-request-id') ?? '');
    expect(receipt.at('data.channel')).toBe('direct');
    expect(receipt.at('data.price_card')).toBe(got.headers.get('x-price-card'));
  });

  test('does not happen with allow_fallbacks: false', async () => {
    first.script(() => new Response('{}', { status: 500 }));
    const before = second.calls.length;
    const got = await send('economical', { provider: { allow_fallbacks: false } });
    expect([got.status, got.headers.get('x-attempts')]).toEqual([502, 'economical:500']);
    expect(second.calls.length).toBe(before);
  });

  test('does not happen for a key that is limited to the other channel', async () => {
    first.script(() => new Response('{}', { status: 500 }));
    const before = second.calls.length;
    const key = await newAccountKey(
      gateway,
      { amount: '5', currency: 'USD' },
      { limits: { channels: ['economical'] } },
    );
    const body = {
      ...hello.chat,
      model: `openai-${next++}`,
      max_tokens: 100,
      provider: { channel: 'economical' },
    };
    const got = await ask({ ...gateway, key }, CHAT, body);
    expect([got.status, got.headers.get('x-attempts')]).toEqual([502, 'economical:500']);
    expect(second.calls.length).toBe(before);
  });

  test('does not happen when the wallet cannot cover its price', async () => {
    first.script(() => new Response('{}', { status: 500 }));
    const before = second.calls.length;
    // The credit covers 100 tokens at $2 per 1M, the price of `economical`, but not at $20 per 1M,
    // the price of `direct`.
    const key = await newAccountKey(gateway, { amount: '0.0006', currency: 'USD' });
    const body = {
      ...hello.chat,
      model: `openai-${next++}`,
      max_tokens: 100,
      provider: { channel: 'economical' },
    };
    const got = await ask({ ...gateway, key }, CHAT, body);
    expect([got.status, got.at('error.code')]).toEqual([502, 'upstream_failed']);
    expect(got.headers.get('x-attempts')).toBe('economical:500, direct:insufficient_balance');
    expect(second.calls.length).toBe(before);
    expect((await wallet({ ...gateway, key })).balance).toBe(600_000n);
  });
});

test('Messages requests fail over too, and the second stream is one valid stream', async () => {
  first.script(() => eventStream([messageStart.replaceAll('message_start', 'nothing')]));
  second.script(() => eventStream([messageStart, messageWords(SAID), messageEnd]));
  const body = {
    ...hello.messages,
    model: `anthropic-${next++}`,
    stream: true,
    provider: { channel: 'stable' },
  };
  const got = await ask(gateway, MESSAGES, body);
  const types = payloads(got.text).map((event) => at(event, 'type'));
  expect(types.filter((type) => type === 'message_start')).toHaveLength(1);
  expect(types.at(-1)).toBe('message_stop');
  expect(got.text).toContain(SAID);
});
