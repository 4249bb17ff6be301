/**
 * Tests the official OpenAI library, version 4, which is still the most installed version. Only its
 * base URL and API key are changed.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import OpenAI, { APIError } from 'openai-4';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { newAccountKey } from './support/history/ledger-views.ts';
import { countingFetch, pngSize, TIME_TOOL, WEATHER_TOOL } from './support/samples.ts';
import { at } from './support/wire.ts';

const model = 'gen-sonnet-5';
const user = (content: string) => ({ role: 'user' as const, content });

let gateway: GatewayProcess;
let client: OpenAI;
beforeAll(async () => {
  gateway = await startGateway();
  client = new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey: gateway.key });
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

test('non-streaming and streaming return the same text', async () => {
  const body = { model, messages: [user('Hello there')] };
  const plain = await client.chat.completions.create(body);
  const stream = await client.chat.completions.create({ ...body, stream: true });
  const chunks = await Array.fromAsync(stream);
  const streamed = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
  expect(plain.choices[0]?.message.content).toContain('Hello there');
  expect(streamed).toBe(plain.choices[0]?.message.content ?? '');
});

test('the stream helper collects answer and usage', async () => {
  const runner = client.beta.chat.completions.stream({
    model,
    messages: [user('Hello there')],
    stream_options: { include_usage: true },
  });
  const gathered = await runner.finalChatCompletion();
  expect(gathered.choices[0]?.message.content).toContain('Hello there');
  expect(await runner.totalUsage()).toMatchObject({ total_tokens: gathered.usage?.total_tokens });
});

test('returns reasoning beside the answer', async () => {
  const answer = await client.chat.completions.create({
    model,
    reasoning_effort: 'medium',
    messages: [user('Why is the sky blue?')],
  });
  expect(String(at(answer, 'choices.0.message.reasoning_content')).length).toBeGreaterThan(20);
});

test('makes parallel calls, takes their results, and answers with them', async () => {
  const tools = [WEATHER_TOOL, TIME_TOOL];
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    user('Call get_weather and get_time for Paris'),
  ];
  const first = await client.chat.completions.create({ model, messages, tools });
  const asked = first.choices[0]?.message;
  if (asked?.tool_calls?.length !== 2)
    throw new Error(`two calls expected: ${JSON.stringify(asked)}`);
  messages.push(asked);
  for (const { id, function: called } of asked.tool_calls)
    messages.push({ role: 'tool', tool_call_id: id, content: `${called.name} says fine` });
  const last = await client.chat.completions.create({ model, messages, tools });
  expect(last.choices[0]?.message.content).toContain('get_weather says fine');
  expect(last.choices[0]?.message.content).toContain('get_time says fine');
});

test('the tool runner reaches a final text over a stream', async () => {
  const runner = client.beta.chat.completions.runTools({
    model,
    stream: true,
    messages: [user('Use get_weather for Paris')],
    tools: [
      {
        type: 'function',
        function: {
          ...WEATHER_TOOL.function,
          parse: JSON.parse,
          function: (args: unknown) => `in ${String(at(args, 'city'))}: rain`,
        },
      },
    ],
  });
  expect(await runner.finalContent()).toContain('in Paris: rain');
});

test('the parse helper returns an answer that matches a strict schema', async () => {
  const answer = await client.beta.chat.completions.parse({
    model,
    messages: [user('The name is Ada, the age is 36.')],
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'person',
        strict: true,
        schema: {
          type: 'object',
          properties: { name: { type: 'string' }, age: { type: 'integer' } },
          required: ['name', 'age'],
          additionalProperties: false,
        },
      },
    },
  });
  expect(JSON.parse(answer.choices[0]?.message.content ?? '')).toEqual({ name: 'Ada', age: 36 });
});

test('supports images, models and a channel in the extension field', async () => {
  const image = await client.images.generate({
    model: 'img-3',
    prompt: 'a lighthouse',
    quality: 'hd',
    style: 'natural',
    size: '1024x1024',
    response_format: 'b64_json',
  });
  expect(pngSize(Buffer.from(image.data?.[0]?.b64_json ?? '', 'base64'))).toEqual([1024, 1024]);
  expect(image.data?.[0]?.revised_prompt).toBeString();
  expect((await client.models.list()).data).toHaveLength(9);
  expect((await client.models.retrieve('img-3')).owned_by).toBe('img');
  const body = { model, messages: [user('Hello')], provider: { channel: 'stable' } };
  const { response } = await client.chat.completions.create(body).withResponse();
  expect(response.headers.get('x-channel')).toBe('stable');
});

describe('errors as the library reports them', () => {
  const refusal = async (made: OpenAI, body: Partial<OpenAI.ChatCompletionCreateParams>) => {
    const thrown = await made.chat.completions
      .create({ model, messages: [user('Hello')], ...body, stream: false })
      .catch((error: unknown) => error);
    if (!(thrown instanceof APIError)) throw new Error(`not refused: ${JSON.stringify(thrown)}`);
    return thrown;
  };
  const shown = ({ status, code, param }: APIError) => [status, code, param];

  test('401 and 402 are not retried', async () => {
    const poor = await newAccountKey(gateway, null);
    for (const [apiKey, status, code] of [
      ['sk-bad', 401, 'invalid_api_key'],
      [poor, 402, 'insufficient_balance'],
    ] as const) {
      const { fetch, calls } = countingFetch();
      const thrown = await refusal(new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey, fetch }), {});
      expect(shown(thrown)).toEqual([status, code, null]);
      expect(calls()).toBe(1);
    }
  });

  test('404 suggests similar models, 400 names the field', async () => {
    const unknown = await refusal(client, { model: 'gen-sonnet-6' });
    expect(shown(unknown)).toEqual([404, 'model_not_found', 'model']);
    expect(unknown.message).toContain('gen-sonnet-5');
    expect(shown(await refusal(client, { top_p: 2 }))).toEqual([400, 'invalid_value', 'top_p']);
  });
});
