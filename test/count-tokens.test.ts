/**
 * Tests the counting of tokens. If the upstream can count, its count is returned; otherwise the
 * gateway estimates. Counting is always free.
 */
import { afterAll, afterEach, beforeAll, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { admin, wallet } from './support/history/ledger-views.ts';
import {
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, hello } from './support/wire.ts';

const COUNT = '/v1/messages/count_tokens';
let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
let balance: bigint;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({ config: upstream.config() });
  balance = (await wallet(gateway)).balance;
});
afterEach(async () => {
  expect(await wallet(gateway)).toEqual({ balance, held: 0n });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const counting = (model: string) => ask(gateway, COUNT, { ...hello.messages, model });

test('asks an upstream that supports counting', async () => {
  upstream.script(() => Response.json({ input_tokens: 7 }));
  const got = await counting('scripted-messages');
  expect([got.status, got.text]).toEqual([200, '{"input_tokens":7}']);
  expect(got.headers.get('x-estimated')).toBeNull();
  expect(upstream.calls.at(-1)?.path).toBe(COUNT);
});

test('estimates when no upstream can count, and marks the result as an estimate', async () => {
  const before = upstream.calls.length;
  const got = await counting('scripted-chat');
  expect([got.status, got.headers.get('x-estimated')]).toEqual([200, 'true']);
  expect(got.at('input_tokens')).toBeNumber();
  expect(upstream.calls.length).toBe(before);
});

test.each([404, 500, 503])(
  'falls back to an estimate when the count endpoint returns %d',
  async (status) => {
    upstream.script(() => Response.json({ error: { message: 'no such thing' } }, { status }));
    const got = await counting('scripted-messages');
    expect([got.status, got.headers.get('x-estimated')]).toEqual([200, 'true']);
  },
);

test.each([
  ['HTML', '<html>sk-secret at 10.0.0.1</html>'],
  ['an event', 'data: {}\n\n'],
  ['a missing count', '{"model":"sk-secret"}'],
  ['an invalid count', '{"input_tokens":"seven"}'],
])('a counter that answers %s has not counted, and nothing of it is shown', async (_what, body) => {
  upstream.script(() => new Response(body));
  const got = await counting('scripted-messages');
  expect([got.status, got.headers.get('x-estimated')]).toEqual([200, 'true']);
  expect(got.text).toMatch(/^\{"input_tokens":\d+\}$/);
});

test("passes on only the counts of the upstream's answer", async () => {
  const edits = { original_input_tokens: 9, by: 'sk-secret' };
  upstream.script(() => Response.json({ input_tokens: 7, context_management: edits, host: 'a.b' }));
  const got = await counting('scripted-messages');
  expect(got.text).toBe('{"input_tokens":7,"context_management":{"original_input_tokens":9}}');
});

test('failed counts do not open the circuit breaker of the route', async () => {
  upstream.script(() => new Response('{}', { status: 500 }));
  for (let time = 0; time < 8; time++) await counting('scripted-messages');
  const routes = await admin(gateway, 'GET', '/routes');
  expect(routes.status).toBe(200);
  expect(routes.text).not.toContain('"open"');
});

test('refuses a prompt that the upstream refuses', async () => {
  const error = { type: 'invalid_request_error', message: 'messages: too many images' };
  upstream.script(() => Response.json({ type: 'error', error }, { status: 400 }));
  const got = await counting('scripted-messages');
  expect([got.status, got.at('error.message')]).toEqual([400, 'messages: too many images']);
});
