/**
 * Tests the `AzureOpenAI` client of the npm package `openai`, which has its own endpoint, key
 * header, paths and API versions.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import OpenAI, { AzureOpenAI, toFile } from 'openai';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';

const MODEL = 'gen-v4-pro';
const messages = [{ role: 'user' as const, content: 'Say hello.' }];
let gateway: GatewayProcess;

beforeAll(async () => {
  gateway = await startGateway({ config: shippedConfig() });
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

const client = (options: { readonly deployment?: string; readonly apiKey?: string } = {}) =>
  new AzureOpenAI({
    endpoint: gateway.url,
    apiKey: gateway.key,
    apiVersion: '2025-04-01-preview',
    maxRetries: 0,
    ...options,
  });

test('completes and streams on the deployment that the request names as its model', async () => {
  const completion = await client().chat.completions.create({ model: MODEL, messages });
  expect(completion.model).toBe(MODEL);
  expect(completion.choices[0]?.message.content).toBeTruthy();
  let text = '';
  for await (const { choices } of await client().chat.completions.create({
    ...{ model: MODEL, messages, stream: true },
    stream: true,
  })) {
    text += choices[0]?.delta.content ?? '';
  }
  expect(text).not.toBe('');
});

test('answers as the deployment of the client, whatever model the body names', async () => {
  const azure = client({ deployment: MODEL });
  for (const model of ['', 'gen-v4-flash']) {
    const completion = await azure.chat.completions.create({ model, messages });
    expect(completion.model).toBe(MODEL);
  }
});

test('embeds texts, draws and edits images and lists models', async () => {
  const embedded = await client().embeddings.create({ model: 'embed-1', input: ['a', 'b'] });
  expect(embedded.data.map(({ index }) => index)).toEqual([0, 1]);
  const { data } = await client().images.generate({
    ...{ model: 'img-2', prompt: 'A red cube', size: '256x256', response_format: 'b64_json' },
  });
  expect(data?.[0]?.b64_json).toStartWith('iVBOR');
  const png = Buffer.from(data?.[0]?.b64_json ?? '', 'base64');
  for (const [azure, model] of [
    [client(), 'img-2'],
    [client({ deployment: 'img-2' }), 'none'],
  ] as const) {
    const image = await toFile(png, 'cube.png', { type: 'image/png' });
    const edited = await azure.images.edit({ model, prompt: 'blue', image, size: '256x256' });
    expect(edited.data?.[0]?.b64_json).toStartWith('iVBOR');
  }
  const ids = (await client().models.list()).data.map(({ id }) => id);
  expect(ids).toContain(MODEL);
});

test('reports unknown deployments and keys as the protocol does', async () => {
  const refusal = (asked: Promise<unknown>) =>
    asked.then(
      () => null,
      ({ status, code }) => [status, code],
    );
  const unknown = client({ deployment: 'gen-none' });
  expect(await refusal(unknown.chat.completions.create({ model: '', messages }))).toEqual([
    404,
    'model_not_found',
  ]);
  const stranger = client({ apiKey: 'sk-mg-none' });
  expect(await refusal(stranger.chat.completions.create({ model: MODEL, messages }))).toEqual([
    401,
    'invalid_api_key',
  ]);
});

test('the v1 API takes an ordinary client with either credential', async () => {
  const v1 = { baseURL: `${gateway.url}/openai/v1`, maxRetries: 0 };
  for (const openai of [
    new OpenAI({ ...v1, apiKey: gateway.key }),
    new OpenAI({
      ...v1,
      apiKey: 'unused',
      defaultHeaders: { authorization: null, 'api-key': gateway.key },
    }),
  ]) {
    const completion = await openai.chat.completions.create({ model: MODEL, messages });
    expect(completion.model).toBe(MODEL);
  }
});
