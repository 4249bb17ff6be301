/**
 * Tests retries with an Idempotency-Key: one upstream call, one charge, an answer to each retry.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { type CuttingProxy, startCuttingProxy } from './support/cutting-proxy.ts';
import { eventually } from './support/eventually.ts';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import {
  admin,
  breaches,
  newAccountKey,
  nothingHeld,
  type WalletState,
  wallet,
} from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import {
  chatStream,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { type Answer, ask, CHAT, get, hello, MESSAGES, post, readUntil } from './support/wire.ts';

/**
 * The price of an answer in nano-USD: ten input tokens at $1 and five output tokens at $2 per 1M.
 */
const PRICE = 20_000n;
const CANARY_ANSWER = 'canary-answer-41c7';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;
let proxy: CuttingProxy;
let before: WalletState;
let callsBefore: number;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({ config: upstream.config() });
  proxy = await startCuttingProxy(gateway.url);
});
beforeEach(async () => {
  before = await wallet(gateway);
  callsBefore = upstream.calls.length;
  upstream.script(({ path }) => (path.endsWith('/messages') ? message() : completion()));
});
afterAll(async () => {
  proxy.stop();
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const turns = [{ role: 'user' as const, content: 'Hello there' }];
const chat = { model: 'scripted-chat', messages: turns };
const messages = { model: 'scripted-messages', max_tokens: 256, messages: turns };
let answers = 0;

/** Returns an answer with a unique id, so that no two answers can be confused. */
function completion(): Response {
  answers += 1;
  return Response.json({
    id: `chatcmpl-${answers}`,
    object: 'chat.completion',
    created: 1_790_000_000,
    model: 'upstream-model',
    choices: [
      { index: 0, message: { role: 'assistant', content: CANARY_ANSWER }, finish_reason: 'stop' },
    ],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  });
}

function message(): Response {
  answers += 1;
  return Response.json({
    id: `msg_${answers}`,
    type: 'message',
    role: 'assistant',
    model: 'upstream-model',
    content: [{ type: 'text', text: CANARY_ANSWER }],
    stop_reason: 'end_turn',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  });
}

/** A client that creates an idempotency key for each call, and repeats the key when it retries. */
class KeyedOpenAI extends OpenAI {
  protected override idempotencyHeader = 'Idempotency-Key';
}

const withKey = (key: string) => ({ 'idempotency-key': key });
const idOf = (answer: Answer): unknown => answer.at('id');
const codeOf = (answer: Answer): unknown => answer.at('error.code');

async function expectCharged(nano: bigint, calls: number): Promise<void> {
  const after = await nothingHeld(gateway);
  expect(before.balance - after.balance).toBe(nano);
  expect(upstream.calls.length - callsBefore).toBe(calls);
  expect(await breaches(gateway)).toEqual([]);
}

/** Makes the upstream delay its next answers until `open` is called. */
function gate() {
  const opened = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  upstream.script(async () => {
    reached.resolve();
    await opened.promise;
    return completion();
  });
  return { reached: reached.promise, open: () => opened.resolve() };
}

describe('an answer that is lost in transit', () => {
  test('is returned to a retry of the OpenAI client, and charged once', async () => {
    const client = new KeyedOpenAI({ baseURL: `${proxy.url}/v1`, apiKey: gateway.key });
    proxy.loseAnswers(1);
    const { data, response } = await client.chat.completions.create(chat).withResponse();
    expect(data.choices[0]?.message.content).toBe(CANARY_ANSWER);
    expect(data.id).toBe(`chatcmpl-${answers}`);
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    await expectCharged(PRICE, 1);
    await client.chat.completions.create(chat);
    await expectCharged(2n * PRICE, 2);
  });

  test('is returned to a retry of the Anthropic client, and charged once', async () => {
    const client = new Anthropic({ baseURL: proxy.url, apiKey: gateway.key });
    proxy.loseAnswers(2);
    const given = await client.messages.create(messages, { headers: withKey('anthropic-lost') });
    expect(given.content).toMatchObject([{ type: 'text', text: CANARY_ANSWER }]);
    expect(given.id).toBe(`msg_${answers}`);
    await expectCharged(PRICE, 1);
  });

  test('is completed and stored even if the connection breaks while the model is generating', async () => {
    const { reached, open } = gate();
    const client = new KeyedOpenAI({
      baseURL: `${proxy.url}/v2`,
      apiKey: gateway.key,
      maxRetries: 8,
    });
    proxy.cutNextRequest(reached);
    const asking = client.chat.completions.create(chat).withResponse();
    await reached;
    open();
    const { data, response } = await asking;
    expect(data.id).toBe(`chatcmpl-${answers}`);
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    await expectCharged(PRICE, 1);
  });

  test('has the same images at the same URLs', async () => {
    const client = new KeyedOpenAI({ baseURL: `${proxy.url}/v2`, apiKey: gateway.key });
    proxy.loseAnswers(1);
    const { data, response } = await client.images.generate(hello.image).withResponse();
    expect(response.headers.get('idempotency-replayed')).toBe('true');
    const charged = before.balance - (await wallet(gateway)).balance;
    expect(response.headers.get('x-cost')).toBe(`0.${String(charged).padStart(9, '0')} USD`);
    const picture = await fetch(data.data?.[0]?.url ?? '');
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });
});

test('replays a stored answer completely, with its original headers and both request ids', async () => {
  const first = await ask(gateway, CHAT, chat, withKey('whole'));
  const again = await ask(gateway, CHAT.replace('v2', 'v1'), chat, withKey('whole'));
  expect(again.text).toBe(first.text);
  const said = (answer: Answer) =>
    ['x-cost', 'x-channel', 'x-price-card', 'content-type'].map((name) => answer.headers.get(name));
  expect(said(again)).toEqual(said(first));
  expect(first.headers.get('x-original-request-id')).toBeNull();
  expect(again.headers.get('x-original-request-id')).toBe(first.headers.get('x-request-id'));
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  await expectCharged(PRICE, 1);
  expect(await metricsText(gateway)).toMatch(
    /modelgate_idempotent_replays_total\{endpoint="chat"\} [1-9]/,
  );
});

test('runs twenty concurrent requests once; the others wait and get the same answer', async () => {
  const { reached, open } = gate();
  const asking = Array.from({ length: 20 }, () => ask(gateway, CHAT, chat, withKey('twenty')));
  const refused: Answer[] = [];
  for (const each of asking) void each.then((answer) => refused.push(answer));
  await reached;
  await eventually(
    'nineteen requests wait',
    () => refused.length,
    (count) => count === 19,
  );
  for (const answer of refused) {
    expect([answer.status, codeOf(answer)]).toEqual([409, 'idempotency_in_progress']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('x-should-retry')).toBe('true');
  }
  open();
  const all = await Promise.all(asking);
  const [served] = all.filter(({ status }) => status === 200);
  const again = await Promise.all(
    Array.from({ length: 19 }, () => ask(gateway, CHAT, chat, withKey('twenty'))),
  );
  expect(new Set(again.map(({ text }) => text))).toEqual(new Set([served?.text ?? '']));
  await expectCharged(PRICE, 1);
});

test('the client retries by itself when the gateway asks it to wait', async () => {
  const { reached, open } = gate();
  const first = ask(gateway, CHAT, chat, withKey('wait'));
  await reached;
  const client = new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey: gateway.key, maxRetries: 8 });
  const polling = client.chat.completions.create(chat, { headers: withKey('wait') }).withResponse();
  const direct = await ask(gateway, CHAT, chat, withKey('wait'));
  expect(direct.status).toBe(409);
  open();
  const { data } = await polling;
  expect(data.id).toBe(String(idOf(await first)));
  await expectCharged(PRICE, 1);
});

