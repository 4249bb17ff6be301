import { describe, expect, test } from 'bun:test';
import { chatSchema, partSchemas } from '../chat/schema.ts';
import { type FieldFate, REQUEST_FIELDS } from './field-table.ts';
import { MESSAGE_FIELDS, PART_TYPES } from './message-fields.fixture.ts';
import {
  assistant,
  call,
  messagesText,
  refusalOf,
  result,
  target,
  user,
} from './request.fixture.ts';

const tool = { type: 'function', function: { name: 'get_time' } };
const HI = [user('Hi')];

/**
 * For each field, a value that would change the answer. `beside` has other members of the request
 * that this value requires.
 */
const SAMPLES: Record<string, { value: unknown; beside?: Record<string, unknown> }> = {
  messages: { value: [user('Ho')] },
  stream_options: { value: { include_usage: true } },
  max_completion_tokens: { value: 5 },
  max_tokens: { value: 5 },
  n: { value: 2 },
  temperature: { value: 0.5 },
  top_p: { value: 0.5 },
  presence_penalty: { value: 1 },
  frequency_penalty: { value: 1 },
  logit_bias: { value: { 50256: -100 } },
  logprobs: { value: true },
  top_logprobs: { value: 3 },
  seed: { value: 7 },
  stop: { value: ['END'] },
  tools: { value: [tool] },
  tool_choice: { value: 'required', beside: { tools: [tool] } },
  parallel_tool_calls: { value: false, beside: { tools: [tool] } },
  functions: { value: [{ name: 'get_time' }] },
  function_call: { value: { name: 'get_time' }, beside: { functions: [{ name: 'get_time' }] } },
  response_format: { value: { type: 'json_object' } },
  reasoning_effort: { value: 'high' },
  verbosity: { value: 'low' },
  service_tier: { value: 'default' },
  metadata: { value: { job: 'a' } },
  store: { value: true },
  user: { value: 'u1' },
  safety_identifier: { value: 's1' },
  prompt_cache_key: { value: 'k' },
  prompt_cache_options: { value: { mode: 'explicit' } },
  prompt_cache_retention: { value: '24h' },
  audio: { value: { voice: 'alloy', format: 'wav' } },
  modalities: { value: ['text'] },
  prediction: { value: { type: 'content', content: 'x' } },
  moderation: { value: { model: 'm' } },
  web_search_options: { value: {} },
  provider: { value: { channel: 'direct' } },
};

/**
 * Fields that the relay sets. Their values depend on the route, and on whether the answer is
 * streamed.
 */
const SAID_BY_THE_RELAY = ['model', 'stream'];

describe('the table of fields', () => {
  test('has exactly one row for every field of chat completions', () => {
    expect(Object.keys(REQUEST_FIELDS).sort()).toEqual(Object.keys(chatSchema().shape).sort());
    expect(Object.keys(PART_TYPES).sort()).toEqual([...partSchemas().keys()].sort());
  });

  for (const [field, row] of Object.entries(REQUEST_FIELDS)) {
    if (SAID_BY_THE_RELAY.includes(field)) continue;
    test(`${field} is ${row.fate}`, () => {
      const sample = SAMPLES[field];
      if (sample === undefined) throw new Error(`no sample of ${field}`);
      const without = { messages: HI, ...sample.beside };
      expectFate(row, field, without, { ...without, [field]: sample.value });
    });
  }

  test('the relay sets the model and the stream', () => {
    const text = messagesText({ messages: HI }, { ...target(), model: 'other' }, true);
    expect(text).toStartWith('{"model":"other",');
    expect(text).toEndWith(',"stream":true}');
  });

  test('an unknown field is dropped', () => {
    expect(messagesText({ messages: HI, extra: 1 })).toBe(messagesText({ messages: HI }));
  });
});

