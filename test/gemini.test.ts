/**
 * Tests Google's client `@google/genai`, which Gemini CLI uses. Only the client's base URL and API
 * key are set.
 */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  ApiError,
  type Content,
  FunctionCallingConfigMode,
  GoogleGenAI,
  type Part,
  Type,
} from '@google/genai';
import { eventually } from './support/eventually.ts';
import {
  type GatewayProcess,
  shippedConfig,
  startGateway,
} from './support/gateways/gateway-process.ts';
import { PIXEL_PNG } from './support/samples.ts';
import { post } from './support/wire.ts';

let gateway: GatewayProcess;
beforeAll(async () => {
  gateway = await startGateway({ config: shippedConfig() });
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

const client = (apiKey = gateway.key, { url } = gateway): GoogleGenAI =>
  new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });

const MODELS = ['gen-opus-4-8', 'gen-v4-pro'];
const WEATHER = {
  name: 'get_weather',
  description: 'The weather of a city.',
  parameters: {
    type: Type.OBJECT,
    properties: { city: { type: Type.STRING }, days: { type: Type.INTEGER, nullable: true } },
    required: ['city'],
  },
};
const forced = {
  tools: [{ functionDeclarations: [WEATHER] }],
  toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY } },
};

async function streamed(model: string, request: object): Promise<readonly Part[]> {
  const parts: Part[] = [];
  let finish: string | undefined;
  for await (const chunk of await client().models.generateContentStream({
    ...{ model, contents: 'Tell me about rivers.' },
    ...request,
  })) {
    parts.push(...(chunk.candidates?.[0]?.content?.parts ?? []));
    finish = chunk.candidates?.[0]?.finishReason ?? finish;
    if (chunk.usageMetadata !== undefined) expect(finish).toBe('STOP');
  }
  expect(finish).toBe('STOP');
  return parts;
}

test.each(MODELS)(
  '%s answers whole and streamed, with the usage that was charged',
  async (model) => {
    const answer = await client().models.generateContent({
      model,
      contents: 'Tell me about rivers.',
    });
    expect(answer.text).toBeTruthy();
    expect(answer.modelVersion).toBe(model);
    expect(String(answer.candidates?.[0]?.finishReason)).toBe('STOP');
    const { promptTokenCount, candidatesTokenCount, totalTokenCount } = answer.usageMetadata ?? {};
    expect(Number(promptTokenCount) + Number(candidatesTokenCount)).toBe(Number(totalTokenCount));
    const charged = await fetch(`${gateway.url}/v1/generation?id=${requestIdOf(answer)}`, {
      headers: { 'x-goog-api-key': gateway.key },
    });
    expect(await charged.json()).toMatchObject({
      data: { tokens_prompt: promptTokenCount, tokens_completion: candidatesTokenCount },
    });
    expect((await streamed(model, {})).map(({ text }) => text).join('')).toBe(answer.text ?? '');
  },
);

const requestIdOf = ({ sdkHttpResponse }: { sdkHttpResponse?: { headers?: object } }): string =>
  String(Object(sdkHttpResponse?.headers)['x-request-id']);

test('a chat of the library remembers a streamed answer', async () => {
  const chat = client().chats.create({ model: 'gen-v4-pro' });
  const message = 'Tell me about rivers.';
  let text = '';
  for await (const chunk of await chat.sendMessageStream({ message })) text += chunk.text ?? '';
  const [asked, ...answered] = chat.getHistory(true);
  expect(asked).toMatchObject({ role: 'user', parts: [{ text: message }] });
  const parts = answered.flatMap((content) => content.parts ?? []);
  expect(parts.map((part) => part.text).join('')).toBe(text);
  expect((await chat.sendMessage({ message: 'And lakes?' })).text).toBeTruthy();
});

test.each(MODELS)('%s calls functions, and reads their results', async (model) => {
  const question: Content = { role: 'user', parts: [{ text: 'The weather in Paris?' }] };
  for (const ask of ['whole', 'streamed']) {
    const request = { model, contents: [question], config: forced };
    const parts =
      ask === 'streamed'
        ? await streamed(model, request)
        : ((await client().models.generateContent(request)).candidates?.[0]?.content?.parts ?? []);
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    expect(calls.map(({ name }) => name)).toContain('get_weather');
    expect(calls[0]?.args).toHaveProperty('city');
    const results = calls.map(({ id, name }) => ({
      functionResponse: { ...(id && { id }), ...(name && { name }), response: { output: 'Sunny' } },
    }));
    const after = await client().models.generateContent({
      model,
      contents: [question, { role: 'model', parts: [...parts] }, { role: 'user', parts: results }],
      config: { tools: forced.tools },
    });
    expect(after.text).toBeTruthy();
  }
});

test('shows thinking when it is asked for, and otherwise only counts it', async () => {
  const think = (includeThoughts: boolean) =>
    streamed('gen-opus-4-8', {
      config: { thinkingConfig: { includeThoughts, thinkingLevel: 'HIGH' } },
    });
  expect((await think(true)).some(({ thought }) => thought === true)).toBe(true);
  expect((await think(false)).some(({ thought }) => thought === true)).toBe(false);
});

