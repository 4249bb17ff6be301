/**
 * Tests that the official library and the AI SDK read responses correctly, and that responses have
 * the library's types.
 */
import { describe, expect, test } from 'bun:test';
import { createOpenAI } from '@ai-sdk/openai';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import OpenAI from 'openai';
import type { JsonObject } from '../../json/object.ts';
import { recorded as recordedChat } from '../chat/recorded-chat.fixture.ts';
import { recorded as recordedMessages } from '../messages/recorded-messages.fixture.ts';
import { STREAM_CONTEXT } from '../recorded-streams.fixture.ts';
import {
  chatEvents,
  fragment,
  messagesEvents,
  OVER_CHAT,
  OVER_MESSAGES,
  SEALS,
  TOOLS,
  translated,
  translatedWhole,
} from './answer.fixture.ts';

type Official = OpenAI.Responses.Response;

const clientOf = (body: string, type = 'text/event-stream'): OpenAI =>
  new OpenAI({
    apiKey: 'none',
    maxRetries: 0,
    fetch: async () => new Response(body, { headers: { 'content-type': type } }),
  });

const finalOf = (body: string): Promise<Official> =>
  clientOf(body).responses.stream({ model: 'm', input: 'Hi' }).finalResponse();

const chat = chatEvents(
  [
    { reasoning_content: 'Hm.' },
    { content: 'Hel' },
    { content: 'lo' },
    fragment(0, '{"a":1', { id: 'c0', name: 'mcp__demo__add' }),
    fragment(1, '{"input":"ls', { id: 'c1', name: 'apply_patch' }),
    fragment(0, '}'),
    fragment(1, '"}'),
  ],
  'tool_calls',
);
const messages = messagesEvents(
  [
    { type: 'thinking', thinking: 'Hm.', signature: 'EqQB' },
    { type: 'text', text: 'Hello' },
    { type: 'tool_use', id: 'c0', name: 'mcp__demo__add', input: { a: 1 } },
    { type: 'tool_use', id: 'c1', name: 'apply_patch', input: { input: 'ls' } },
  ],
  'tool_use',
);
const SOURCES = [
  ['chat', OVER_CHAT, chat, recordedChat],
  ['messages', OVER_MESSAGES, messages, recordedMessages],
] as const;

const detail = {
  type: 'reasoning.text',
  text: 'Hm.',
  signature: 'EqQB',
  format: 'anthropic-claude-v1',
  index: 0,
};
const SEALED = {
  chat: SEALS.seal({ text: 'Hm.', details: [], calls: {} }),
  messages: SEALS.seal({ text: '', details: [detail], calls: {} }),
};

/** The response that the official library must return, checked against the library's own types. */
const expected = (source: keyof typeof SEALED): Omit<Official, 'output_text'> => ({
  id: 'resp_01JD',
  object: 'response',
  created_at: 1_790_000_000,
  status: 'completed',
  model: 'gen-opus-4-8',
  service_tier: 'default',
  error: null,
  incomplete_details: null,
  access_programs: null,
  background: false,
  instructions: null,
  previous_response_id: null,
  tools: [],
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  temperature: 1,
  text: { format: { type: 'text' }, verbosity: 'medium' },
  tool_choice: 'auto',
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
  output: [
    {
      type: 'reasoning',
      id: 'rs_01JD_0',
      summary: [{ type: 'summary_text', text: 'Hm.' }],
      encrypted_content: SEALED[source],
    },
    {
      type: 'message',
      id: 'msg_01JD_1',
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'Hello', annotations: [], logprobs: [] }],
    },
    {
      type: 'function_call',
      id: 'fc_01JD_2',
      call_id: 'c0',
      name: 'add',
      namespace: 'mcp__demo',
      arguments: '{"a":1}',
      status: 'completed',
    },
    {
      type: 'custom_tool_call',
      id: 'ctc_01JD_3',
      call_id: 'c1',
      name: 'apply_patch',
      input: 'ls',
    },
  ],
});

