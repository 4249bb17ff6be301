import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { NO_PLAN } from '../request-fields.ts';
import type { RequestTarget } from '../translator.ts';
import {
  asChat,
  asMessages,
  call,
  inputImage,
  inputText,
  output,
  PNG,
  reasoning,
  said,
  signed,
  target,
  user,
} from './request.fixture.ts';
import type { ReadRequest } from './request.ts';

const sent = ({ bodyFor }: ReadRequest, to: RequestTarget): JsonObject =>
  JSON.parse(new TextDecoder().decode(bodyFor(to)));
const HI = { role: 'user', content: 'Hi' };

describe('a chat request', () => {
  test('streams with usage, if the server knows stream_options', () => {
    const read = asChat({ input: 'Hi' }, true);
    expect(sent(read, target())).toEqual({
      model: 'up',
      messages: [HI],
      stream: true,
      stream_options: { include_usage: true },
    });
    expect(sent(read, target({ streamOptions: false }))).toEqual({
      model: 'up',
      messages: [HI],
      stream: true,
    });
    expect(sent(asChat({ input: 'Hi' }), target())).toEqual({ model: 'up', messages: [HI] });
  });

  test('has the lower limit that the hold covers, and the fields of the plan', () => {
    const read = asChat({ input: 'Hi', max_output_tokens: 99, service_tier: 'flex', user: 'me' });
    const edits = new Map([
      ['service_tier', null],
      ['user', '"digest"'],
    ]);
    const to = { ...target(), clampedOutput: 7, plan: { ...NO_PLAN, edits } };
    const body = { model: 'up', messages: [HI], max_completion_tokens: 7, user: 'digest' };
    expect(sent(read, to)).toEqual(body);
    const strict = { ...to, quirks: { ...to.quirks, drop: ['user'] } };
    const { user: _, ...rest } = body;
    expect(sent(read, strict)).toEqual(rest);
  });

  test('has the detail of images that the plan writes', () => {
    const read = asChat({ input: [user([inputImage()])] });
    const to = { ...target(), plan: { ...NO_PLAN, imageDetail: 'high' as const } };
    expect(sent(read, to)['messages']).toEqual([
      { role: 'user', content: [{ type: 'image_url', image_url: { url: PNG, detail: 'high' } }] },
    ]);
  });

  test('has a format with its description, and entries of reasoning without places', () => {
    const format = { type: 'json_schema', name: 'n', description: 'A list.', schema: {} };
    const input = [user('Hi'), reasoning({ details: [signed('x')] }), said('b'), user('c')];
    const body = sent(asChat({ input, text: { format } }), target({ reasoningBack: 'reasoning' }));
    expect(body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'n', description: 'A list.', schema: {} },
    });
    expect(body['messages']).toEqual([
      HI,
      { role: 'assistant', content: 'b', reasoning: 'x', reasoning_details: [signed('x')] },
      { role: 'user', content: 'c' },
    ]);
  });
});

describe('a Messages request', () => {
  test('streams, and has the output limit of the model or of the caller', () => {
    const content = [{ type: 'text', text: 'Hi' }];
    const messages = [{ role: 'user', content }];
    expect(sent(asMessages({ input: 'Hi' }, true), target())).toEqual({
      model: 'up',
      max_tokens: 128_000,
      messages,
      stream: true,
    });
    expect(sent(asMessages({ input: 'Hi', max_output_tokens: 99 }), target())).toEqual({
      model: 'up',
      max_tokens: 99,
      messages,
    });
  });

  test('has a schema for its output, and the fields of the plan', () => {
    const format = {
      type: 'json_schema',
      name: 'n',
      schema: { type: 'object', properties: { a: { type: 'string' } } },
    };
    const edits = new Map([['metadata', '{"user_id":"digest"}']]);
    const to = { ...target(), plan: { ...NO_PLAN, edits } };
    expect(sent(asMessages({ input: 'Hi', text: { format }, user: 'me' }), to)).toMatchObject({
      output_config: {
        format: { type: 'json_schema', schema: { additionalProperties: false } },
      },
      metadata: { user_id: 'digest' },
    });
  });

  test('of a conversation is marked for the cache, unless the caller marks it', () => {
    const long = 'words '.repeat(1_000);
    const request = { input: [user(long), said('b'), user('c')] };
    const to = { ...target(), plan: { ...NO_PLAN, marksCache: true } };
    const isMarked = (more: JsonObject): boolean =>
      JSON.stringify(sent(asMessages({ ...request, ...more }), to)).includes('cache_control');
    expect(isMarked({})).toBe(true);
    expect(isMarked({ prompt_cache_options: { mode: 'explicit' } })).toBe(false);
  });
});

