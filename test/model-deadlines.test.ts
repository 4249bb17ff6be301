/**
 * Tests models with their own deadlines, which replace the gateway's deadlines. An expired deadline
 * is reported to the caller and recorded.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { receiptOf, settledWallet } from './support/history/ledger-views.ts';
import {
  chatChunk,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
  type UpstreamCall,
} from './support/upstreams/scripted-upstream.ts';
import { readEnding } from './support/upstreams/stream-grammar.ts';
import { ask, CHAT, hello } from './support/wire.ts';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;

/**
 * Returns the configuration of a model with a short deadline. The gateway's own deadlines are
 * several minutes.
 */
const model = (id: string, timeouts: string): string => `
  ${id}:
    kind: chat
    maker: gen
    context_window: 100000
    max_output: 10000
    timeouts: ${timeouts}
    default_channel: direct
    channels:
      direct:
        price: { input: "1.00", output: "2.00" }
        routes: [{ upstream: there, model: ${id}-there }]
`;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({
    config: shippedConfig({
      '\nupstreams:\n': `\nupstreams:\n  there: { protocol: openai, base_url: "http://${upstream.host}/v1", api_key: none, allow_private: true }\n`,
      '\nmodels:\n': `\nmodels:\n${model('late', '{ first_byte: 1s }')}${model('silent', '{ idle: 1s }')}${model('long', '{ total: 2s }')}`,
    }),
  });
});
afterEach(async () => {
  await settledWallet(gateway);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const send = (id: string) => ask(gateway, CHAT, { ...hello.chat, model: id, stream: true });
const words = chatChunk({ role: 'assistant', content: 'words ' });
const outcomeOf = async (requestId: string | null): Promise<unknown> =>
  (await receiptOf(gateway, requestId ?? '')).at('data.outcome');

test('a missing first byte fails with a status of its own, free of charge', async () => {
  upstream.script(async (call) => {
    await call.aborted;
    return new Response(null);
  });
  const got = await send('late');
  expect([got.status, got.at('error.code')]).toEqual([504, 'upstream_timeout']);
  const receipt = await receiptOf(gateway, got.headers.get('x-request-id') ?? '');
  expect(receipt.at('data.cost_exact')).toBe('0.000000000');
});

const begunThenSilent = (call: UpstreamCall): Response =>
  eventStream([words], async (controller) => {
    await call.aborted;
    controller.close();
  });

test('silence within an answer ends it as a timeout', async () => {
  upstream.script(begunThenSilent);
  const got = await send('silent');
  expect(readEnding('chat', got.text)).toEqual({ end: 'error', code: 'upstream_timeout' });
  expect(await outcomeOf(got.headers.get('x-request-id'))).toBe('upstream_timeout');
});

test('ends an answer that exceeds the total deadline, even while data arrives', async () => {
  upstream.script((call) => {
    let isOver = false;
    void call.aborted.then(() => {
      isOver = true;
    });
    return eventStream([], async (controller) => {
      if (isOver) controller.close();
      else controller.enqueue(new TextEncoder().encode(words));
      await Bun.sleep(20);
    });
  });
  const got = await send('long');
  expect(readEnding('chat', got.text)).toEqual({ end: 'error', code: 'upstream_timeout' });
  expect(got.text.split('words').length).toBeGreaterThan(2);
  expect(await outcomeOf(got.headers.get('x-request-id'))).toBe('upstream_timeout');
});
