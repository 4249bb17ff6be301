/**
 * Runs tool loops with unmodified chat clients, and checks the messages in their second request.
 */
import { describe, expect, test } from 'bun:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { eventText } from '../messages/recorded-messages.fixture.ts';
import { chatAnswer, chatStream } from './answer.fixture.ts';
import { messagesBody } from './request.fixture.ts';

const content = [
  { type: 'thinking', thinking: 'The clock knows.', signature: 'EqQBCkYIARgCKkA=' },
  { type: 'redacted_thinking', data: 'EmwKAhgB' },
  { type: 'text', text: 'I will look.' },
  { type: 'tool_use', id: 'toolu_1', name: 'get_time', input: { tz: 'UTC' } },
] as const;
const usage = { input_tokens: 12, output_tokens: 30 };

const answer = (): string => chatAnswer({ content, stop_reason: 'tool_use', usage }).text();

function stream(): string {
  const [thinking, redacted, text, call] = content;
  const delta = (index: number, fields: object) => ({
    type: 'content_block_delta',
    index,
    delta: fields,
  });
  const begin = (index: number, content_block: object) => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  const end = (index: number) => ({ type: 'content_block_stop', index });
  const events = [
    { type: 'message_start', message: { content: [], usage } },
    begin(0, { type: 'thinking', thinking: '', signature: '' }),
    delta(0, { type: 'thinking_delta', thinking: thinking.thinking.slice(0, 5) }),
    delta(0, { type: 'thinking_delta', thinking: thinking.thinking.slice(5) }),
    delta(0, { type: 'signature_delta', signature: thinking.signature }),
    end(0),
    begin(1, redacted),
    end(1),
    begin(2, { ...text, text: '' }),
    delta(2, { type: 'text_delta', text: text.text }),
    end(2),
    begin(3, { ...call, input: {} }),
    delta(3, { type: 'input_json_delta', partial_json: JSON.stringify(call.input) }),
    end(3),
    { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage },
    { type: 'message_stop' },
  ];
  return chatStream([events.map(eventText).join('')]).text;
}

const last = (): string =>
  chatAnswer({ content: [{ type: 'text', text: 'Noon.' }], stop_reason: 'end_turn', usage }).text();
const lastStream = (): string => {
  const events = [
    { type: 'message_start', message: { content: [], usage } },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Noon.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage },
    { type: 'message_stop' },
  ];
  return chatStream([events.map(eventText).join('')]).text;
};

/**
 * Returns a `fetch` that answers like the gateway, each time with the next of these chat answers.
 * It translates each request to Messages and appends the messages to `sent`.
 */
function gateway(type: 'application/json' | 'text/event-stream', ...answers: string[]) {
  const sent: { role: string; content: unknown }[][] = [];
  const fetch = async (_: unknown, init?: { readonly body?: unknown }): Promise<Response> => {
    const { messages } = messagesBody(JSON.parse(String(init?.body)));
    sent.push(messages as (typeof sent)[number]);
    return new Response(answers.shift(), { headers: { 'content-type': type } });
  };
  return { sent, fetch };
}

const tools = {
  get_time: tool({
    description: 'Clock',
    inputSchema: jsonSchema<{ tz: string }>({
      type: 'object',
      properties: { tz: { type: 'string' } },
    }),
    execute: async ({ tz }) => `12:00 ${tz}`,
  }),
};
const result = {
  type: 'tool_result',
  tool_use_id: 'toolu_1',
  content: [{ type: 'text', text: '12:00 UTC' }],
};

describe('the AI SDK', () => {
  const options = (fetch: ReturnType<typeof gateway>['fetch']) => {
    const provider = createOpenAICompatible({
      name: 'modelgate',
      baseURL: 'http://gateway/v2',
      fetch: fetch as typeof globalThis.fetch,
    });
    return {
      model: provider('gen-opus-4-8'),
      prompt: 'When?',
      tools,
      stopWhen: stepCountIs(2),
      maxRetries: 0,
    };
  };

  test('returns signed thinking in the next step of its loop', async () => {
    const { sent, fetch } = gateway('application/json', answer(), last());
    const { text } = await generateText(options(fetch));
    expect(text).toBe('Noon.');
    expect(sent[1]?.slice(1)).toEqual([
      { role: 'assistant', content: [...content] },
      { role: 'user', content: [result] },
    ]);
  });

  test('does so when streaming', async () => {
    const { sent, fetch } = gateway('text/event-stream', stream(), lastStream());
    const { text } = streamText(options(fetch));
    expect(await text).toBe('Noon.');
    expect(sent[1]?.slice(1)).toEqual([
      { role: 'assistant', content: [...content] },
      { role: 'user', content: [result] },
    ]);
  });
});

describe('the OpenAI library', () => {
  const request = {
    model: 'gen-opus-4-8',
    messages: [{ role: 'user' as const, content: 'When?' }],
    tools: [{ type: 'function' as const, function: { name: 'get_time', parameters: {} } }],
  };
  const client = (fetch: ReturnType<typeof gateway>['fetch']) =>
    new OpenAI({ apiKey: 'none', maxRetries: 0, fetch });
  const toolResult = { role: 'tool' as const, tool_call_id: 'toolu_1', content: '12:00 UTC' };

  test('returns signed thinking with the message it got', async () => {
    const { sent, fetch } = gateway('application/json', answer(), last());
    const { choices } = await client(fetch).chat.completions.create(request);
    const message = choices[0]?.message ?? { role: 'assistant' as const };
    const messages = [...request.messages, message, toolResult];
    await client(fetch).chat.completions.create({ ...request, messages });
    expect(sent[1]?.[1]).toEqual({ role: 'assistant', content: [...content] });
  });

  test('does so with the message that its stream helper assembled', async () => {
    const { sent, fetch } = gateway('text/event-stream', stream(), lastStream());
    const message = await client(fetch).chat.completions.stream(request).finalMessage();
    const messages = [...request.messages, message, toolResult];
    await client(fetch)
      .chat.completions.stream({ ...request, messages })
      .finalMessage();
    expect(sent[1]?.[1]).toEqual({ role: 'assistant', content: [...content] });
  });
});
