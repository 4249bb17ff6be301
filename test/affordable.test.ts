/**
 * Tests requests with a low balance: the gateway limits the output to what the balance covers, so
 * the balance never becomes negative.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import {
  admin,
  breaches,
  nanoOf,
  newAccountKey,
  nothingHeld,
  receiptOf,
  wallet,
} from './support/history/ledger-views.ts';
import {
  chatChunk,
  chatUsage,
  eventStream,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import {
  ask,
  at,
  CHAT,
  eventsOf,
  hello,
  IMAGES,
  listAt,
  MESSAGES,
  post,
  readUntil,
} from './support/wire.ts';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  gateway = await startGateway({ config: upstream.config() });
});
afterAll(async () => {
  expect(await breaches(gateway)).toEqual([]);
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

/**
 * Returns the gateway with the key of a new account. Its wallet has `amount` USD and no CNY; null
 * leaves it empty.
 */
const withUsd = async (amount: string | null) => {
  const credit = amount === null ? null : { amount, currency: 'USD' };
  return { ...gateway, key: await newAccountKey(gateway, credit) };
};
/** Returns a non-streaming answer that reports this many prompt tokens. */
const chatCompletion = (promptTokens: number) => ({
  id: 'chatcmpl-up',
  object: 'chat.completion',
  created: 1_790_000_000,
  model: 'upstream-model',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Yes.' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: promptTokens, completion_tokens: 1, total_tokens: promptTokens + 1 },
});
const operatorLoss = async (): Promise<bigint> => {
  const entries = listAt(JSON.parse((await admin(gateway, 'GET', '/books')).text), 'data');
  const loss = entries.find(
    (each) => at(each, 'account') === 'operator_loss' && at(each, 'currency') === 'USD',
  );
  return loss === undefined ? 0n : nanoOf(at(loss, 'balance'));
};

test('caps max_tokens to what one dollar covers, and reports the cap in a header', async () => {
  const caller = await withUsd('1.00');
  const long = { ...hello.messages, max_tokens: 128_000 };
  for (const body of [long, { ...long, stream: true }]) {
    const answer = await ask(caller, MESSAGES, body);
    expect(answer.status).toBe(200);
    const maxOutput = Number(answer.headers.get('x-max-output-tokens'));
    // At $25 per 1M output tokens, one dollar pays for 40,000 tokens. The cost of the input and of
    // earlier requests reduces this number.
    expect(maxOutput).toBeGreaterThan(39_000);
    expect(maxOutput).toBeLessThan(40_000);
    await nothingHeld(caller);
  }
});

test('returns 402 with the affordable output when the wallet is empty', async () => {
  const caller = await withUsd(null);
  const answer = await ask(caller, CHAT, { ...hello.chat, max_tokens: 1_000 });
  expect(answer.status).toBe(402);
  expect(answer.headers.get('x-should-retry')).toBe('false');
  expect(answer.at('error')).toMatchObject({
    code: 'insufficient_balance',
    currency: 'USD',
    available: '0.00',
    affordable_max_tokens: 0,
  });
  const message = await ask(caller, MESSAGES, hello.messages);
  expect([message.status, message.at('error.type')]).toEqual([402, 'billing_error']);
  expect(await wallet(caller)).toEqual({ balance: 0n, held: 0n });
});

test('returns 402 with the max_tokens to send when the balance is too low for a useful answer', async () => {
  // 0.0025 USD pays for a short prompt and almost a hundred output tokens.
  const caller = await withUsd('0.0025');
  const refused = await ask(caller, CHAT, { ...hello.chat, max_tokens: 1_000 });
  const affordable = Number(refused.at('error.affordable_max_tokens'));
  expect(affordable).toBeGreaterThan(50);
  expect(affordable).toBeLessThan(100);
  const served = await ask(caller, CHAT, { ...hello.chat, max_tokens: affordable });
  expect(served.status).toBe(200);
});

test('holds the exact price of an image; a low balance gets a 402 that says how many it covers', async () => {
  const four = { ...hello.image, n: 4 };
  const { headers } = await ask(gateway, IMAGES, four);
  const price = nanoOf(headers.get('x-cost')?.replace(' USD', ''));
  const each = price / 4n;
  const funds = `0.${(each * 3n).toString().padStart(9, '0')}`;
  const caller = await withUsd(funds);
  const refused = await ask(caller, IMAGES, four);
  expect([refused.status, refused.at('error.affordable_images')]).toEqual([402, 3]);
  expect((await ask(caller, IMAGES, { ...four, n: 3 })).status).toBe(200);
  expect(await wallet(caller)).toEqual({ balance: 0n, held: 0n });
});

test('ends a stream with an error when other requests spend the balance, and charges the delivered output', async () => {
  const caller = await withUsd('0.05');
  const drained = Promise.withResolvers<void>();
  const words = chatChunk({ content: 'word '.repeat(60) });
  upstream.script(() =>
    eventStream([words], async (controller) => {
      await drained.promise;
      for (let each = 0; each < 100; each++) controller.enqueue(new TextEncoder().encode(words));
    }),
  );
  const body = { ...hello.chat, model: 'scripted-chat', max_tokens: 10_000 };
  const stream = await post(caller, CHAT, { ...body, stream: true });
  const reading = await readUntil(stream, (text) => text.includes('word'));
  // While the stream runs, another request of the account spends all money that is not on hold.
  upstream.script(() => Response.json(chatCompletion(60_000)));
  expect((await ask(caller, CHAT, { ...body, max_tokens: 1_000, stream: false })).status).toBe(200);
  drained.resolve();

  const last = eventsOf(await reading.rest()).at(-1)?.data ?? '';
  expect(last).toContain('insufficient_balance');
  const receipt = await receiptOf(caller, stream.headers.get('x-request-id') ?? '');
  expect(receipt.at('data')).toMatchObject({ outcome: 'length', cost_estimated: true });
  const { balance } = await nothingHeld(caller);
  expect(balance).toBeGreaterThanOrEqual(0n);
});

