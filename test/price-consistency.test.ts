/**
 * Tests that a request has the same price everywhere, to the last digit: the catalogue price times
 * the usage, the cost in the answer, the cost in `/v1/generation`, and the decrease of the wallet.
 * The calculations in this file share no code with the gateway.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import {
  breaches,
  nanoOf,
  newAccountKey,
  receiptOf,
  wallet,
} from './support/history/ledger-views.ts';
import {
  type Answer,
  ask,
  at,
  CHAT,
  get,
  hello,
  IMAGES,
  listAt,
  MESSAGES,
  payloads,
} from './support/wire.ts';

/** The exchange rate in CNY per USD, times 10^4. */
const FX = 71_234n;

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway({ config: shippedConfig({ '"7.1000"': '"7.1234"' }) });
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

type Counts = {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
};

async function listed(model: string, channel: string): Promise<unknown> {
  const found = await get(gateway, `/v2/models/${model}`);
  return listAt(JSON.parse(found.text), 'channels').find((each) => at(each, 'channel') === channel);
}

/**
 * Converts a decimal such as `1.32` to an integer number of units of 10^-digits, such as 132 if
 * `digits` is 2.
 */
function scaled(decimal: unknown, digits: number): bigint {
  const [whole = '', fraction = ''] = String(decimal).split('.');
  if (!/^\d+$/.test(whole) || !/^\d*$/.test(fraction) || fraction.length > digits)
    throw new Error(`no price: ${String(decimal)}`);
  return BigInt(whole + fraction.padEnd(digits, '0'));
}

function halfEven(numerator: bigint, denominator: bigint): bigint {
  const low = numerator / denominator;
  const rest = (numerator - low * denominator) * 2n;
  const up = rest > denominator || (rest === denominator && low % 2n === 1n);
  return up ? low + 1n : low;
}

/**
 * Returns the price of the usage in pico-units. Catalogue prices are per million tokens with 6
 * decimals, so one unit of the last decimal is one pico-unit per token.
 */
function picoOf(price: unknown, { input, output, cacheRead, cacheWrite }: Counts): bigint {
  const rate = (name: string, otherwise: string): bigint =>
    scaled(at(price, name) ?? at(price, otherwise), 6);
  return (
    BigInt(input) * rate('input', 'input') +
    BigInt(output) * rate('output', 'output') +
    BigInt(cacheRead) * rate('cache_read', 'input') +
    BigInt(cacheWrite) * rate('cache_write', 'input')
  );
}

const digits = (nano: bigint): string =>
  `${nano / 1_000_000_000n}.${String(nano % 1_000_000_000n).padStart(9, '0')}`;

const chatCounts = (usage: unknown): Counts => {
  const cacheRead = Number(at(usage, 'prompt_tokens_details.cached_tokens'));
  const cacheWrite = Number(at(usage, 'prompt_tokens_details.cache_write_tokens'));
  return {
    input: Number(at(usage, 'prompt_tokens')) - cacheRead - cacheWrite,
    output: Number(at(usage, 'completion_tokens')),
    cacheRead,
    cacheWrite,
  };
};

const messagesCounts = (usage: unknown): Counts => ({
  input: Number(at(usage, 'input_tokens')),
  output: Number(at(usage, 'output_tokens')),
  cacheRead: Number(at(usage, 'cache_read_input_tokens')),
  cacheWrite: Number(at(usage, 'cache_creation_input_tokens')),
});

type Sale = {
  readonly answer: Answer;
  readonly model: string;
  readonly channel: string;
  readonly currency: 'USD' | 'CNY';
  readonly nano: bigint;
  readonly pico: bigint;
  readonly before: bigint;
  readonly key: string;
};

/**
 * Expects the same amount in the response header, in the receipt and in the decrease of the wallet.
 */
