/**
 * Tests the official Anthropic library in a version before 1, which sends the key in `x-api-key`
 * and requests an older protocol version.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import Anthropic, { APIError } from 'anthropic-sdk-0';
import { type GatewayProcess, startGateway } from './support/gateways/gateway-process.ts';
import { newAccountKey } from './support/history/ledger-views.ts';
import { countingFetch, TIME_MESSAGES_TOOL, WEATHER_MESSAGES_TOOL } from './support/samples.ts';
import { at } from './support/wire.ts';

const model = 'gen-opus-4-7';
const user = (content: string) => ({ role: 'user' as const, content });
const short = { model, max_tokens: 1024 };

let gateway: GatewayProcess;
let client: Anthropic;
beforeAll(async () => {
  gateway = await startGateway();
  client = new Anthropic({ baseURL: gateway.url, apiKey: gateway.key });
});
afterAll(async () => await gateway[Symbol.asyncDispose]());

const textOf = ({ content }: Pick<Anthropic.Message, 'content'>): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

test('non-streaming, raw events and the stream helper return the same text', async () => {
  const body = { ...short, messages: [user('Hello there')] };
  const { data: plain, response } = await client.messages.create(body).withResponse();
  expect(textOf(plain)).toContain('Hello there');
  expect(response.headers.get('x-cost')).toBe(`${String(at(plain, 'usage.cost_exact'))} USD`);
  const events = await Array.fromAsync(await client.messages.create({ ...body, stream: true }));
  expect(events[0]?.type).toBe('message_start');
  expect(events.at(-1)?.type).toBe('message_stop');
  const helper = client.messages.stream(body);
  expect(await helper.finalText()).toBe(textOf(plain));
  expect((await helper.finalMessage()).usage.output_tokens).toBe(plain.usage.output_tokens);
});

test('collects a whole thinking block with its signature', async () => {
  const message = await client.messages
    .stream({
      ...short,
      max_tokens: 4096,
      thinking: { type: 'enabled', budget_tokens: 2048 },
      messages: [user('Why is the sky blue?')],
    })
    .finalMessage();
  expect(message.content.map(({ type }) => type)).toEqual(['thinking', 'text']);
  const [thought] = message.content;
  if (thought?.type !== 'thinking') throw new Error('no thinking');
  expect(thought.thinking.length).toBeGreaterThan(20);
  expect(thought.signature).not.toBe('');
});

test('streams parallel tool calls, takes their results, and answers with them', async () => {
  const tools = [WEATHER_MESSAGES_TOOL, TIME_MESSAGES_TOOL];
  const messages: Anthropic.MessageParam[] = [user('Call get_weather and get_time for Paris')];
  const first = await client.messages.stream({ ...short, tools, messages }).finalMessage();
  const calls = first.content.filter((block) => block.type === 'tool_use');
  expect(calls.map(({ name, input }) => [name, input])).toEqual([
    ['get_weather', { city: 'Paris' }],
    ['get_time', { city: 'Paris' }],
  ]);
  messages.push(
    { role: 'assistant', content: first.content },
    {
      role: 'user',
      content: calls.map(({ id, name }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: `${name} says fine`,
      })),
    },
  );
  const last = await client.messages.create({ ...short, tools, messages });
  expect(textOf(last)).toContain('get_weather says fine');
  expect(textOf(last)).toContain('get_time says fine');
});

test('forces a tool call', async () => {
  const answer = await client.messages.create({
    ...short,
    tools: [WEATHER_MESSAGES_TOOL],
    tool_choice: { type: 'tool', name: 'get_weather' },
    messages: [user('Good morning')],
  });
  expect(answer.stop_reason).toBe('tool_use');
});

test('supports beta calls, models, counting and a channel', async () => {
  const beta = await client.beta.messages.create({
    ...short,
    betas: ['output-128k-2025-02-19'],
    messages: [user('Hello there')],
  });
  expect(beta.stop_reason).toBe('end_turn');
  expect((await Array.fromAsync(client.models.list())).map(({ id }) => id)).toHaveLength(9);
  expect((await client.models.retrieve(model)).display_name).toBe('Gen Opus 4.7');
  const messages = [user('How many tokens is this?')];
  const counted = await client.messages.countTokens({ model, messages });
  const plain = await client.messages.create({ ...short, messages });
  expect(counted.input_tokens).toBe(plain.usage.input_tokens);
  const body = { ...short, messages, provider: { channel: 'stable' } };
  const { response } = await client.messages.create(body).withResponse();
  expect(response.headers.get('x-channel')).toBe('stable');
});

describe('errors as the library reports them', () => {
  const refusal = async (made: Anthropic, body: Readonly<Record<string, unknown>>) => {
    const thrown = await made.messages
      .create({ ...short, messages: [user('Hello')], ...body, stream: false })
      .catch((error: unknown) => error);
    if (!(thrown instanceof APIError)) throw new Error(`not refused: ${JSON.stringify(thrown)}`);
    return thrown;
  };
  const kind = (thrown: APIError) => [thrown.status, at(thrown.error, 'error.type')];

  test('401 and 402 are not retried', async () => {
    const poor = await newAccountKey(gateway, null);
    for (const [apiKey, status, type] of [
      ['sk-bad', 401, 'authentication_error'],
      [poor, 402, 'billing_error'],
    ] as const) {
      const { fetch, calls } = countingFetch();
      const thrown = await refusal(new Anthropic({ baseURL: gateway.url, apiKey, fetch }), {});
      expect(kind(thrown)).toEqual([status, type]);
      expect(calls()).toBe(1);
    }
  });

  test('404 suggests similar models, 400 names the field', async () => {
    const unknown = await refusal(client, { model: 'gen-opus-4' });
    expect(kind(unknown)).toEqual([404, 'not_found_error']);
    expect(unknown.message).toContain('gen-opus-4-7');
    const bad = await refusal(client, { max_tokens: -1 });
    expect(kind(bad)).toEqual([400, 'invalid_request_error']);
    expect(bad.message).toContain('max_tokens: must be 0 or more');
  });
});