describe.each(SOURCES)('the official library, over %s', (source, translator, events, recorded) => {
  test('assembles the response from the stream, as its types describe it', async () => {
    const response = await finalOf(translated(translator, [events]).text);
    expect(response).toMatchObject(expected(source));
    expect(response.output_text).toBe('Hello');
    expect(response.usage).toMatchObject({ total_tokens: 13 });
  });

  test('gets every kind of event with the members that its types require', async () => {
    const seen = new Map<string, OpenAI.Responses.ResponseStreamEvent>();
    const body = translated(translator, [events]).text;
    const stream = await clientOf(body).responses.create({
      model: 'm',
      input: 'Hi',
      stream: true,
    });
    for await (const event of stream) seen.set(event.type, event);
    const place = { item_id: 'fc_01JD_2', output_index: 2 };
    const done: OpenAI.Responses.ResponseFunctionCallArgumentsDoneEvent = {
      type: 'response.function_call_arguments.done',
      sequence_number: expect.any(Number),
      ...place,
      arguments: '{"a":1}',
    };
    const delta: OpenAI.Responses.ResponseTextDeltaEvent = {
      type: 'response.output_text.delta',
      sequence_number: expect.any(Number),
      item_id: 'msg_01JD_1',
      output_index: 1,
      content_index: 0,
      delta: expect.any(String),
      logprobs: [],
    };
    const input: OpenAI.Responses.ResponseCustomToolCallInputDoneEvent = {
      type: 'response.custom_tool_call_input.done',
      sequence_number: expect.any(Number),
      item_id: 'ctc_01JD_3',
      output_index: 3,
      input: 'ls',
    };
    for (const each of [done, delta, input]) expect(seen.get(each.type)).toMatchObject(each);
  });

  for (const name of recorded.names()) {
    test(`reads the recorded stream ${name} to its end`, async () => {
      const { text, ended } = translated(translator, [recorded.upstreamBytes(name)]);
      if (!ended) return expect(finalOf(text)).resolves.toMatchObject({ status: 'in_progress' });
      const { status, output, usage } = await finalOf(text);
      expect(['completed', 'incomplete']).toContain(String(status));
      expect(output.length).toBeGreaterThan(0);
      expect(Number.isInteger(usage?.total_tokens)).toBe(true);
    });
  }
});

const answers = {
  chat: {
    choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 4 },
  },
  messages: {
    type: 'message',
    content: [{ type: 'text', text: 'Hello' }],
    stop_reason: 'end_turn',
    usage: { input_tokens: 9, output_tokens: 4 },
  },
} as const;

test.each(SOURCES)('the official library reads a whole response over %s', async (source, over) => {
  const body = JSON.stringify(translatedWhole(over, answers[source]).response());
  const client = clientOf(body, 'application/json');
  const response = await client.responses.create({ model: 'm', input: 'Hi' });
  expect(response.output_text).toBe('Hello');
  expect(response.usage).toMatchObject({ input_tokens: 9, output_tokens: 4 });
});

describe('the AI SDK', () => {
  const options = (body: string, type: string) => {
    const fetch = async (_: unknown): Promise<Response> =>
      new Response(body, { headers: { 'content-type': type } });
    const provider = createOpenAI({
      apiKey: 'none',
      baseURL: 'http://gateway/v1',
      fetch: fetch as typeof globalThis.fetch,
    });
    const get_time = tool({
      inputSchema: jsonSchema<{ tz: string }>({ type: 'object' }),
      execute: async ({ tz }) => `12:00 ${tz}`,
    });
    return {
      model: provider.responses(STREAM_CONTEXT.model),
      prompt: 'Hi',
      tools: { get_time },
      maxRetries: 0,
    };
  };
  const called: JsonObject[] = [
    { reasoning_content: 'Hm.' },
    { content: 'Hello' },
    fragment(0, '{"tz":"UTC"}', { id: 'c0', name: 'get_time' }),
  ];

  test('reads text, reasoning and calls of a stream', async () => {
    const { text } = translated(OVER_CHAT, [chatEvents(called, 'tool_calls')], { request: TOOLS });
    const result = streamText(options(text, 'text/event-stream'));
    expect(await result.text).toBe('Hello');
    expect(await result.reasoningText).toBe('Hm.');
    expect(await result.toolCalls).toMatchObject([
      { toolName: 'get_time', input: { tz: 'UTC' }, toolCallId: 'c0' },
    ]);
    expect(await result.finishReason).toBe('tool-calls');
  });

  test('makes no call of one that the output limit cut', async () => {
    const cut = fragment(0, '{"tz":"U', { id: 'c0', name: 'get_time' });
    const { text } = translated(OVER_CHAT, [chatEvents([{ content: 'Hello' }, cut], 'length')]);
    const result = streamText(options(text, 'text/event-stream'));
    expect(await result.text).toBe('Hello');
    expect(await result.toolCalls).toEqual([]);
    expect(await result.finishReason).toBe('length');
    const response = await finalOf(text);
    expect(response).toMatchObject({
      status: 'incomplete',
      output: [{ type: 'message' }, { type: 'function_call', status: 'incomplete' }],
    });
  });

  test('reads a whole response', async () => {
    const body = JSON.stringify(translatedWhole(OVER_CHAT, answers.chat).response());
    const result = await generateText(options(body, 'application/json'));
    expect(result.text).toBe('Hello');
    expect(result.usage).toMatchObject({ inputTokens: 9, outputTokens: 4 });
  });
});
