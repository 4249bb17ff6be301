/**
 * Tests the official Anthropic library, version 1. Only the base URL and the API key differ from a
 * program that calls Anthropic.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { newAccountKey } from './support/history/ledger-views.ts';
import {
  countingFetch,
  PIXEL_PNG,
  TIME_MESSAGES_TOOL,
  WEATHER_MESSAGES_TOOL,
} from './support/samples.ts';
import { at } from './support/wire.ts';

const model = 'gen-opus-4-8';
const user = (content: string) => ({ role: 'user' as const, content });
const short = { model, max_tokens: 1024 };
const tools = [WEATHER_MESSAGES_TOOL, TIME_MESSAGES_TOOL];

let gateway: GatewayProcess;
let client: Anthropic;
beforeAll(async () => {
  gateway = await startGateway();
  client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key });
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

const textOf = ({ content }: Pick<Anthropic.Message, 'content'>): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

describe('answers', () => {
  test('a non-streaming answer has usage, cost and headers', async () => {
    const { data, response, request_id } = await client.messages
      .create({ ...short, messages: [user('Hello there')] })
      .withResponse();
    expect(textOf(data)).toContain('Hello there');
    expect([data.type, data.role, data.stop_reason, data.model]).toEqual([
      'message',
      'assistant',
      'end_turn',
      model,
    ]);
    expect(request_id).toBe(response.headers.get('request-id'));
    expect(response.headers.get('x-cost')).toBe(`${String(at(data, 'usage.cost_exact'))} USD`);
  });

  test('raw events and the stream helper return the text of the non-streaming answer', async () => {
    const body = { ...short, messages: [user('Hello there')] };
    const plain = await client.messages.create(body);
    const events = await Array.fromAsync(await client.messages.create({ ...body, stream: true }));
    const words = events.map((event) =>
      event.type === 'content_block_delta' && event.delta.type === 'text_delta'
        ? event.delta.text
        : '',
    );
    expect(words.join('')).toBe(textOf(plain));
    expect(events.at(-1)?.type).toBe('message_stop');
    const helper = client.messages.stream(body);
    let streamed = '';
    helper.on('text', (delta) => {
      streamed += delta;
    });
    const gathered = await helper.finalMessage();
    expect(streamed).toBe(textOf(plain));
    expect(gathered.usage.output_tokens).toBe(plain.usage.output_tokens);
    expect(
      at(gathered, 'usage.cost_exact') ?? at(events, `${events.length - 2}.usage.cost_exact`),
    ).toBe(at(plain, 'usage.cost_exact'));
  });

  test('thinking comes before the text, streaming and non-streaming, and is charged as output', async () => {
    const body = {
      ...short,
      max_tokens: 4096,
      thinking: { type: 'adaptive' as const },
      output_config: { effort: 'high' as const },
      messages: [user('Why is the sky blue?')],
    };
    const plain = await client.messages.create(body);
    const streamed = await client.messages.stream(body).finalMessage();
    for (const message of [plain, streamed]) {
      const [thought, words] = message.content;
      if (thought?.type !== 'thinking' || words?.type !== 'text') throw new Error('no thinking');
      expect(thought.thinking.length).toBeGreaterThan(20);
      expect(thought.signature).not.toBe('');
    }
    expect(JSON.stringify(streamed.content)).toBe(JSON.stringify(plain.content));
    const without = await client.messages.create({ ...short, messages: body.messages });
    expect(without.content.map(({ type }) => type)).toEqual(['text']);
    expect(plain.usage.output_tokens).toBeGreaterThan(without.usage.output_tokens);
  });

  test('accepts a system message in the middle', async () => {
    const answer = await client.messages.create({
      ...short,
      messages: [user('Hello'), { role: 'system', content: 'Be brief' }],
    });
    expect(answer.stop_reason).toBe('end_turn');
  });

  test('reads an image in the prompt', async () => {
    const answer = await client.messages.create({
      ...short,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PIXEL_PNG } },
            { type: 'text', text: 'What is this?' },
          ],
        },
      ],
    });
    expect(textOf(answer)).toContain('image/png');
  });

  test('writes a marked prefix to the cache once and reads it afterwards', async () => {
    const body = {
      ...short,
      system: [
        {
          type: 'text' as const,
          text: 'The rules of the house. '.repeat(2_000),
          cache_control: { type: 'ephemeral' as const },
        },
      ],
      messages: [user('Hello there')],
    };
    const first = await client.messages.create(body);
    const second = await client.messages.create(body);
    expect(first.usage.cache_creation_input_tokens).toBeGreaterThan(1_000);
    expect(second.usage.cache_read_input_tokens).toBe(first.usage.cache_creation_input_tokens);
  });
});

describe('tools', () => {
  test('makes a tool call, takes its result, and answers with it', async () => {
    const messages: Anthropic.MessageParam[] = [user('Use get_weather for the city Paris')];
    const first = await client.messages.create({ ...short, tools, messages });
    const call = first.content.find((block) => block.type === 'tool_use');
    if (call === undefined) throw new Error('no call');
    expect([first.stop_reason, call.name, call.input]).toEqual([
      'tool_use',
      'get_weather',
      { city: 'Paris' },
    ]);
    messages.push(
      { role: 'assistant', content: first.content },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: call.id, content: '21 degrees and sunny' }],
      },
    );
    const last = await client.messages.create({ ...short, tools, messages });
    expect(last.stop_reason).toBe('end_turn');
    expect(textOf(last)).toContain('21 degrees and sunny');
  });

  test('streams parallel calls as two complete calls', async () => {
    const message = await client.messages
      .stream({ ...short, tools, messages: [user('Call get_weather and get_time for Paris')] })
      .finalMessage();
    const calls = message.content.flatMap((block) =>
      block.type === 'tool_use' ? [[block.name, block.input]] : [],
    );
    expect(calls).toEqual([
      ['get_weather', { city: 'Paris' }],
      ['get_time', { city: 'Paris' }],
    ]);
  });

  test('the parse helper returns an answer that matches the schema', async () => {
    const answer = await client.messages.parse({
      ...short,
      messages: [user('The name is Ada, the age is 36.')],
      output_config: {
        format: {
          type: 'json_schema',
          schema: {
            type: 'object',
            properties: { name: { type: 'string' }, age: { type: 'integer' } },
            required: ['name', 'age'],
            additionalProperties: false,
          },
        },
      },
    });
    expect(JSON.parse(textOf(answer))).toEqual({ name: 'Ada', age: 36 });
  });

  // The runner first requests a message thread that the server stores. The gateway refuses this
  // request, and the runner continues without a stored thread.
  test('the beta tool runner reaches a final text', async () => {
    const last = await client.beta.messages.toolRunner({
      ...short,
      messages: [user('Use get_weather for Paris')],
      tools: [
        {
          ...WEATHER_MESSAGES_TOOL,
          type: 'custom',
          parse: (input: unknown) => input,
          run: (input: unknown) => `in ${String(at(input, 'city'))}: rain`,
        },
      ],
    });
    expect(
      last.content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    ).toContain('in Paris: rain');
  });
});

describe('other endpoints', () => {
  test('lists and retrieves models', async () => {
    const models = await Array.fromAsync(client.models.list({ limit: 3 }));
    expect(models.map(({ id }) => id)).toHaveLength(9);
    expect(models[0]).toMatchObject({ type: 'model', id: model, display_name: 'Gen Opus 4.8' });
    expect((await client.models.retrieve('gen-sonnet-5')).id).toBe('gen-sonnet-5');
  });

  test('counts tokens exactly as they are charged, for free', async () => {
    const messages = [user('How many tokens is this?')];
    const counted = await client.messages.countTokens({ model, messages });
    const answer = await client.messages.create({ ...short, messages });
    expect(counted.input_tokens).toBe(answer.usage.input_tokens);
  });

  test('selects a channel with the extension field', async () => {
    const body = { ...short, messages: [user('Hello')], provider: { channel: 'economical' } };
    const { response } = await client.messages.create(body).withResponse();
    expect(response.headers.get('x-channel')).toBe('economical');
    expect(response.headers.get('x-channel-requested')).toBe('economical');
  });

  test('refuses an image model and names the image endpoint', async () => {
    const thrown = await client.messages
      .create({ ...short, model: 'img-2', messages: [user('a boat')] })
      .catch((error: unknown) => error);
    if (!(thrown instanceof APIError)) throw new Error('not refused');
    expect(thrown.status).toBe(400);
    expect(thrown.message).toContain('/v2/images/generations');
  });
});

describe('errors as the library reports them', () => {
  const refusal = async (made: Anthropic, body: Readonly<Record<string, unknown>>) => {
    const thrown = await made.messages
      .create({ ...short, messages: [user('Hello')], ...body, stream: false })
      .catch((error: unknown) => error);
    if (!(thrown instanceof APIError)) throw new Error(`not refused: ${JSON.stringify(thrown)}`);
    return thrown;
  };

  test('a bad key returns 401 and is not retried', async () => {
    const { fetch, calls } = countingFetch();
    const thrown = await refusal(
      new Anthropic({ baseURL: gateway.url, apiKey: 'sk-ant-bad', fetch }),
      {},
    );
    expect(thrown).toBeInstanceOf(Anthropic.AuthenticationError);
    expect([thrown.status, thrown.type]).toEqual([401, 'authentication_error']);
    expect(thrown.message).toContain('a valid key begins with');
    expect(calls()).toBe(1);
  });

  test('an unknown model returns 404 and suggests similar ones', async () => {
    const thrown = await refusal(client, { model: 'gen-opus-4-9' });
    expect(thrown).toBeInstanceOf(Anthropic.NotFoundError);
    expect(thrown.message).toContain('gen-opus-4-8');
  });

  test('an invalid parameter returns 400 and names it', async () => {
    const thrown = await refusal(client, { output_config: { effort: 'extreme' } });
    expect(thrown).toBeInstanceOf(Anthropic.BadRequestError);
    expect([thrown.status, thrown.type]).toEqual([400, 'invalid_request_error']);
    expect(thrown.message).toContain('output_config.effort');
    expect(thrown.message).toContain('xhigh');
  });

  test('an empty wallet returns 402 and is not retried', async () => {
    const { fetch, calls } = countingFetch();
    const apiKey = await newAccountKey(gateway, null);
    const thrown = await refusal(new Anthropic({ baseURL: gateway.url, apiKey, fetch }), {});
    expect([thrown.status, thrown.type]).toEqual([402, 'billing_error']);
    expect(thrown.requestID).toStartWith('req_');
    expect(calls()).toBe(1);
  });
});