test('answers in JSON by a schema, and reads images and instructions', async () => {
  const { text } = await client().models.generateContent({
    model: 'gen-v4-pro',
    contents: 'A city.',
    config: {
      systemInstruction: 'Answer briefly.',
      responseMimeType: 'application/json',
      responseSchema: {
        type: Type.OBJECT,
        properties: { city: { type: Type.STRING } },
        required: ['city'],
      },
      maxOutputTokens: 200,
      temperature: 0.5,
      topP: 0.9,
    },
  });
  expect(JSON.parse(text ?? '')).toHaveProperty('city');
  const seen = await client().models.generateContent({
    model: 'gen-opus-4-8',
    contents: [
      { text: 'What is this?' },
      { inlineData: { mimeType: 'image/png', data: PIXEL_PNG } },
    ],
  });
  expect(seen.text).toBeTruthy();
});

const refusal = async (asked: Promise<unknown>) => {
  const thrown = await asked.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof ApiError)) throw new Error(`not refused: ${thrown}`);
  const { error } = JSON.parse(thrown.message);
  return [thrown.status, error.status, error.details[0].reason, error.details[0].metadata?.param];
};

test('reports errors in the form of Google, with code and field', async () => {
  const ask = (request: object, apiKey?: string) =>
    client(apiKey).models.generateContent({ model: 'gen-v4-pro', contents: 'Hi', ...request });
  expect(await refusal(ask({}, 'sk-mg-none'))).toEqual([
    ...[401, 'UNAUTHENTICATED', 'invalid_api_key', undefined],
  ]);
  expect(await refusal(ask({ model: 'gemini-3-pro' }))).toEqual([
    ...[404, 'NOT_FOUND', 'model_not_found', 'model'],
  ]);
  expect(await refusal(ask({ config: { tools: [{ googleSearch: {} }] } }))).toEqual([
    ...[400, 'INVALID_ARGUMENT', 'unsupported_parameter', 'tools[0].googleSearch'],
  ]);
  expect(await refusal(ask({ config: { cachedContent: 'cachedContents/1' } }))).toEqual([
    ...[400, 'INVALID_ARGUMENT', 'unsupported_parameter', 'cachedContent'],
  ]);
});

test('an error names the field of the caller, not that of the translated request', async () => {
  const ask = async (request: object) => {
    const body = { contents: [{ parts: [{ text: 'Hi' }] }], ...request };
    const answer = await post(gateway, '/v1beta/models/gen-v4-pro:generateContent', body);
    return Object(await answer.json()).error;
  };
  const field = 'generationConfig.maxOutputTokens';
  const refused = await ask({ generationConfig: { maxOutputTokens: 0 } });
  expect(refused.message).toStartWith(`${field}: must be`);
  expect(refused.details[0].metadata.param).toBe(field);
  const named = (name: string, type: string) => ({
    functionDeclarations: [WEATHER, { name, parametersJsonSchema: { type } }],
  });
  const wrong = await ask({ tools: [named('f', 'object'), named('g', 'string')] });
  const at = 'tools[1].functionDeclarations[1].parameters.type';
  expect(wrong.details[0].metadata.param).toBe(at);
  expect(wrong.message).toStartWith(`${at}: `);
  const misplaced = await ask({ temperature: 0 });
  expect(misplaced.message).toBe('temperature: this field is unknown; omit it.');
});

test('what is not offered gets a 404, and a stream must be of events', async () => {
  const call = (path: string) =>
    post(gateway, `/v1beta/models/${path}`, { contents: [{ parts: [{ text: 'Hi' }] }] });
  const unknown = await call('gen-v4-pro:predict');
  expect([unknown.status, Object(await unknown.json()).error.status]).toEqual([404, 'NOT_FOUND']);
  const plain = await call('gen-v4-pro:streamGenerateContent');
  expect([plain.status, Object(await plain.json()).error.details[0].metadata.param]).toEqual([
    400,
    'alt',
  ]);
});

test('the library works with the version that newer releases of it call', async () => {
  const newer = new GoogleGenAI({
    ...{ apiKey: gateway.key, apiVersion: 'v1', httpOptions: { baseUrl: gateway.url } },
  });
  const request = { model: 'gen-v4-pro', contents: 'Tell me about rivers.' };
  const { text } = await newer.models.generateContent(request);
  let streamedText = '';
  for await (const chunk of await newer.models.generateContentStream(request))
    streamedText += chunk.text ?? '';
  expect(text).toBeTruthy();
  expect(streamedText).toBe(text ?? '');
});

