/**
 * Tests embeddings of remote servers: the upstream's request, the caller's answer, and the charge.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import {
  nanoOf,
  newAccountKey,
  nothingHeld,
  receiptOf,
  wallet,
} from './support/history/ledger-views.ts';
import {
  CANARY_KEY,
  type ScriptedUpstream,
  startScriptedUpstream,
} from './support/upstreams/scripted-upstream.ts';
import { ask, at, hello, type Json, post } from './support/wire.ts';

const EMBEDDINGS = '/v2/embeddings';
const model = 'embed-1';

let upstream: ScriptedUpstream;
let gateway: GatewayProcess;

/**
 * Returns the configuration of a model whose embeddings have four dimensions. The scripted upstream
 * serves the model, which costs $1 per 1M tokens.
 */
const sold = (id: string, servedBy: string, more = ''): string => `
  ${id}:
    kind: embedding
    maker: embed
    context_window: 100
    max_inputs: 3
    max_total_tokens: 150
    dimensions: 4
    ${more}
    default_channel: direct
    channels:
      direct:
        price: { input: "1.00" }
        cost: { input: "2.00" }
        routes: [{ upstream: ${servedBy}, model: upstream-model }]
      economical:
        price: { input: "0.50" }
        routes: [{ upstream: failing, model: upstream-model }]
`;

beforeAll(async () => {
  upstream = await startScriptedUpstream();
  const server = (name: string, more: string): string =>
    `  ${name}: { protocol: openai, base_url: "http://${upstream.host}/${name}", api_key: "${CANARY_KEY}", allow_private: true, ${more} }\n`;
  gateway = await startGateway({
    config: upstream.config({
      '\nupstreams:\n': `\nlimits: { answer_size: 64KiB }\nupstreams:\n${server('plain', 'make: openai')}${server('vllm', 'make: vllm, pass: [best]')}${server('failing', 'make: openai')}${server('broken', 'make: openai')}`,
      '\nmodels:\n': `\nmodels:\n${sold('four', 'plain', 'min_dimensions: 2')}${sold('fixed', 'vllm')}${sold('broken', 'broken')}${sold('wide', 'plain').replace('dimensions: 4', 'dimensions: 1024')}`,
    }),
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  upstream.stop();
});

const VECTOR = [0.5, -0.25, 0.125, 1];
const BASE64 = Buffer.from(new Float32Array(VECTOR).buffer).toString('base64');
const answered = (embeddings: readonly unknown[], more: Json = {}): Response =>
  Response.json({
    object: 'list',
    data: embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding })),
    model: 'upstream-model',
    usage: { prompt_tokens: 7, total_tokens: 7 },
    ...more,
  });

beforeEach(() => {
  upstream.script(({ path, body }) => {
    if (path.startsWith('/failing')) return Response.json({ error: {} }, { status: 500 });
    const input = at(body, 'input');
    const isOne = typeof input === 'string' || typeof at(input, '0') === 'number';
    return answered(Array.from({ length: isOne ? 1 : (input as unknown[]).length }, () => VECTOR));
  });
});

/** Sends a request. Returns the answer, the charge, and the requests that the upstream received. */
async function charged(body: Json, headers: Readonly<Record<string, string>> = {}) {
  const before = await wallet(gateway);
  const calls = upstream.calls.length;
  const answer = await ask(gateway, EMBEDDINGS, body, headers);
  const after = await nothingHeld(gateway);
  const sent = upstream.calls.slice(calls);
  return { answer, cost: before.balance - after.balance, sent };
}

