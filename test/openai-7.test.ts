/** Tests the official OpenAI library, version 7. Only its base URL and API key are changed. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import OpenAI, { APIError } from 'openai';
import { zodResponseFormat } from 'openai/helpers/zod';
import { z } from 'zod';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { newAccountKey } from './support/history/ledger-views.ts';
import { countingFetch, PIXEL_PNG, pngSize, TIME_TOOL, WEATHER_TOOL } from './support/samples.ts';
import { at } from './support/wire.ts';

const model = 'gen-opus-4-8';
const user = (content: string) => ({ role: 'user' as const, content });

let gateway: GatewayProcess;
let client: OpenAI;
beforeAll(async () => {
  gateway = await startGateway();
  client = new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey: gateway.key });
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

describe('answers', () => {
  test('a non-streaming answer has usage, cost and headers', async () => {
    const { data, response, request_id } = await client.chat.completions
      .create({ model, messages: [user('Hello there')] })
      .withResponse();
    expect(data.choices[0]?.message.content).toContain('Hello there');
    expect(data.choices[0]?.finish_reason).toBe('stop');
    expect(data.usage?.total_tokens).toBe(
      (data.usage?.prompt_tokens ?? 0) + (data.usage?.completion_tokens ?? 0),
    );
    expect(request_id).toBe(response.headers.get('x-request-id'));
    expect(response.headers.get('x-cost')).toBe(`${String(at(data, 'usage.cost_exact'))} USD`);
    expect(Number(at(data, 'usage.cost'))).toBe(Number(at(data, 'usage.cost_exact')));
  });

  test('the /v1 prefix returns the same', async () => {
    const v1 = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: gateway.key });
    const body = { model, messages: [user('Hello there')] };
    const [one, other] = await Promise.all([
      v1.chat.completions.create(body),
      client.chat.completions.create(body),
    ]);
    expect(one.choices).toEqual(other.choices);
  });

  test('a stream has the usage and its cost in the last chunk', async () => {
    const stream = await client.chat.completions.create({
      model,
      messages: [user('Hello there')],
      stream: true,
      stream_options: { include_usage: true },
    });
    const chunks = await Array.fromAsync(stream);
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');
    expect(text).toContain('Hello there');
    expect(chunks.length).toBeGreaterThan(5);
    expect(at(chunks.at(-1), 'usage.cost_exact')).toMatch(/^0\.00\d{7}$/);
  });

  test('the stream helper collects the text of the non-streaming answer', async () => {
    const body = { model, messages: [user('Hello there')] };
    const runner = client.chat.completions.stream({
      ...body,
      stream_options: { include_usage: true },
    });
    let words = '';
    runner.on('content', (delta) => {
      words += delta;
    });
    const gathered = await runner.finalChatCompletion();
    const plain = await client.chat.completions.create(body);
    expect(gathered.choices[0]?.message.content).toBe(plain.choices[0]?.message.content ?? '');
    expect(words).toBe(plain.choices[0]?.message.content ?? '');
    expect(gathered.usage?.completion_tokens).toBe(plain.usage?.completion_tokens ?? 0);
  });

  test('returns several choices, streaming and non-streaming', async () => {
    const body = { model, n: 3, messages: [user('Tell me of the sea')] };
    const plain = await client.chat.completions.create(body);
    const runner = client.chat.completions.stream(body);
    const streamed = await runner.finalChatCompletion();
    const words = (choices: readonly { message: { content: string | null } }[]) =>
      choices.map(({ message }) => message.content ?? '');
    expect(new Set(words(plain.choices)).size).toBe(3);
    expect(words(streamed.choices)).toEqual(words(plain.choices));
  });

  test('returns reasoning beside the answer', async () => {
    const answer = await client.chat.completions.create({
      model,
      reasoning_effort: 'high',
      messages: [user('Why is the sky blue?')],
    });
    expect(String(at(answer, 'choices.0.message.reasoning_content')).length).toBeGreaterThan(20);
    expect(answer.usage?.completion_tokens_details?.reasoning_tokens).toBeGreaterThan(0);
    const stream = await client.chat.completions.create({
      model,
      reasoning_effort: 'low',
      messages: [user('Why is the sky blue?')],
      stream: true,
    });
    const pieces: string[] = [];
    for await (const chunk of stream)
      pieces.push(String(at(chunk, 'choices.0.delta.reasoning_content') ?? ''));
    expect(pieces.join('').length).toBeGreaterThan(10);
  });

  test('reads an image in the prompt', async () => {
    const answer = await client.chat.completions.create({
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${PIXEL_PNG}` } },
          ],
        },
      ],
    });
    expect(answer.choices[0]?.message.content).toContain('image/png');
  });
});

describe('tools', () => {
  const tools = [WEATHER_TOOL, TIME_TOOL];

  test('makes a tool call, takes its result, and answers with it', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [
      user('Use get_weather for the city Paris'),
    ];
    const first = await client.chat.completions.create({ model, messages, tools });
    expect(first.choices[0]?.finish_reason).toBe('tool_calls');
    const asked = first.choices[0]?.message;
    const call = asked?.tool_calls?.[0];
    if (asked === undefined || call?.type !== 'function') throw new Error('no call');
    expect(call.function.name).toBe('get_weather');
    expect(JSON.parse(call.function.arguments)).toEqual({ city: 'Paris' });
    messages.push(asked, { role: 'tool', tool_call_id: call.id, content: '21 degrees and sunny' });
    const last = await client.chat.completions.create({ model, messages, tools });
    expect(last.choices[0]?.finish_reason).toBe('stop');
    expect(last.choices[0]?.message.content).toContain('21 degrees and sunny');
  });

  test('streams parallel calls as two complete calls', async () => {
    const runner = client.chat.completions.stream({
      model,
      messages: [user('Call get_weather and get_time for Paris')],
      tools,
    });
    const message = (await runner.finalChatCompletion()).choices[0]?.message;
    const calls = (message?.tool_calls ?? []).map((call) =>
      call.type === 'function' ? [call.function.name, JSON.parse(call.function.arguments)] : [],
    );
    expect(calls).toEqual([
      ['get_weather', { city: 'Paris' }],
      ['get_time', { city: 'Paris' }],
    ]);
    expect(new Set(message?.tool_calls?.map(({ id }) => id)).size).toBe(2);
  });

  test('the tool runner reaches a final text', async () => {
    const runner = client.chat.completions.runTools({
      model,
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

  test('the parse helper returns an answer that matches the schema', async () => {
    const Person = z.object({ name: z.string(), age: z.number().int(), tags: z.array(z.string()) });
    const answer = await client.chat.completions.parse({
      model,
      messages: [user('The name is Ada, the age is 36.')],
      response_format: zodResponseFormat(Person, 'person'),
    });
    const parsed = answer.choices[0]?.message.parsed;
    expect(Person.parse(parsed)).toMatchObject({ name: 'Ada', age: 36 });
  });
});

describe('images, models and channels', () => {
  test('returns an image by URL and in base64', async () => {
    const order = { model: 'img-2', prompt: 'a lighthouse', size: '512x512' as const };
    const byUrl = await client.images.generate(order);
    const bytes = await fetch(byUrl.data?.[0]?.url ?? '').then((found) => found.bytes());
    expect(pngSize(bytes)).toEqual([512, 512]);
    const inline = await client.images.generate({ ...order, n: 2, response_format: 'b64_json' });
    const drawn = (inline.data ?? []).map(({ b64_json }) => b64_json ?? '');
    expect(new Set(drawn).size).toBe(2);
    expect(pngSize(Buffer.from(drawn[0] ?? '', 'base64'))).toEqual([512, 512]);
    expect(Buffer.from(bytes).toString('base64')).toBe(drawn[0] ?? '');
  });

  test('lists and retrieves models', async () => {
    const ids = (await Array.fromAsync(await client.models.list())).map(({ id }) => id);
    expect(ids).toEqual([
      'gen-opus-4-8',
      'gen-opus-4-7',
      'gen-sonnet-5',
      'gen-v4-pro',
      'gen-v4-flash',
      'img-2-pro',
      'img-3',
      'img-2',
      'embed-1',
    ]);
    const one = await client.models.retrieve('gen-v4-pro');
    expect([one.id, at(one, 'context_length')]).toEqual(['gen-v4-pro', 1_000_000]);
  });

  test('selects a channel with the extension field, and serves an unknown one on the default', async () => {
    const on = async (channel: string): Promise<string | null> => {
      const body = { model, messages: [user('Hello')], provider: { channel } };
      const { response } = await client.chat.completions.create(body).withResponse();
      return response.headers.get('x-channel');
    };
    expect(await Promise.all([on('economical'), on('stable'), on('nowhere')])).toEqual([
      'economical',
      'stable',
      'direct',
    ]);
  });
});

describe('errors as the library reports them', () => {
  const refusal = async (made: OpenAI, body: Partial<OpenAI.ChatCompletionCreateParams>) => {
    const thrown = await made.chat.completions
      .create({ model, messages: [user('Hello')], ...body, stream: false })
      .catch((error: unknown) => error);
    if (!(thrown instanceof APIError)) throw new Error(`not refused: ${JSON.stringify(thrown)}`);
    return thrown;
  };

  test('a bad key returns 401 and is not retried', async () => {
    const { fetch, calls } = countingFetch();
    const bad = new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey: 'sk-bad', fetch });
    const thrown = await refusal(bad, {});
    expect(thrown).toBeInstanceOf(OpenAI.AuthenticationError);
    expect([thrown.status, thrown.code, thrown.message]).toEqual([
      401,
      'invalid_api_key',
      '401 This is not an API key of this gateway: a valid key begins with "sk-mg-". Check that the client does not send the key of another service.',
    ]);
    expect(thrown.requestID).toStartWith('req_');
    expect(calls()).toBe(1);
  });

  test('an unknown model returns 404 and suggests similar ones', async () => {
    const thrown = await refusal(client, { model: 'gen-opus-4-9' });
    expect(thrown).toBeInstanceOf(OpenAI.NotFoundError);
    expect([thrown.code, thrown.param]).toEqual(['model_not_found', 'model']);
    expect(thrown.message).toContain('gen-opus-4-8');
  });

  test('an invalid parameter returns 400 and names it', async () => {
    const thrown = await refusal(client, { temperature: 3 });
    expect(thrown).toBeInstanceOf(OpenAI.BadRequestError);
    expect([thrown.status, thrown.param, thrown.type]).toEqual([
      400,
      'temperature',
      'invalid_request_error',
    ]);
    expect(thrown.message).toContain('from 0 to 2');
  });

  test('an empty wallet returns 402 and is not retried', async () => {
    const { fetch, calls } = countingFetch();
    const apiKey = await newAccountKey(gateway, null);
    const thrown = await refusal(new OpenAI({ baseURL: `${gateway.url}/v2`, apiKey, fetch }), {});
    expect([thrown.status, thrown.code, thrown.type]).toEqual([
      402,
      'insufficient_balance',
      'insufficient_quota',
    ]);
    expect(thrown.message).toContain('USD wallet');
    expect(calls()).toBe(1);
  });

  test('an unsupported endpoint returns an error that says what to do', async () => {
    const thrown = await client.responses.retrieve('resp_1').catch((error: unknown) => error);
    if (!(thrown instanceof APIError)) throw new Error('not refused');
    expect([thrown.status, thrown.code]).toEqual([404, 'not_found']);
    expect(thrown.message).toContain('not stored');
  });
});