/** A second request of Codex, sent after calls of three kinds of tools. */
const CODEX: JsonObject = {
  stream: true,
  input: [
    ...['You are a coding agent.', '<permissions instructions>'].map((text) => ({
      type: 'message',
      id: 'msg_343a',
      role: 'developer',
      content: [inputText(text)],
    })),
    user([inputText('<environment_context>')]),
    user([inputText('use the tools')]),
    reasoning({ details: [signed('thinking')] }),
    { ...said('I will look first'), phase: 'commentary' },
    call('call_a', 'exec_command', '{"cmd": "pwd"}'),
    call('call_b', 'add', '{"a":1}', { namespace: 'mcp__demo' }),
    {
      type: 'custom_tool_call',
      id: 'ctc_c',
      call_id: 'call_c',
      name: 'apply_patch',
      input: '*** Begin Patch',
      status: 'completed',
    },
    output('call_a', 'Chunk ID: 73b2c4'),
    output('call_b', [inputText('Wall time'), inputImage(PNG, { detail: 'high' })]),
    { type: 'custom_tool_call_output', id: 'ctco_c', call_id: 'call_c', output: 'aborted' },
  ],
  tools: [
    { type: 'function', name: 'exec_command', description: 'Runs.', strict: false, parameters: {} },
    {
      type: 'namespace',
      name: 'mcp__demo',
      description: 'Tools in the mcp__demo namespace.',
      tools: [
        { type: 'function', name: 'add', description: 'adds', strict: false, parameters: {} },
      ],
    },
    { type: 'custom', name: 'apply_patch', description: 'Patches.', format: { type: 'text' } },
    { type: 'web_search', external_web_access: false },
  ],
  tool_choice: 'auto',
  parallel_tool_calls: true,
  reasoning: { summary: 'auto' },
  store: false,
  include: ['reasoning.encrypted_content'],
  prompt_cache_key: 'thread',
  client_metadata: { session: 's' },
};

describe('the second request of Codex', () => {
  const schema = { type: 'object', properties: {} };
  const patch = {
    type: 'object',
    properties: { input: { type: 'string' } },
    required: ['input'],
  };
  const about = {
    add: 'Tools in the mcp__demo namespace.\n\nadds',
    patch: 'Patches.\n\nThe input is free text, not JSON.',
  };

  test('reaches Messages with its signature, its image and one turn for each author', () => {
    const text = (words: string) => ({ type: 'text', text: words });
    expect(sent(asMessages(CODEX, true), target())).toEqual({
      model: 'up',
      max_tokens: 128_000,
      system: [text('You are a coding agent.'), text('<permissions instructions>')],
      messages: [
        { role: 'user', content: [text('<environment_context>'), text('use the tools')] },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'thinking', signature: 'sig of thinking' },
            text('I will look first'),
            { type: 'tool_use', id: 'call_a', name: 'exec_command', input: { cmd: 'pwd' } },
            { type: 'tool_use', id: 'call_b', name: 'mcp__demo__add', input: { a: 1 } },
            {
              type: 'tool_use',
              id: 'call_c',
              name: 'apply_patch',
              input: { input: '*** Begin Patch' },
            },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'call_a', content: [text('Chunk ID: 73b2c4')] },
            {
              type: 'tool_result',
              tool_use_id: 'call_b',
              content: [
                text('Wall time'),
                {
                  type: 'image',
                  source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' },
                },
              ],
            },
            { type: 'tool_result', tool_use_id: 'call_c', content: [text('aborted')] },
          ],
        },
      ],
      tools: [
        { name: 'exec_command', description: 'Runs.', input_schema: schema },
        { name: 'mcp__demo__add', description: about.add, input_schema: schema },
        { name: 'apply_patch', description: about.patch, input_schema: patch },
      ],
      stream: true,
    });
  });

  test('reaches chat with one message for all calls, and the image after the results', () => {
    const made = (id: string, name: string, json: string) => ({
      id,
      type: 'function',
      function: { name, arguments: json },
    });
    const tool = (name: string, description: string, parameters: JsonObject) => ({
      type: 'function',
      function: { name, description, parameters },
    });
    expect(sent(asChat(CODEX, true), target())).toEqual({
      model: 'up',
      messages: [
        { role: 'system', content: 'You are a coding agent.\n\n<permissions instructions>' },
        { role: 'user', content: '<environment_context>' },
        { role: 'user', content: 'use the tools' },
        {
          role: 'assistant',
          content: 'I will look first',
          tool_calls: [
            made('call_a', 'exec_command', '{"cmd": "pwd"}'),
            made('call_b', 'mcp__demo__add', '{"a":1}'),
            made('call_c', 'apply_patch', '{"input":"*** Begin Patch"}'),
          ],
        },
        { role: 'tool', tool_call_id: 'call_a', content: 'Chunk ID: 73b2c4' },
        {
          role: 'tool',
          tool_call_id: 'call_b',
          content: 'Wall time\n\nIts images and files are in the next user message.',
        },
        { role: 'tool', tool_call_id: 'call_c', content: 'aborted' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Shown by tool call call_b:' },
            { type: 'image_url', image_url: { url: PNG, detail: 'high' } },
          ],
        },
      ],
      tools: [
        tool('exec_command', 'Runs.', schema),
        tool('mcp__demo__add', about.add, schema),
        tool('apply_patch', about.patch, patch),
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });
});