describe('an upstream', () => {
  test('gets the bytes of the input, its own model name, and no unknown field', async () => {
    const input = '["caf\\u00e9",  "\u4f60\u597d"]';
    const body = `{"model":"four","input":${input},"user":"u1","dimensions":2,"encoding_format":null,"best":1,"provider":{"channel":"direct","sort":"price"}}`;
    const answer = await ask(gateway, EMBEDDINGS, body);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ignored-fields')).toBe('best, provider.sort');
    const { path, headers, body: sent } = upstream.calls.at(-1) ?? {};
    expect(path).toBe('/plain/embeddings');
    expect(headers?.get('authorization')).toBe(`Bearer ${CANARY_KEY}`);
    const user = expect.stringMatching(/^[0-9a-f]{32}$/);
    expect(sent).toEqual({ model: 'upstream-model', input: ['café', '你好'], user, dimensions: 2 });
    expect(answer.text).not.toContain('upstream-model');
    expect(answer.at('model')).toBe('four');
  });

  test('gets fields of its make, and those that the operator passes', async () => {
    const { sent, answer } = await charged({
      ...{ model: 'fixed', input: 'a', truncate_prompt_tokens: 9, best: 1, dimensions: 4 },
    });
    expect(answer.headers.get('x-ignored-fields')).toBeNull();
    expect(sent.map(({ body }) => body)).toEqual([
      { model: 'upstream-model', input: 'a', truncate_prompt_tokens: 9, best: 1 },
    ]);
    const refused = await charged({ model: 'fixed', input: 'a', cache_salt: 'x' });
    expect([refused.answer.status, refused.answer.at('error.param'), refused.sent]).toEqual([
      ...[400, 'cache_salt', []],
    ]);
  });

  test('is charged for the tokens that it counts', async () => {
    const { answer, cost } = await charged({ model: 'four', input: ['a', 'b'] });
    expect(answer.at('data.1.embedding')).toEqual(VECTOR);
    expect(cost).toBe(7_000n);
    expect(answer.at('usage')).toMatchObject({ prompt_tokens: 7, total_tokens: 7 });
    expect(nanoOf(answer.at('usage.cost_exact'))).toBe(7_000n);
  });

  test.each([
    ['none', {}, 3, true],
    ['null', { usage: null }, 3, true],
    ['an implausible count', { usage: { prompt_tokens: 1e9 } }, 3, true],
    ['a negative count', { usage: { prompt_tokens: -1 } }, 3, true],
    ['only a total', { usage: { total_tokens: 9 } }, 9, false],
    ['zero', { usage: { prompt_tokens: 0, total_tokens: 0 } }, 3, true],
    ['zero and a total', { usage: { prompt_tokens: 0, total_tokens: 9 } }, 9, false],
  ])('reports %s as usage', async (name, more, tokens, estimated) => {
    upstream.script(() => answered([VECTOR], name === 'none' ? { usage: undefined } : more));
    const { answer, cost } = await charged({ model: 'four', input: 'twelve bytes' });
    expect(cost).toBe(BigInt(tokens) * 1000n);
    expect(answer.at('usage')).toMatchObject({ prompt_tokens: tokens, total_tokens: tokens });
    expect(answer.at('usage.cost_estimated') === true).toBe(estimated);
    expect(answer.headers.get('x-estimated')).toBe(estimated ? 'true' : null);
    const receipt = await receiptOf(gateway, answer.headers.get('x-request-id') ?? '');
    expect(receipt.at('data.cost_estimated')).toBe(estimated);
  });

  test('may answer in the other encoding, which the gateway changes', async () => {
    const ofNumbers = await charged({
      model: 'four',
      input: ['a', 'b'],
      encoding_format: 'base64',
    });
    expect(ofNumbers.answer.at('data.0.embedding')).toBe(BASE64);
    expect(ofNumbers.answer.at('data.1')).toEqual({
      ...{ object: 'embedding', index: 1, embedding: BASE64 },
    });
    upstream.script(() => answered([BASE64, BASE64]));
    const ofText = await charged({ model: 'four', input: ['a', 'b'] });
    expect(ofText.answer.at('data.1.embedding')).toEqual(VECTOR);
  });

  test('that sends digits for base64 gets only as many inputs as the answer may hold', async () => {
    const wide = Array.from({ length: 1024 }, () => -1.2345678918063641e-7);
    upstream.script(({ body }) => answered((at(body, 'input') as unknown[]).map(() => wide)));
    const send = (count: number) =>
      charged({ model: 'wide', encoding_format: 'base64', input: Array(count).fill('a') });
    const failed = await send(3);
    expect([failed.answer.status, failed.cost, failed.sent.length]).toEqual([502, 0n, 1]);
    const refused = await send(3);
    expect([refused.answer.status, refused.sent]).toEqual([400, []]);
    expect(String(refused.answer.at('error.message'))).toEndWith('send at most 2 inputs at once.');
    expect((await send(2)).answer.status).toBe(200);
    // After an update, the server sends base64 as requested.
    const wideText = Buffer.from(new Float32Array(wide).buffer).toString('base64');
    upstream.script(({ body }) => answered((at(body, 'input') as unknown[]).map(() => wideText)));
    expect((await send(2)).answer.status).toBe(200);
    expect((await send(3)).answer.status).toBe(200);
  });

  test.each([
    ['too few embeddings', () => answered([VECTOR])],
    ['none', () => answered([])],
    ['no list', () => Response.json({ object: 'list' })],
    ['both encodings', () => answered([VECTOR, BASE64])],
    ['neither encoding', () => answered([7, 8])],
    ['an error', () => Response.json({ error: { message: `no ${CANARY_KEY}` } })],
    ['no JSON', () => new Response('<html>')],
    ['half of its JSON', () => new Response('{"data":[{"embedding":[1')],
  ])('that answers with %s is free, and leaks nothing', async (_name, script) => {
    upstream.script(script);
    const { answer, cost } = await charged({ model: 'broken', input: ['a', 'b'] });
    expect([answer.status, cost]).toEqual([502, 0n]);
    expect(answer.text).not.toContain(CANARY_KEY);
    expect(answer.text).not.toContain('upstream-model');
  });

  test('that fails is followed by the default channel, at its price', async () => {
    const { answer, cost, sent } = await charged({
      ...{ model: 'four', input: 'a', provider: { channel: 'economical' } },
    });
    expect(answer.headers.get('x-channel')).toBe('direct');
    expect(sent.at(0)?.path).toBe('/failing/embeddings');
    expect(sent.at(-1)?.path).toBe('/plain/embeddings');
    expect(cost).toBe(7_000n);
  });

  test('runs once for an Idempotency-Key', async () => {
    const headers = { 'idempotency-key': 'embed-once' };
    const first = await charged({ model: 'four', input: 'a' }, headers);
    const again = await charged({ model: 'four', input: 'a' }, headers);
    expect(again.answer.text).toBe(first.answer.text);
    expect([first.cost, again.cost, again.sent]).toEqual([7_000n, 0n, []]);
  });

  test('is charged for its input when the caller leaves', async () => {
    const begun = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    upstream.script(async () => {
      begun.resolve();
      await left.promise;
      return answered([VECTOR]);
    });
    const before = await wallet(gateway);
    const aborted = new AbortController();
    const asked = post(gateway, EMBEDDINGS, { model: 'four', input: 'a' }, {}, aborted.signal);
    await begun.promise;
    aborted.abort();
    await asked.catch(() => undefined);
    left.resolve();
    const after = await nothingHeld(gateway);
    expect(before.balance - after.balance).toBeGreaterThan(0n);
    expect(before.balance - after.balance).toBeLessThanOrEqual(7_000n);
  });
});