test('a different request under the same key returns 422 and must not be retried', async () => {
  await ask(gateway, CHAT, chat, withKey('other'));
  const other = { ...chat, temperature: 0.5 };
  const answer = await ask(gateway, CHAT, other, withKey('other'));
  expect([answer.status, codeOf(answer)]).toEqual([422, 'idempotency_key_reused']);
  expect(answer.headers.get('x-should-retry')).toBe('false');
  const sse = { ...withKey('other'), accept: 'text/event-stream' };
  const streamed = await ask(gateway, CHAT, chat, sse);
  expect([streamed.status, codeOf(streamed)]).toEqual([422, 'idempotency_key_reused']);
  // An idempotency key is independent of the same key on another endpoint or of another account.
  expect((await ask(gateway, MESSAGES, messages, withKey('other'))).status).toBe(200);
  const key = await newAccountKey(gateway, { amount: '1', currency: 'USD' });
  const foreign = await ask({ url: gateway.url, key }, CHAT, other, withKey('other'));
  expect([foreign.status, foreign.headers.get('idempotency-replayed')]).toEqual([200, null]);
  const beta = { ...withKey('other'), 'anthropic-beta': 'some-beta-2026-01-01' };
  const differs = await ask(gateway, MESSAGES, messages, beta);
  expect([differs.status, differs.at('error.details.error_code')]).toEqual([
    422,
    'idempotency_key_reused',
  ]);
  expect(differs.at('error.type')).toBe('invalid_request_error');
});

