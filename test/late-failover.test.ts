/** Tests failover of streams after a keep-alive has already sent the headers to the caller. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { eventually } from './support/eventually.ts';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { admin, breaches, wallet } from './support/history/ledger-views.ts';
import {
  chatStream,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { CHAT, hello, post, readUntil } from './support/wire.ts';

const SAID = 'the second answers';
let cheap: ScriptedUpstream;
let expensive: ScriptedUpstream;
let gateway: GatewayProcess;

const CONFIG = `
  late:
    kind: chat
    maker: gen
    context_window: 100000
    max_output: 10000
    default_channel: direct
    channels:
      direct:
        price: { input: "10.00", output: "20.00" }
        routes: [{ upstream: expensive, model: there }]
      economical:
        price: { input: "1.00", output: "2.00" }
        routes: [{ upstream: cheap, model: there }]
`;

beforeAll(async () => {
  cheap = await startScriptedUpstream();
  expensive = await startScriptedUpstream();
  const server = (name: string, { host }: ScriptedUpstream): string =>
    `  ${name}: { protocol: openai, base_url: "http://${host}/v1", api_key: "sk-x", allow_private: true, quirks: { on_disconnect: abort } }\n`;
  gateway = await startGateway({
    config: shippedConfig({
      '\nupstreams:\n': `\nupstreams:\n${server('cheap', cheap)}${server('expensive', expensive)}`,
      '\nmodels:\n': `\nmodels:\n${CONFIG}`,
      '# limits: ': 'limits: { keep_alive: 1s, first_event_hold: 1s }\n# limits: ',
    }),
  });
});
afterEach(async () => {
  expect(await breaches(gateway)).toEqual([]);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  cheap.stop();
  expensive.stop();
});

/**
 * Opens a stream, and returns when the caller has its status line. The lower-priced upstream
 * answers only when the test resolves `reply`.
 */
async function lateStream() {
  const reply = Promise.withResolvers<Response>();
  cheap.script(() => reply.promise);
  expensive.script(() => eventStream(chatStream(SAID)));
  const body = { ...hello.chat, model: 'late', stream: true, provider: { channel: 'economical' } };
  const response = await post(gateway, CHAT, body);
  expect(response.status).toBe(200);
  return { response, reply, requestId: response.headers.get('x-request-id') ?? '' };
}

const record = (requestId: string) =>
  eventually(
    'the request is on record, and nothing is held',
    async () => {
      const log = await admin(gateway, 'GET', '/requests?limit=1');
      return log.at('data.0.id') === requestId && (await wallet(gateway)).held === 0n ? log : null;
    },
    (log) => log !== null,
  );

test('a stream that ends on another channel names no channel in its headers and is charged by its price card', async () => {
  const { response, reply, requestId } = await lateStream();
  expect(response.headers.get('x-channel-requested')).toBe('economical');
  expect([response.headers.get('x-channel'), response.headers.get('x-price-card')]).toEqual([
    null,
    null,
  ]);
  const reader = await readUntil(response, (text) => text.includes('\n'));
  reply.resolve(new Response('{}', { status: 503 }));
  expect(await reader.rest()).toContain(SAID);
  const log = await record(requestId);
  expect([log?.at('data.0.channel'), log?.at('data.0.outcome')]).toEqual(['direct', 'completed']);
  expect(log?.at('data.0.attempts')).toEqual([
    expect.objectContaining({ channel: 'economical', upstream: 'cheap', result: '503' }),
    expect.objectContaining({ channel: 'direct', upstream: 'expensive', result: '200' }),
  ]);
});

test('a stream whose caller disconnects records the attempted route and tries no other', async () => {
  const { response, reply, requestId } = await lateStream();
  const before = expensive.calls.length;
  await response.body?.cancel();
  await cheap.calls.at(-1)?.aborted;
  reply.resolve(new Response('{}', { status: 503 }));
  const log = await record(requestId);
  expect([log?.at('data.0.channel'), log?.at('data.0.outcome')]).toEqual([
    'economical',
    'caller_left',
  ]);
  expect(log?.at('data.0.attempts')).toEqual([
    expect.objectContaining({ upstream: 'cheap', result: 'caller_left' }),
  ]);
  expect(expensive.calls.length).toBe(before);
});
