/** Tests the limits of keys with requests to a real gateway process. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { eventually } from './support/eventually.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { admin, breaches, receiptOf } from './support/history/ledger-views.ts';
import {
  chatChunk,
  chatUsage,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, at, CHAT, eventsOf, get, hello, MESSAGES, post, readUntil } from './support/wire.ts';

/**
 * The time limit within which the streams of a revoked key must end. The specified limit is
 * shorter, but a busy machine takes longer.
 */
const END_LIMIT_MS = 5_000;

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
let accountId: string;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({ config: upstream.config() });
  accountId = String((await admin(gateway, 'GET', '/accounts')).at('data.0.id'));
});
afterAll(async () => {
  expect(await breaches(gateway)).toEqual([]);
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const keyWith = async (limits: Readonly<Record<string, unknown>>) => {
  const body = { account_id: accountId, name: 'limited', limits };
  const made = await admin(gateway, 'POST', '/keys', body);
  expect([made.status, made.text]).toEqual([201, made.text]);
  return { ...gateway, key: String(made.at('secret')), keyId: String(made.at('id')) };
};
const endless = () => {
  upstream.script(() =>
    eventStream([chatChunk({ content: 'word ' })], () => new Promise(() => {})),
  );
  return { ...hello.chat, model: 'scripted-chat', stream: true };
};

test('requests per minute: both protocols return the remainder and when to retry', async () => {
  const caller = await keyWith({ requests_per_minute: 2 });
  const first = await ask(caller, CHAT, hello.chat);
  expect(first.headers.get('x-ratelimit-limit-requests')).toBe('2');
  expect(first.headers.get('x-ratelimit-remaining-requests')).toBe('1');
  const second = await ask(caller, MESSAGES, hello.messages);
  expect(second.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0');
  const third = await ask(caller, CHAT, hello.chat);
  expect([third.status, third.at('error.code')]).toEqual([429, 'rate_limit_exceeded']);
  const after = Number(third.headers.get('retry-after'));
  expect(after).toBeGreaterThanOrEqual(1);
  expect(after).toBeLessThanOrEqual(60);
});

test('tokens per minute count actual usage, and a refused request counts none', async () => {
  const caller = await keyWith({ tokens_per_minute: 1_000 });
  upstream.script(() =>
    eventStream([chatChunk({}, 'stop'), chatUsage(10, 980), 'data: [DONE]\n\n']),
  );
  const body = { ...hello.chat, model: 'scripted-chat', stream: true, max_tokens: 1_000 };
  expect((await ask(caller, CHAT, body)).status).toBe(200);
  const long = { ...body, messages: [{ role: 'user', content: 'word '.repeat(200) }] };
  for (let again = 0; again < 2; again++) expect((await ask(caller, CHAT, long)).status).toBe(429);
});

test('concurrent requests count until they are settled', async () => {
  const caller = await keyWith({ concurrency: 1 });
  const running = await readUntil(await post(caller, CHAT, endless()), (text) => text.length > 0);
  expect((await ask(caller, CHAT, hello.chat)).status).toBe(429);
  await running.cancel();
  await eventually(
    'the next request is accepted',
    async () => (await ask(caller, CHAT, hello.chat)).status,
    (status) => status === 200,
  );
});

test('refuses a model or a channel outside of the list, free of charge', async () => {
  const caller = await keyWith({ models: ['gen-v4-pro'], channels: ['direct'] });
  const model = await ask(caller, CHAT, hello.chat);
  expect([model.status, model.at('error.code'), model.at('error.param')]).toEqual([
    403,
    'not_allowed',
    'model',
  ]);
  const economical = { ...hello.chat, model: 'gen-v4-pro', provider: { channel: 'economical' } };
  expect((await ask(caller, CHAT, economical)).status).toBe(403);
  expect((await ask(caller, CHAT, { ...hello.chat, model: 'gen-v4-pro' })).status).toBe(200);
});

test('a spending cap allows requests up to the remainder and then returns 402, for CNY models too', async () => {
  const caller = await keyWith({ spend: { total: '0.02' } });
  const usage = () => eventStream([chatChunk({}, 'stop'), chatUsage(0, 9_900), 'data: [DONE]\n\n']);
  upstream.script(usage);
  const body = { ...hello.chat, model: 'scripted-chat', stream: true, max_tokens: 9_990 };
  const first = await ask(caller, CHAT, body);
  expect(first.status).toBe(200);
  const refused = await ask(caller, CHAT, body);
  expect([refused.status, refused.at('error.code')]).toEqual([402, 'spend_limit_reached']);
  expect(refused.at('error.limit')).toBe('key_total');
  const key = await get(caller, '/v1/key');
  // 9,900 tokens at $2 per 1M cost 0.0198 USD, so 0.0002 USD of the cap remain.
  expect(at(JSON.parse(key.text), 'data.limit_remaining')).toBeCloseTo(0.0002, 9);
  const inCny = await ask(caller, CHAT, { ...hello.chat, model: 'gen-v4-pro', max_tokens: 1_000 });
  expect([inCny.status, inCny.at('error.currency')]).toEqual([402, 'CNY']);
});

test('revoking a key ends its running streams with the reason and charges the delivered output', async () => {
  const caller = await keyWith({});
  const stream = await post(caller, CHAT, endless());
  const running = await readUntil(stream, (text) => text.includes('word'));
  const startedMs = performance.now();
  expect((await admin(gateway, 'DELETE', `/keys/${caller.keyId}`)).status).toBe(200);
  expect((await ask(caller, CHAT, hello.chat)).status).toBe(401);
  expect(eventsOf(await running.rest()).at(-1)?.data).toContain('invalid_api_key');
  expect(performance.now() - startedMs).toBeLessThan(END_LIMIT_MS);
  const receipt = await receiptOf(gateway, stream.headers.get('x-request-id') ?? '');
  expect(receipt.at('data.outcome')).toBe('revoked');
});

test('suspending an account ends its running requests', async () => {
  const account = await admin(gateway, 'POST', '/accounts', { name: 'suspended' });
  const id = String(account.at('id'));
  await admin(gateway, 'POST', `/accounts/${id}/credits`, {
    amount: '1',
    currency: 'USD',
    reason: 'test',
  });
  const made = await admin(gateway, 'POST', '/keys', { account_id: id, name: 'one' });
  const caller = { ...gateway, key: String(made.at('secret')) };
  const running = await readUntil(await post(caller, CHAT, endless()), (text) => text.length > 0);
  await admin(gateway, 'PATCH', `/accounts/${id}`, { status: 'suspended' });
  expect(eventsOf(await running.rest()).at(-1)?.data).toContain('not_allowed');
});