test('does not replay an answer to a key that may not use its model or channel', async () => {
  await ask(gateway, CHAT, chat, withKey('limited'));
  const account_id = (await admin(gateway, 'GET', '/keys')).at('data.0.account_id');
  for (const limits of [{ models: ['gen-opus-4-8'] }, { channels: ['economical'] }]) {
    const body = { account_id, name: 'limited', limits };
    const key = String((await admin(gateway, 'POST', '/keys', body)).at('secret'));
    const refused = await ask({ url: gateway.url, key }, CHAT, chat, withKey('limited'));
    expect([refused.status, codeOf(refused)]).toEqual([403, 'not_allowed']);
  }
  await expectCharged(PRICE, 1);
});

test('an invalid key returns 400 and names the header', async () => {
  for (const key of ['', 'a'.repeat(256)]) {
    const answer = await ask(gateway, CHAT, chat, withKey(key));
    expect([answer.status, answer.at('error.param')]).toEqual([400, 'Idempotency-Key']);
  }
  await expectCharged(0n, 0);
});

test('a stream is in progress while it runs, and is not replayed after its end', async () => {
  const opened = Promise.withResolvers<void>();
  upstream.script(() => {
    const [first = '', ...rest] = chatStream('streamed words');
    const left = [...rest];
    return eventStream([first], async (controller) => {
      await opened.promise;
      for (const piece of left) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    });
  });
  const body = { ...chat, stream: true };
  const running = await post(gateway, CHAT, body, withKey('stream'));
  const reading = await readUntil(running, (text) => text.includes('assistant'));
  expect(codeOf(await ask(gateway, CHAT, body, withKey('stream')))).toBe('idempotency_in_progress');
  opened.resolve();
  expect(await reading.rest()).toContain('streamed words');
  const again = await eventually(
    'the end of the stream is recorded',
    () => ask(gateway, CHAT, body, withKey('stream')),
    (answer) => codeOf(answer) !== 'idempotency_in_progress',
  );
  expect([again.status, codeOf(again)]).toEqual([409, 'idempotency_not_replayable']);
  expect(again.headers.get('x-should-retry')).toBe('false');
  expect(again.at('error.original_request_id')).toBe(running.headers.get('x-request-id'));
  await expectCharged(PRICE, 1);
});