describe('the table of message fields', () => {
  const answered = [result('a', '12:00'), user('And now?')];
  const thought = { type: 'thinking', thinking: 'Hm', signature: 'sig' };
  const detail = { type: 'reasoning.text', text: 'Hm', signature: 'sig' };
  const samples: Record<string, [without: readonly unknown[], withIt: readonly unknown[]]> = {
    role: [
      [user('a'), { role: 'system', content: 'b' }],
      [user('a'), user('b')],
    ],
    content: [HI, [user('Ho')]],
    name: [HI, [{ ...user('Hi'), name: 'ann' }]],
    tool_call_id: [
      [
        user('x'),
        assistant({ tool_calls: [call('a', 'f', '{}'), call('b', 'f', '{}')] }),
        result('a', '1'),
        result('b', '2'),
      ],
      [
        user('x'),
        assistant({ tool_calls: [call('a', 'f', '{}'), call('b', 'f', '{}')] }),
        result('b', '1'),
        result('a', '2'),
      ],
    ],
    tool_calls: [
      [user('x'), assistant({ content: 'y' }), user('And now?')],
      [user('x'), assistant({ content: 'y', tool_calls: [call('a', 'f', '{}')] }), ...answered],
    ],
    function_call: [
      [user('x'), assistant({ content: 'y' }), user('And now?')],
      [
        user('x'),
        assistant({ content: 'y', function_call: { name: 'f', arguments: '{}' } }),
        { role: 'function', name: 'f', content: '1' },
        user('And now?'),
      ],
    ],
    refusal: [
      [user('x'), assistant({ content: 'y' })],
      [user('x'), assistant({ content: 'y', refusal: 'No.' })],
    ],
    audio: [HI, [user('x'), assistant({ audio: { id: 'a' } })]],
    reasoning_content: [
      [user('x'), assistant({ content: 'y' })],
      [user('x'), assistant({ content: 'y', reasoning_content: 'Hm' })],
    ],
    reasoning_details: [
      [user('x'), assistant({ content: 'y' })],
      [user('x'), assistant({ content: 'y', reasoning_details: [detail] })],
    ],
    thinking_blocks: [
      [user('x'), assistant({ content: 'y' })],
      [user('x'), assistant({ content: 'y', thinking_blocks: [thought] })],
    ],
  };

  for (const [field, row] of Object.entries(MESSAGE_FIELDS)) {
    test(`${field} is ${row.fate}`, () => {
      const [without, withIt] = samples[field] ?? [];
      if (without === undefined) throw new Error(`no sample of ${field}`);
      expectFate(row, field, { messages: without }, { messages: withIt });
    });
  }
});

describe('the table of content parts', () => {
  const samples: Record<string, Record<string, unknown>> = {
    text: { text: 'more' },
    image_url: { image_url: { url: 'https://example.com/a.png' } },
    file: { file: { file_data: 'data:application/pdf;base64,JVBERi0=' } },
    refusal: { refusal: 'No.' },
    input_audio: { input_audio: { data: 'UklGRg==', format: 'wav' } },
    video_url: { video_url: { url: 'https://example.com/a.mp4' } },
  };

  for (const [type, row] of Object.entries(PART_TYPES)) {
    test(`${type} is ${row.fate}`, () => {
      const said = { type: 'text', text: 'Hi' };
      const role = type === 'refusal' ? 'assistant' : 'user';
      const messages = (...content: unknown[]) => ({ messages: [user('x'), { role, content }] });
      const part = { type, ...samples[type] };
      expectFate(row, `content[1]`, messages(said), messages(said, part));
    });
  }
});

type Body = Parameters<typeof messagesText>[0];

function expectFate(row: FieldFate, field: string, without: Body, withIt: Body): void {
  switch (row.fate) {
    case 'mapped':
      expect(messagesText(withIt)).not.toBe(messagesText(without));
      break;
    case 'dropped':
      expect(messagesText(withIt)).toBe(messagesText(without));
      break;
    case 'refused':
      expect(refusalOf(withIt)).toMatch(/^unsupported_(?:value|parameter) at /);
      expect(refusalOf(withIt)).toContain(field);
      break;
  }
}
