/**
 * Tests the built-in embedding model with official clients: answers, limits, price and catalogue
 * entry.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenAIEmbeddings } from '@langchain/openai';
import { cosineSimilarity, embed, embedMany } from 'ai';
import OpenAI from 'openai';
import OpenAI4 from 'openai-4';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import {
  breaches,
  nanoOf,
  newAccountKey,
  nothingHeld,
  receiptOf,
  wallet,
} from './support/history/ledger-views.ts';
import { metricsText } from './support/metrics-text.ts';
import { ask, get } from './support/wire.ts';

const EMBEDDINGS = '/v2/embeddings';
const model = 'embed-1';
const TEXTS = ['The cat sleeps on the sofa', 'A cat sleeping on a sofa', 'Interest rates rose'];

/**
 * The part of the embeddings client that both tested versions of the OpenAI library have in common.
 */
type Created = {
  create(body: OpenAI.EmbeddingCreateParams): PromiseLike<OpenAI.CreateEmbeddingResponse>;
};

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

/** Sends a request with this input. Returns the answer and the charge. */
async function charged(input: unknown) {
  const before = await wallet(gateway);
  const answer = await ask(gateway, EMBEDDINGS, { model, input });
  const after = await nothingHeld(gateway);
  return { answer, cost: before.balance - after.balance };
}

describe('the built-in model', () => {
  test.each([
    [
      'version 7',
      () => new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey: gateway.key }).embeddings,
    ],
    [
      'version 4',
      () => new OpenAI4({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key }).embeddings,
    ],
  ])('answers the OpenAI library, %s, which asks for base64 unasked', async (_name, make) => {
    const embeddings: Created = make();
    const answer = await embeddings.create({ model, input: [...TEXTS] });
    expect(answer.model).toBe(model);
    expect(answer.data.map(({ index, embedding }) => [index, embedding.length])).toEqual([
      [0, 1536],
      [1, 1536],
      [2, 1536],
    ]);
    const [cat, cats, rates] = answer.data.map(({ embedding }) => Array.from(embedding));
    if (cat === undefined || cats === undefined || rates === undefined) throw new Error('none');
    expect(cosineSimilarity(cat, cats)).toBeGreaterThan(cosineSimilarity(cat, rates) + 0.3);
    const float = await embeddings.create({
      ...{ model, input: TEXTS[0] ?? '', encoding_format: 'float' as const },
    });
    expect(float.data[0]?.embedding).toHaveLength(cat.length);
    for (const [at, number] of (float.data[0]?.embedding ?? []).entries())
      expect(number).toBeCloseTo(cat[at] ?? Number.NaN, 6);
    const short = await embeddings.create({ model, input: 'short', dimensions: 256 });
    expect(short.data[0]?.embedding).toHaveLength(256);
  });

  test('serves embed and embedMany of the AI SDK', async () => {
    const settings = { baseURL: `${gateway.url}/v2`, apiKey: gateway.key };
    const models = [
      createOpenAI(settings).embedding(model),
      createOpenAICompatible({ name: 'modelgate', ...settings }).embeddingModel(model),
    ];
    for (const each of models) {
      const one = await embed({ model: each, value: TEXTS[0] ?? '' });
      const { embeddings, usage } = await embedMany({ model: each, values: [...TEXTS] });
      expect(embeddings.map(({ length }) => length)).toEqual([1536, 1536, 1536]);
      expect(embeddings[0]).toEqual(one.embedding);
      expect(usage.tokens).toBeGreaterThan(one.usage.tokens);
    }
  });

  test('serves OpenAIEmbeddings of LangChain', async () => {
    const made = new OpenAIEmbeddings({
      ...{ model, apiKey: gateway.key, configuration: { baseURL: `${gateway.url}/v2` } },
    });
    const [first, second, other] = await made.embedDocuments([...TEXTS]);
    const query = await made.embedQuery(TEXTS[0] ?? '');
    expect(query).toEqual(first ?? []);
    if (second === undefined || other === undefined) throw new Error('none');
    expect(cosineSimilarity(query, second)).toBeGreaterThan(cosineSimilarity(query, other));
  });

  test('is charged by its input, and says the same in body, header and receipt', async () => {
    const { answer, cost } = await charged('Hello there, world');
    expect(answer.status).toBe(200);
    const tokens = Number(answer.at('usage.prompt_tokens'));
    expect(tokens).toBeGreaterThan(2);
    expect(cost).toBe(BigInt(tokens) * 20n);
    expect(nanoOf(answer.at('usage.cost_exact'))).toBe(cost);
    expect(answer.headers.get('x-cost')).toBe(`${answer.at('usage.cost_exact')} USD`);
    const receipt = await receiptOf(gateway, answer.headers.get('x-request-id') ?? '');
    expect(receipt.at('data')).toMatchObject({
      ...{ endpoint: 'embeddings', model, cost_estimated: false, images: null },
      usage_buckets: { input: tokens, output: 0 },
    });
    expect(nanoOf(receipt.at('data.cost_exact'))).toBe(cost);
    expect(await breaches(gateway)).toEqual([]);
    const metrics = await metricsText(gateway);
    expect(metrics).toMatch(new RegExp(`endpoint="embeddings",[^}]*model="${model}"`));
  });

  test('refuses an input of too many tokens, and a single one of a list by its place', async () => {
    const long = 'word '.repeat(9000);
    const { answer, cost } = await charged(['fine', long]);
    expect([answer.status, answer.at('error.code'), cost]).toEqual([
      ...[400, 'context_length_exceeded', 0n],
    ]);
    expect(answer.at('error.param')).toBe('input[1]');
  });
});

test('takes 300,000 tokens in lists, and counts them against the limits of the key', async () => {
  const list = (length: number) => Array.from({ length }, (_, at) => at % 100_000);
  const input = Array.from({ length: 40 }, () => list(7_500));
  const answer = await ask(gateway, EMBEDDINGS, { model, input, dimensions: 256 });
  expect([answer.status, answer.at('usage.prompt_tokens')]).toEqual([200, 300_000]);
  const more = await ask(gateway, EMBEDDINGS, { model, input: [...input, [1]] });
  expect([more.status, more.at('error.code')]).toEqual([400, 'context_length_exceeded']);
  const credit = { amount: '1', currency: 'USD' };
  const key = await newAccountKey(gateway, credit, { limits: { tokens_per_minute: 100 } });
  const limited = await ask({ ...gateway, key }, EMBEDDINGS, { model, input: list(101) });
  expect(limited.status).toBe(429);
});

test('the catalogue lists the model with its limits and its price', async () => {
  const found = await get(gateway, `/v1/models/${model}`);
  expect(JSON.parse(found.text)).toMatchObject({
    ...{ id: model, kind: 'embedding', context_length: 8192, max_output_tokens: null },
    ...{ max_inputs: 2048, max_total_tokens: 300_000, dimensions: 1536, min_dimensions: 256 },
    ...{ input_modalities: ['text'], output_modalities: ['embeddings'] },
    channels: [{ example: true, price: { unit: '1M tokens', input: '0.020', output: null } }],
  });
  const text = await get(gateway, '/llms.txt');
  expect(text.text).toContain('embeddings of 1536 dimensions (a request may ask for 256 or more)');
});