describe('refuses, without a call or a charge,', () => {
  const many = Array.from({ length: 4 }, () => 'a');
  test.each<[string, Json, string, string]>([
    ['no input', {}, 'missing_required_parameter', 'input'],
    ['input null', { input: null }, 'missing_required_parameter', 'input'],
    ['an empty text', { input: '' }, 'invalid_value', 'input'],
    ['an empty list', { input: [] }, 'invalid_value', 'input'],
    ['an empty text in a list', { input: ['a', ''] }, 'invalid_value', 'input[1]'],
    ['an empty list of tokens', { input: [[1], []] }, 'invalid_value', 'input[1]'],
    ['a number', { input: 5 }, 'invalid_value', 'input'],
    ['an object', { input: { text: 'a' } }, 'invalid_value', 'input'],
    ['null in a list', { input: ['a', null] }, 'invalid_value', 'input[1]'],
    ['texts and tokens', { input: ['a', 1] }, 'invalid_value', 'input[1]'],
    ['tokens and texts', { input: [1, 'a'] }, 'invalid_value', 'input[1]'],
    ['lists and tokens', { input: [[1], 2] }, 'invalid_value', 'input[1]'],
    ['texts and lists', { input: ['a', [1]] }, 'invalid_value', 'input[1]'],
    ['a negative token', { input: [1, -2] }, 'invalid_value', 'input[1]'],
    ['a negative token in a list', { input: [[1], [3, -2]] }, 'invalid_value', 'input[1][1]'],
    ['half a token', { input: [1.5] }, 'invalid_value', 'input[0]'],
    ['a huge token', { input: [1e21] }, 'invalid_value', 'input[0]'],
    ['too many inputs', { input: many }, 'invalid_value', 'input'],
    [
      'too many tokens',
      { input: [[1], Array(101).fill(1)] },
      'context_length_exceeded',
      'input[1]',
    ],
    [
      'too many in all',
      { input: [Array(90).fill(1), Array(90).fill(1)] },
      'context_length_exceeded',
      'input',
    ],
    ['a long text', { input: 'x'.repeat(2401) }, 'context_length_exceeded', 'input'],
    ['dimensions of 0', { input: 'a', dimensions: 0 }, 'invalid_value', 'dimensions'],
    ['too few dimensions', { input: 'a', dimensions: 1 }, 'invalid_value', 'dimensions'],
    ['too many dimensions', { input: 'a', dimensions: 5 }, 'invalid_value', 'dimensions'],
    ['dimensions as text', { input: 'a', dimensions: '4' }, 'invalid_value', 'dimensions'],
    [
      'another encoding',
      { input: 'a', encoding_format: 'int8' },
      'invalid_value',
      'encoding_format',
    ],
    ['a user that is a number', { input: 'a', user: 5 }, 'invalid_value', 'user'],
    ['a variant of a name', { input: 'a', Model: 'dear' }, 'unsupported_parameter', 'Model'],
    [
      'a channel that is a number',
      { input: 'a', provider: { channel: 1 } },
      'invalid_value',
      'provider.channel',
    ],
  ])('%s', async (_name, body, code, param) => {
    const { answer, cost, sent } = await charged({ model: 'four', ...body });
    expect([answer.status, answer.at('error.code'), answer.at('error.param')]).toEqual([
      ...[400, code, param],
    ]);
    expect([cost, sent]).toEqual([0n, []]);
    expect(String(answer.at('error.message')).length).toBeLessThan(300);
  });

  test('another number of dimensions for a model of one', async () => {
    const { answer, sent } = await charged({ model: 'fixed', input: 'a', dimensions: 2 });
    expect([answer.status, answer.at('error.param'), sent]).toEqual([400, 'dimensions', []]);
  });

  test('models of other kinds, and embedding models elsewhere, with the right endpoint', async () => {
    const chat = await ask(gateway, EMBEDDINGS, { model: 'gen-v4-pro', input: 'a' });
    const image = await ask(gateway, EMBEDDINGS, { model: 'img-2', input: 'a' });
    const asChat = await ask(gateway, '/v2/chat/completions', { ...hello.chat, model });
    const asMessages = await ask(gateway, '/v1/messages', { ...hello.messages, model });
    const asImage = await ask(gateway, '/v2/images/generations', { ...hello.image, model });
    const answers = [chat, image, asChat, asMessages, asImage];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    expect(String(chat.at('error.message'))).toContain('/v2/chat/completions');
    expect(String(image.at('error.message'))).toContain('/v2/images/generations');
    for (const each of [asChat, asMessages, asImage])
      expect(String(each.at('error.message'))).toContain('/v2/embeddings');
  });

  test('an empty wallet, with what it could afford', async () => {
    const key = await newAccountKey(gateway, null);
    const answer = await ask({ ...gateway, key }, EMBEDDINGS, { model: 'four', input: 'a' });
    expect([answer.status, answer.at('error.code')]).toEqual([402, 'insufficient_balance']);
    expect(answer.at('error.affordable_input_tokens')).toBe(0);
  });

  test('a key that may not use the model', async () => {
    const credit = { amount: '1', currency: 'USD' };
    const key = await newAccountKey(gateway, credit, { limits: { models: ['gen-v4-pro'] } });
    const answer = await ask({ ...gateway, key }, EMBEDDINGS, { model: 'four', input: 'a' });
    expect(answer.status).toBe(403);
  });
});