describe('a request that was not charged', () => {
  test('frees its key after an upstream failure', async () => {
    upstream.script(() => new Response('broken', { status: 500 }));
    const failed = await ask(gateway, CHAT, chat, withKey('failed'));
    expect(failed.status).toBe(502);
    const failures = upstream.calls.length - callsBefore;
    upstream.script(() => completion());
    const answer = await ask(gateway, CHAT, chat, withKey('failed'));
    expect([answer.status, answer.headers.get('idempotency-replayed')]).toEqual([200, null]);
    await expectCharged(PRICE, failures + 1);
  });

  test('frees its key after an empty wallet, an unknown model or an invalid body', async () => {
    const key = await newAccountKey(gateway, null);
    for (let times = 0; times < 2; times++) {
      const poor = await ask({ url: gateway.url, key }, CHAT, chat, withKey('poor'));
      expect(poor.status).toBe(402);
      const unknown = { ...chat, model: 'no-such-model' };
      expect((await ask(gateway, CHAT, unknown, withKey('unknown'))).status).toBe(404);
      expect((await ask(gateway, CHAT, {}, withKey('wrong'))).status).toBe(400);
    }
    expect((await ask(gateway, CHAT, chat, withKey('unknown'))).status).toBe(200);
    await expectCharged(PRICE, 1);
  });
});

test('charges an answer too long to store once, and explains the alternative to retries', async () => {
  upstream.script(() =>
    Response.json({
      id: 'chatcmpl-long',
      object: 'chat.completion',
      created: 1_790_000_000,
      model: 'upstream-model',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'long '.repeat(300_000) },
          finish_reason: 'stop',
        },
      ],
      usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
    }),
  );
  const first = await ask(gateway, CHAT, chat, withKey('long'));
  expect(first.status).toBe(200);
  const again = await ask(gateway, CHAT, chat, withKey('long'));
  expect([again.status, codeOf(again)]).toEqual([409, 'idempotency_not_replayable']);
  expect(String(again.at('error.message'))).toContain(String(first.headers.get('x-request-id')));
  await expectCharged(PRICE, 1);
});

test('the OpenAPI document lists the header for the three endpoints', async () => {
  const document = await get(gateway, '/openapi.json');
  for (const path of ['chat/completions', 'messages', 'images/generations']) {
    for (const prefix of ['/v1/', '/v2/']) {
      expect(JSON.stringify(document.at(`paths.${prefix}${path}.post.parameters`))).toContain(
        '"Idempotency-Key"',
      );
    }
  }
  const counting = document.at('paths./v1/messages/count_tokens.post.parameters');
  expect(counting).toBeUndefined();
});

test('a process killed in the middle leaves the key to the next process', async () => {
  const config = upstream.config();
  const first = await startGateway({ config });
  const credit = await wallet(first);
  const { reached, open } = gate();
  const lost = ask(first, CHAT, chat, withKey('killed')).catch(() => 'lost');
  await reached;
  await first.kill9();
  expect(await lost).toBe('lost');
  open();
  await using second = await startGateway({ config, folder: first.folder });
  upstream.script(() => completion());
  const answer = await eventually(
    'the key is free',
    () => ask(second, CHAT, chat, withKey('killed')),
    ({ status }) => status !== 409,
  );
  expect(answer.status).toBe(200);
  const again = await ask(second, CHAT, chat, withKey('killed'));
  expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([answer.text, 'true']);
  expect(await wallet(second)).toEqual({ balance: credit.balance - PRICE, held: 0n });
  expect(await breaches(second)).toEqual([]);
});

test('the store contains neither an answer nor a key in plain text', async () => {
  const key = 'canary-idempotency-key-8d2f';
  await ask(gateway, CHAT, chat, withKey(key));
  expect((await ask(gateway, CHAT, chat, withKey(key))).headers.get('idempotency-replayed')).toBe(
    'true',
  );
  const files = readdirSync(gateway.dataDir, { recursive: true })
    .map((name) => join(gateway.dataDir, String(name)))
    .filter((path) => statSync(path).isFile());
  const contents = files.map((path) => readFileSync(path));
  expect(contents.some((content) => content.includes('idempotency'))).toBe(true);
  for (const secret of [key, CANARY_ANSWER, 'Hello there']) {
    expect(contents.some((content) => content.includes(secret))).toBe(false);
  }
  expect(gateway.stderr()).not.toContain(key);
});