test('states what was charged everywhere when the price exceeds the wallet', async () => {
  const caller = await withUsd('0.05');
  upstream.script(() => Response.json(chatCompletion(60_000)));
  const body = { ...hello.chat, model: 'scripted-chat', max_tokens: 1_000 };
  const answer = await ask(caller, CHAT, body);
  // 60,000 input tokens at $1 per 1M and one output token at $2 per 1M cost 0.060002 USD, more than
  // the balance.
  expect(answer.headers.get('x-cost')).toBe('0.050000000 USD');
  expect(answer.at('usage')).toMatchObject({ cost: 0.05, cost_exact: '0.050000000' });
  const receipt = await receiptOf(caller, answer.headers.get('x-request-id') ?? '');
  expect(receipt.at('data')).toMatchObject({
    ...{ total_cost: 0.05, usage: 0.05, cost_exact: '0.050000000' },
    cost_details: { price: '0.060002000', charge: '0.050000000', loss: '0.010002000' },
  });
  expect(await nothingHeld(caller)).toEqual({ balance: 0n, held: 0n });
});

test('holds hidden thinking in full, so that concurrent requests cannot overspend the wallet', async () => {
  const caller = await withUsd('0.05');
  const lossBefore = await operatorLoss();
  const unseen = Promise.withResolvers<void>();
  upstream.script(({ body }) =>
    eventStream([chatChunk({ content: 'Thought.' }, 'stop')], async (controller) => {
      await unseen.promise;
      const thought = Number(at(body, 'max_tokens'));
      const end = `${chatUsage(10, thought)}data: [DONE]\n\n`;
      controller.enqueue(new TextEncoder().encode(end));
      controller.close();
    }),
  );
  const asked = { ...hello.chat, model: 'scripted-chat', max_tokens: 10_000, stream: true };
  const streams = await Promise.all(
    Array.from({ length: 8 }, () => post(caller, CHAT, { ...asked, reasoning_effort: 'high' })),
  );
  // A request for 10,000 tokens holds 0.02 USD, and the wallet has 0.05 USD. So two requests get
  // their full length, a third gets the rest, and all others are refused.
  expect(streams.filter(({ status }) => status === 200)).toHaveLength(3);
  unseen.resolve();
  await Promise.all(streams.map((stream) => stream.text()));
  await nothingHeld(caller);
  expect(await operatorLoss()).toBe(lossBefore);
});

test('raises the hold of a long stream step by step, and charges the exact final usage', async () => {
  const caller = await withUsd('0.05');
  const words = Array.from({ length: 100 }, () => chatChunk({ content: 'word '.repeat(60) }));
  upstream.script(() =>
    eventStream([...words, chatChunk({}, 'stop'), chatUsage(10, 8_000), 'data: [DONE]\n\n']),
  );
  const body = { ...hello.chat, model: 'scripted-chat', max_tokens: 10_000, stream: true };
  const answer = await ask(caller, CHAT, body);
  expect(answer.headers.get('x-max-output-tokens')).toBeNull();
  expect(eventsOf(answer.text).at(-1)?.data).toBe('[DONE]');
  // The charge is for 10 input tokens at $1 per 1M and 8,000 output tokens at $2 per 1M.
  expect(await nothingHeld(caller)).toEqual({ balance: 50_000_000n - 16_010_000n, held: 0n });
});

test('stops an upstream that ignores max_tokens, and charges no more than the caller asked for', async () => {
  const caller = await withUsd('1.00');
  const words = chatChunk({ content: 'word '.repeat(2_000) });
  upstream.script(() =>
    eventStream([words], async (controller) => {
      for (let each = 0; each < 1_000; each++) {
        controller.enqueue(new TextEncoder().encode(words));
        await new Promise((resolve) => setImmediate(resolve));
      }
    }),
  );
  const body = { ...hello.chat, model: 'scripted-chat', max_tokens: 300, stream: true };
  const stream = await ask(caller, CHAT, body);
  expect(eventsOf(stream.text).at(-1)?.data).toContain('upstream_failed');
  // 300 tokens are about 1,200 bytes. The gateway ends the stream after sixteen times that size,
  // plus the bytes that arrive in the meantime. Without this limit, the upstream would send ten
  // million bytes.
  expect(stream.text.length).toBeGreaterThan(16 * 1_200);
  expect(stream.text.length).toBeLessThan(2_000_000);
  const receipt = await receiptOf(caller, stream.headers.get('x-request-id') ?? '');
  expect(receipt.at('data')).toMatchObject({ outcome: 'upstream_error', cost_estimated: true });
  const { balance } = await nothingHeld(caller);
  // The charge is at most the hold: the price of 300 tokens at $2 per 1M, and of the prompt.
  expect(balance).toBeGreaterThan(1_000_000_000n - 800_000n);
});
