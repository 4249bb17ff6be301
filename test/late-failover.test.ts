/** A stream whose status line is out while its route is still looked for: what it says of itself, and pays. */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { eventually } from './support/eventually.ts';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { admin, breaches, wallet } from './support/history/books.ts';
import {
  chatStream,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { CHAT, hello, post, readUntil } from './support/wire.ts';

const SAID = 'the dear one answers';
let cheap: ScriptedUpstream;
let dear: ScriptedUpstream;
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
        routes: [{ upstream: dear, model: there }]
      economical:
        price: { input: "1.00", output: "2.00" }
        routes: [{ upstream: cheap, model: there }]
`;

beforeAll(async () => {
  cheap = await startScriptedUpstream();
  dear = await startScriptedUpstream();
  const server = (name: string, { host }: ScriptedUpstream): string =>
    `  ${name}: { protocol: openai, base_url: "http://${host}/v1", api_key: "sk-x", allow_private: true }\n`;
  gateway = await startGateway({
    config: shippedConfig({
      '\nupstreams:\n': `\nupstreams:\n${server('cheap', cheap)}${server('dear', dear)}`,
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
  dear.stop();
});

/** The stream after its status line, while the cheap upstream has not answered yet. */
async function lateStream() {
  const told = Promise.withResolvers<Response>();
  cheap.script(() => told.promise);
  dear.script(() => eventStream(chatStream(SAID)));
  const body = { ...hello.chat, model: 'late', stream: true, provider: { channel: 'economical' } };
  const response = await post(gateway, CHAT, body);
  expect(response.status).toBe(200);
  return { response, told, requestId: response.headers.get('x-request-id') ?? '' };
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

test('one that ends on another channel has claimed none, and is charged by that one’s card', async () => {
  const { response, told, requestId } = await lateStream();
  expect(response.headers.get('x-channel-requested')).toBe('economical');
  expect([response.headers.get('x-channel'), response.headers.get('x-price-card')]).toEqual([
    null,
    null,
  ]);
  const reader = await readUntil(response, (text) => text.includes('\n'));
  told.resolve(new Response('{}', { status: 503 }));
  expect(await reader.rest()).toContain(SAID);
  const log = await record(requestId);
  expect([log?.at('data.0.channel'), log?.at('data.0.outcome')]).toEqual(['direct', 'completed']);
  expect(log?.at('data.0.attempts')).toEqual([
    expect.objectContaining({ channel: 'economical', upstream: 'cheap', result: '503' }),
    expect.objectContaining({ channel: 'direct', upstream: 'dear', result: '200' }),
  ]);
});

test('whose caller leaves names who was asked, and nobody is asked any more', async () => {
  const { response, told, requestId } = await lateStream();
  const before = dear.calls.length;
  await response.body?.cancel();
  await cheap.calls.at(-1)?.aborted;
  told.resolve(new Response('{}', { status: 503 }));
  const log = await record(requestId);
  expect([log?.at('data.0.channel'), log?.at('data.0.outcome')]).toEqual([
    'economical',
    'caller_left',
  ]);
  expect(log?.at('data.0.attempts')).toEqual([
    expect.objectContaining({ upstream: 'cheap', result: 'caller_left' }),
  ]);
  expect(dear.calls.length).toBe(before);
});