async function expectSold(sale: Sale): Promise<Answer> {
  const { answer, model, channel, currency, nano, key } = sale;
  const card = at(await listed(model, channel), 'price_card');
  expect(answer.headers.get('x-channel')).toBe(channel);
  expect(answer.headers.get('x-price-card')).toBe(String(card));
  const receipt = await receiptOf(
    { url: gateway.url, key },
    answer.headers.get('x-request-id') ?? '',
  );
  expect(receipt.at('data')).toMatchObject({
    model,
    channel,
    outcome: 'completed',
    price_card: card,
    cost_exact: digits(nano),
    cost_currency: currency,
    cost_estimated: false,
  });
  expect(scaled(receipt.at('data.cost_unrounded'), 12)).toBe(sale.pico);
  const after = await wallet({ url: gateway.url, key }, currency);
  expect(after).toEqual({ balance: sale.before - nano, held: 0n });
  expect(await breaches(gateway)).toEqual([]);
  return receipt;
}

const LETTER = 'The rules of the house are many. '.repeat(1_500);

describe('the same cost everywhere', () => {
  test('for chat in USD, on the default and on another channel, with cached input at its own rate', async () => {
    const messages = [{ role: 'user', content: `${LETTER} What do they say?` }];
    let cached = 0;
    for (const channel of ['direct', 'direct', 'economical']) {
      const { balance: before } = await wallet(gateway);
      const body = { model: 'gen-opus-4-8', messages, provider: { channel } };
      const answer = await ask(gateway, CHAT, body);
      const counts = chatCounts(answer.at('usage'));
      cached += counts.cacheRead;
      const pico = picoOf(at(await listed('gen-opus-4-8', channel), 'price'), counts);
      const nano = halfEven(pico, 1_000n);
      expect(answer.at('usage.cost_exact')).toBe(digits(nano));
      expect(answer.at('usage.cost_currency')).toBe('USD');
      expect(answer.at('usage.cost')).toBe(Number(pico) / 1e12);
      expect(answer.headers.get('x-cost')).toBe(`${digits(nano)} USD`);
      const sale = { model: 'gen-opus-4-8', channel, currency: 'USD', key: gateway.key } as const;
      await expectSold({ ...sale, answer, nano, pico, before });
    }
    expect(cached).toBeGreaterThan(5_000);
  });

  test('in the last usage of a chat stream', async () => {
    const { balance: before } = await wallet(gateway);
    const more = { stream: true, stream_options: { include_usage: true } };
    const answer = await ask(gateway, CHAT, { ...hello.chat, ...more });
    const usage = at(payloads(answer.text).at(-1), 'usage');
    const pico = picoOf(at(await listed('gen-opus-4-8', 'direct'), 'price'), chatCounts(usage));
    const nano = halfEven(pico, 1_000n);
    expect(at(usage, 'cost_exact')).toBe(digits(nano));
    const sale = { model: 'gen-opus-4-8', channel: 'direct', currency: 'USD' } as const;
    await expectSold({ ...sale, answer, nano, pico, before, key: gateway.key });
  });

  test('for messages that write a cache, then read it', async () => {
    const marked = [{ type: 'text', text: LETTER, cache_control: { type: 'ephemeral' } }];
    const body = { ...hello.messages, model: 'gen-sonnet-5', system: marked };
    const seen = { read: 0, written: 0 };
    for (const stream of [false, false, true]) {
      const { balance: before } = await wallet(gateway);
      const answer = await ask(gateway, MESSAGES, { ...body, stream });
      const events = stream ? payloads(answer.text) : [];
      const start = at(events[0], 'message.usage');
      const last = at(events.at(-2), 'usage');
      const usage = stream ? { ...Object(start), ...Object(last) } : answer.at('usage');
      const counts = messagesCounts(usage);
      seen.read += counts.cacheRead;
      seen.written += counts.cacheWrite;
      const pico = picoOf(at(await listed('gen-sonnet-5', 'direct'), 'price'), counts);
      const nano = halfEven(pico, 1_000n);
      expect(at(usage, 'cost_exact')).toBe(digits(nano));
      if (!stream) expect(answer.headers.get('x-cost')).toBe(`${digits(nano)} USD`);
      const sale = { model: 'gen-sonnet-5', channel: 'direct', currency: 'USD' } as const;
      await expectSold({ ...sale, answer, nano, pico, before, key: gateway.key });
    }
    expect(seen.written).toBeGreaterThan(5_000);
    expect(seen.read).toBe(seen.written * 2);
  });

  test('for a model settled in CNY: the USD card, converted once at the fixed rate', async () => {
    const key = await newAccountKey(gateway, { amount: '50', currency: 'CNY' });
    for (const channel of ['direct', 'economical']) {
      const { balance: before } = await wallet({ url: gateway.url, key }, 'CNY');
      const body = { ...hello.chat, model: 'gen-v4-pro', provider: { channel } };
      const answer = await ask({ url: gateway.url, key }, CHAT, body);
      const counts = chatCounts(answer.at('usage'));
      const pico = picoOf(at(await listed('gen-v4-pro', channel), 'price'), counts);
      const nano = halfEven(pico * FX, 1_000n * 10_000n);
      expect(answer.at('usage.cost_exact')).toBe(digits(nano));
      expect(answer.at('usage.cost_currency')).toBe('CNY');
      expect(answer.headers.get('x-cost')).toBe(`${digits(nano)} CNY`);
      const sale = { model: 'gen-v4-pro', channel, currency: 'CNY' } as const;
      const receipt = await expectSold({ ...sale, answer, nano, pico, before, key });
      expect(receipt.at('data.fx_rate')).toBeString();
    }
  });

  test('for a CNY model paid from a USD wallet, and the ledger balances', async () => {
    const key = await newAccountKey(gateway, { amount: '50', currency: 'USD' });
    const before = await wallet({ url: gateway.url, key }, 'USD');
    const answer = await ask({ url: gateway.url, key }, CHAT, {
      ...hello.chat,
      model: 'gen-v4-flash',
    });
    const price = at(await listed('gen-v4-flash', 'direct'), 'price');
    const pico = picoOf(price, chatCounts(answer.at('usage')));
    expect(answer.at('usage.cost_exact')).toBe(digits(halfEven(pico * FX, 1_000n * 10_000n)));
    const [usd, cny] = await Promise.all([
      wallet({ url: gateway.url, key }, 'USD'),
      wallet({ url: gateway.url, key }, 'CNY'),
    ]);
    expect([usd.held, cny.held]).toEqual([0n, 0n]);
    const spent = before.balance - usd.balance;
    expect(spent).toBeGreaterThan(0n);
    // The gateway buys CNY for the request and leaves the remainder in the caller's CNY wallet. The
    // cost plus the remainder equals the spent USD at the exchange rate, except for rounding by at
    // most one nano-USD.
    const bought = nanoOf(answer.at('usage.cost_exact')) + cny.balance;
    const worth = (spent * FX) / 10_000n;
    expect(worth - bought).toBeLessThanOrEqual(8n);
    expect(worth - bought).toBeGreaterThanOrEqual(-1n);
    expect(await breaches(gateway)).toEqual([]);
  });

  test('for images, by count, size and quality', async () => {
    for (const { model, n, size, quality } of [
      { model: 'img-2', n: 3, size: '512x512', quality: null },
      { model: 'img-3', n: 1, size: '1024x1024', quality: 'hd' },
      { model: 'img-3', n: 1, size: '1024x1024', quality: null },
    ]) {
      const { balance: before } = await wallet(gateway);
      const answer = await ask(gateway, IMAGES, { model, prompt: 'a red boat', n, size, quality });
      const key = quality === null ? size : `${size}/${quality}`;
      const prices = Object(at(await listed(model, 'direct'), 'price.per_image'));
      const nano = scaled(prices[key], 9) * BigInt(n);
      expect(listAt(JSON.parse(answer.text), 'data')).toHaveLength(n);
      expect(answer.headers.get('x-cost')).toBe(`${digits(nano)} USD`);
      const sale = { model, channel: 'direct', currency: 'USD', key: gateway.key } as const;
      const receipt = await expectSold({ ...sale, answer, nano, pico: nano * 1_000n, before });
      expect(receipt.at('data.images')).toEqual({ count: n, price_key: key });
    }
  });
});