test.each(['v1', 'v1beta'])('the library lists and reads the models below %s', async (version) => {
  const { models } = new GoogleGenAI({
    ...{ apiKey: gateway.key, apiVersion: version, httpOptions: { baseUrl: gateway.url } },
  });
  const listed = await Array.fromAsync(await models.list());
  expect(listed.length).toBe(6);
  const known = { name: 'models/gen-opus-4-8', inputTokenLimit: 1_000_000 };
  expect(listed[0]).toMatchObject(known);
  expect(await models.get({ model: 'gen-opus-4-8' })).toMatchObject(known);
});

test.each(MODELS)('%s counts tokens, with functions too', async (model) => {
  const { totalTokens = 0 } = await client().models.countTokens({
    ...{ model, contents: 'Tell me about rivers.' },
  });
  expect(totalTokens).toBeGreaterThan(0);
  const contents = [{ parts: [{ text: 'Tell me about rivers.' }] }];
  const tools = [{ functionDeclarations: [WEATHER] }];
  const generationConfig = { candidateCount: 2, stopSequences: [' '] };
  const generateContentRequest = { model: `models/${model}`, contents, tools, generationConfig };
  const path = `/v1beta/models/${model}:countTokens`;
  const more = await post(gateway, path, { generateContentRequest });
  expect(more.headers.get('x-ignored-fields')).toBeNull();
  const withFunctions = Object(await more.json()).totalTokens;
  expect(withFunctions).toBeGreaterThan(totalTokens);
  const snake = await post(gateway, path, { generate_content_request: generateContentRequest });
  expect(Object(await snake.json()).totalTokens).toBe(withFunctions);
  // Gemini CLI counts the result of a call without the call.
  const result = { id: 'a', name: 'f', response: { output: 'a long river' } };
  const parts = [{ functionResponse: result }, { text: 'Tell me about rivers.' }];
  const orphan = await post(gateway, path, { contents: [{ parts }] });
  expect(Object(await orphan.json()).totalTokens).toBeGreaterThan(totalTokens);
});

test('embeds one text and several, in the order of the texts', async () => {
  const embed = async (contents: string[]) => {
    const config = { outputDimensionality: 256, taskType: 'RETRIEVAL_QUERY' };
    const request = { model: 'embed-1', contents, config };
    const { embeddings } = await client().models.embedContent(request);
    return (embeddings ?? []).map(({ values }) => values);
  };
  const both = await embed(['a river', 'a city']);
  expect(both.map((values) => values?.length)).toEqual([256, 256]);
  expect(await embed(['a city'])).toEqual([both[1]]);
  const path = '/v1beta/models/embed-1:embedContent';
  const content = { parts: [{ text: 'a river' }] };
  const one = await post(gateway, path, { content, outputDimensionality: 256 });
  const { embedding, usageMetadata } = Object(await one.json());
  expect(embedding.values).toEqual(both[0]);
  expect(usageMetadata).toMatchObject({ promptTokenCount: 2, cost_currency: 'USD' });
});

test('a refused embedding names the field of the caller', async () => {
  const path = '/v1beta/models/embed-1:batchEmbedContents';
  const content = { parts: [{ text: 'a river' }] };
  const refused = async (...requests: object[]) => {
    const { error } = Object(await (await post(gateway, path, { requests })).json());
    return [error.details[0].metadata.param, error.message];
  };
  const empty = { content: { parts: [{ text: '' }] } };
  const atSecond = 'requests[1].content';
  expect(await refused({ content }, empty)).toEqual([
    ...[atSecond, `${atSecond}: must not be empty; remove it.`],
  ]);
  const small = { content, outputDimensionality: 1 };
  expect((await refused(small))[0]).toBe('outputDimensionality');
  const other = { content, outputDimensionality: 300 };
  expect((await refused({ content }, other))[0]).toBe('requests[1].outputDimensionality');
  expect((await refused())[0]).toBe('requests');
});

test('an unknown model is an error in the form of the API', async () => {
  const answer = await fetch(`${gateway.url}/v1beta/models/nothing`, {
    headers: { 'x-goog-api-key': gateway.key },
  });
  expect([answer.status, Object(await answer.json()).error.status]).toEqual([404, 'NOT_FOUND']);
});

test('a caller who leaves a stream pays for what was delivered, and holds nothing', async () => {
  const config = shippedConfig().replace('tokens_per_second: 0', 'tokens_per_second: 10');
  await using slow = await startGateway({ config });
  const leaving = new AbortController();
  const chunks = await client(slow.key, slow).models.generateContentStream({
    model: 'gen-opus-4-8',
    contents: 'Write a long story.',
    config: { abortSignal: leaving.signal },
  });
  const { value } = await chunks.next();
  const requestId = requestIdOf(value ?? {});
  leaving.abort();
  await chunks.next().catch(() => {});
  const last = await eventually(
    'the request has its receipt',
    async () => {
      const answer = await fetch(`${slow.url}/v1/generation?id=${requestId}`, {
        headers: { 'x-goog-api-key': slow.key },
      });
      return Object(await answer.json()).data;
    },
    (receipt) => receipt !== undefined,
  );
  expect(last.outcome).toBe('caller_left');
});
