import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { RESPONSES_FIELDS } from '../responses/fields.ts';
import { REQUEST_FIELDS } from './accepted-fields.fixture.ts';
import { ITEM_TYPES, PART_TYPES, TOOL_TYPES } from './field-table.ts';
import {
  asChat,
  call,
  chatBody,
  inputImage,
  messagesBody,
  output,
  PNG,
  reasoning,
  refusalOf,
  refused,
  said,
  user,
} from './request.fixture.ts';

const fn = { type: 'function', name: 'f', parameters: {} };
const SCHEMA = { type: 'object', properties: {} };

/** For each field, a value that would change the answer, and the members that the value needs. */
const FIELDS: Record<string, { value: unknown; beside?: JsonObject }> = {
  input: { value: 'Ho' },
  instructions: { value: 'Be brief.' },
  tools: { value: [fn] },
  tool_choice: { value: 'required', beside: { tools: [fn] } },
  parallel_tool_calls: { value: false, beside: { tools: [fn] } },
  reasoning: { value: { effort: 'low', summary: 'auto', context: 'all_turns' } },
  max_output_tokens: { value: 99 },
  temperature: { value: 0.5 },
  top_p: { value: 0.5 },
  top_logprobs: { value: 3 },
  include: { value: ['message.output_text.logprobs'] },
  text: { value: { format: { type: 'json_object' }, verbosity: 'low' } },
  service_tier: { value: 'flex' },
  stream_options: { value: { include_obfuscation: true } },
  truncation: { value: 'auto' },
  context_management: { value: [{ type: 'compaction', compact_threshold: 1000 }] },
  max_tool_calls: { value: 2 },
  prompt_cache_options: { value: { mode: 'explicit', ttl: '30m' } },
  prompt_cache_retention: { value: '24h' },
  user: { value: 'u1' },
  safety_identifier: { value: 'u1' },
  prompt_cache_key: { value: 'thread' },
  metadata: { value: { a: 'b' } },
  client_metadata: { value: { a: 'b' } },
  personality: { value: 'friendly' },
  image: { value: { context_compression: 'auto' } },
  store: { value: true },
  moderation: { value: {} },
  background: { value: true },
  background_options: { value: {} },
  conversation: { value: 'conv_1' },
  previous_response_id: { value: 'resp_1' },
  prompt: { value: { id: 'pmpt_1' } },
  access_programs: { value: {} },
  provider: { value: { channel: 'direct' } },
};
/** Fields that the relay sets: they depend on the route or on whether the answer streams. */
const SET_BY_THE_RELAY = ['model', 'stream'];

const body = (json: JsonObject): string => JSON.stringify(chatBody({ input: 'Hi', ...json }));

describe('the table of fields', () => {
  test('has a row for every known field', () => {
    const known = Object.keys(RESPONSES_FIELDS.rules);
    expect(known.filter((name) => !(name in REQUEST_FIELDS))).toEqual([]);
  });

  for (const [field, { fate }] of Object.entries(REQUEST_FIELDS)) {
    if (SET_BY_THE_RELAY.includes(field) || fate === 'refused') continue;
    test(`${field} is ${fate}`, () => {
      const { value, beside } = FIELDS[field] ?? {};
      const given = body({ ...beside, [field]: value });
      if (fate === 'mapped') expect(given).not.toBe(body({ ...beside }));
      else expect(given).toBe(body({ ...beside }));
    });
  }

  test('null is the same as an omitted field', () => {
    const nulls = Object.keys(FIELDS).filter((name) => name !== 'input');
    expect(body(Object.fromEntries(nulls.map((name) => [name, null])))).toBe(body({}));
    expect(body({ text: {}, tools: [], reasoning: { effort: null, summary: null } })).toBe(
      body({}),
    );
  });
});

describe('options', () => {
  test('have the names of chat', () => {
    const schema = { type: 'json_schema', name: 'n', schema: SCHEMA, strict: true };
    expect(
      chatBody({
        input: 'Hi',
        max_output_tokens: 99,
        reasoning: { effort: 'low' },
        text: { format: schema, verbosity: 'high' },
        top_logprobs: 2,
      }),
    ).toEqual({
      model: 'up',
      messages: [{ role: 'user', content: 'Hi' }],
      max_completion_tokens: 99,
      reasoning_effort: 'low',
      logprobs: true,
      top_logprobs: 2,
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'n', schema: SCHEMA, strict: true },
      },
      verbosity: 'high',
    });
  });

  test('obey the quirks of the server', () => {
    const asked = { input: 'Hi', max_output_tokens: 99, reasoning: { effort: 'low' } };
    expect(chatBody(asked, { maxTokensField: 'max_tokens', reasoningEffort: false })).toEqual({
      model: 'up',
      messages: [{ role: 'user', content: 'Hi' }],
      max_tokens: 99,
    });
    const thinkingOff = { thinking: { type: 'disabled' } };
    const none = { input: 'Hi', reasoning: { effort: 'none' } };
    expect(chatBody(none, { thinkingOff })).toMatchObject(thinkingOff);
    expect(chatBody(none)).toMatchObject({ reasoning_effort: 'none' });
  });

  test('are updated by items, of which the last one wins', () => {
    const update = (effort: string) => ({ type: 'configuration_update', reasoning: { effort } });
    const input = [update('low'), user('Hi'), update('high')];
    expect(chatBody({ input, reasoning: { effort: 'medium' } })).toMatchObject({
      reasoning_effort: 'high',
    });
    const format = { type: 'json_object' };
    const formatted = [{ type: 'configuration_update', text: { format } }, user('Hi')];
    expect(chatBody({ input: formatted })).toMatchObject({ response_format: format });
  });

  test('that Messages does not have are refused with the path of the caller', () => {
    const at = (json: JsonObject): string => {
      const message = refusalOf({ input: 'Hi', ...json }, messagesBody);
      const [, param = ''] = / at ([^:]+): /.exec(message) ?? [];
      expect(message).toContain(`: ${param}: `);
      return param;
    };
    expect(at({ top_logprobs: 2 })).toBe('top_logprobs');
    expect(at({ include: ['x', 'message.output_text.logprobs'] })).toBe('include[1]');
    const format = { type: 'json_schema', name: 'any', strict: true, schema: { type: 'object' } };
    expect(at({ text: { format } })).toBe('text.format');
  });

  test('pro mode is refused', () => {
    expect(refused({ input: 'Hi', reasoning: { mode: 'pro' } })).toBe(
      'unsupported_value at reasoning.mode',
    );
  });
});

/**
 * For each item type that is valid only together with other items, a function that returns an item
 * with those items.
 */
const AROUND: Record<string, (item: JsonObject) => JsonObject[]> = {
  function_call_output: () => [call('c'), output('c')],
  custom_tool_call_output: (item) => [call('c'), { ...item, output: 'x' }],
  tool_search_output: (item) => [call('c'), { ...item, tools: [fn] }],
  reasoning: () => [reasoning({ text: 'I think.' }), said('b')],
  additional_tools: (item) => [{ ...item, tools: [fn] }],
  configuration_update: (item) => [{ ...item, reasoning: { effort: 'low' } }],
};

describe('the table of items', () => {
  for (const [type, row] of Object.entries(ITEM_TYPES)) {
    test(`${type} is ${row.fate}`, () => {
      const item = { type, call_id: 'c', name: 'f', role: 'user', content: 'x', id: 'i' };
      const items = AROUND[type]?.(item) ?? [item];
      const quirks = { reasoningBack: 'reasoning_content' } as const;
      const without = JSON.stringify(chatBody({ input: [user('a')] }, quirks));
      const input = [user('a'), ...items];
      if (row.fate === 'refused') {
        expect(refusalOf({ input }, asChat)).toContain(`an item of type "${type}" ${row.remedy}.`);
        expect(refused({ input })).toMatch(/at input\[1\]\.(?:type|encrypted_content)$/);
        return;
      }
      const given = JSON.stringify(chatBody({ input }, quirks));
      if (row.fate === 'mapped') expect(given).not.toBe(without);
      else expect(given).toBe(without);
      if (type === 'reasoning') expect(given).toContain('I think.');
    });
  }

  test('an unknown item is refused with its place, as are entries that are no items', () => {
    const at = (item: unknown): string => refused({ input: [user('a'), item] });
    expect(at({ type: 'hologram' })).toBe('unsupported_value at input[1].type');
    expect(at({ type: 'toString' })).toBe('unsupported_value at input[1].type');
    expect(at({ id: 'msg_1' })).toBe('unsupported_value at input[1].type');
    expect(at('text')).toBe('invalid_value at input[1]');
    expect(at({ role: 'tool', content: 'x' })).toBe('invalid_value at input[1].role');
  });
});

describe('the table of parts', () => {
  const PARTS: Record<string, JsonObject> = {
    input_text: { text: 'x' },
    output_text: { text: 'x' },
    text: { text: 'x' },
    refusal: { refusal: 'x' },
    encrypted_content: { encrypted_content: 'x' },
    input_image: { image_url: PNG },
    input_file: { file_data: 'data:application/pdf;base64,JVBERi0=', filename: 'a.pdf' },
    input_audio: { input_audio: { data: 'UklGRg==', format: 'wav' } },
  };
  for (const type of Object.keys(PART_TYPES)) {
    test(`${type} is mapped`, () => {
      const { messages } = chatBody({ input: [user([{ type, ...PARTS[type] }])] });
      expect(JSON.stringify(messages)).toMatch(/"x"|base64|UklGRg==/);
    });
  }

  test('media have the form of chat', () => {
    const parts = [
      inputImage('https://example.com/a.png', { detail: 'original' }),
      inputImage(PNG, { detail: null }),
      { type: 'input_file', ...PARTS['input_file'] },
    ];
    expect(chatBody({ input: [user(parts)] })['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'https://example.com/a.png', detail: 'high' } },
          { type: 'image_url', image_url: { url: PNG } },
          {
            type: 'file',
            file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
          },
        ],
      },
    ]);
  });

  test('a file by URL reaches Messages, and is refused for chat', () => {
    const url = 'https://example.com/a.pdf';
    const input = [user('Hi'), user([{ type: 'input_file', file_url: url, filename: 'a.pdf' }])];
    expect(messagesBody({ input })['messages']).toMatchObject([
      {
        content: [
          { type: 'text' },
          { type: 'document', source: { type: 'url', url }, title: 'a.pdf' },
        ],
      },
    ]);
    expect(refusalOf({ input }, asChat)).toStartWith(
      'unsupported_value at input[1].content[0].file_url: ',
    );
  });

  test('cache markers become markers of Messages, and chat servers get none', () => {
    const marker = { prompt_cache_breakpoint: { mode: 'explicit' } };
    const input = [user([{ type: 'input_text', text: 'a', ...marker }]), user('b')];
    expect(messagesBody({ input })['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'a', cache_control: { type: 'ephemeral' } },
          { type: 'text', text: 'b' },
        ],
      },
    ]);
    expect(chatBody({ input })['messages']).toEqual([
      { role: 'user', content: 'a' },
      { role: 'user', content: 'b' },
    ]);
  });

  test('that are invalid are refused with their path', () => {
    const at = (part: unknown): string => refused({ input: [user('a'), user([part])] });
    const path = 'input[1].content[0]';
    expect(at({ type: 'hologram' })).toBe(`unsupported_value at ${path}.type`);
    expect(at('text')).toBe(`invalid_value at ${path}`);
    expect(at({ type: 'input_text' })).toBe(`invalid_value at ${path}.text`);
    expect(at({ type: 'input_image', file_id: 'f' })).toBe(`unsupported_value at ${path}.file_id`);
    expect(at({ type: 'input_image' })).toBe(`missing_required_parameter at ${path}.image_url`);
    expect(at({ type: 'input_file', file_id: 'f' })).toBe(`unsupported_value at ${path}.file_id`);
    expect(at({ type: 'input_file' })).toBe(`missing_required_parameter at ${path}.file_data`);
    expect(at({ type: 'input_file', file_url: 'ftp://x' })).toBe(
      `invalid_value at ${path}.file_url`,
    );
    expect(at({ type: 'input_audio' })).toBe(`invalid_value at ${path}.input_audio`);
    expect(refused({ input: [user({ a: 1 })] })).toBe('invalid_value at input[0].content');
    const image = inputImage();
    for (const role of ['assistant', 'system', 'developer']) {
      const input = [user('a'), { role, content: [image] }];
      expect(refused({ input })).toBe('unsupported_value at input[1].content[0].type');
    }
    const result = [call('c'), output('c', [{ type: 'input_image', file_id: 'f' }])];
    expect(refused({ input: result })).toBe('unsupported_value at input[1].output[0].file_id');
  });

  test('that Messages refuses have the path of the caller', () => {
    const at = (...input: JsonObject[]): string =>
      refusalOf({ input }, messagesBody).split(': ')[0] ?? '';
    const bad = inputImage('data:image/tiff;base64,AA==');
    expect(at(user('a'), said('b'), user([{ type: 'input_text', text: '' }, bad]))).toBe(
      'unsupported_value at input[2].content[1].image_url',
    );
    expect(at(call('c'), output('c', [bad]))).toBe(
      'unsupported_value at input[1].output[0].image_url',
    );
    const file = { type: 'input_file', file_data: 'JVBERi0=' };
    expect(at(user([file]))).toBe('invalid_value at input[0].content[0].file_data');
    const audio = { type: 'input_audio', ...PARTS['input_audio'] };
    expect(at(user([audio]))).toBe('unsupported_value at input[0].content[0].type');
    const large = call('c', 'f', `"${'x'.repeat(2_100_000)}"`);
    expect(at(user('a'), large, output('c'))).toBe('invalid_value at input[1].arguments');
    expect(at({ role: 'developer', content: 'x' })).toBe('invalid_value at input');
  });
});

describe('the table of tools', () => {
  for (const [type, row] of Object.entries(TOOL_TYPES)) {
    test(`${type} is ${row.fate}`, () => {
      const tool = { type, name: 'g', execution: 'client', tools: [fn], server_label: 'x' };
      const given = { input: 'Hi', tools: [fn, tool] };
      if (row.fate === 'refused') {
        expect(refusalOf(given, asChat)).toContain(`a tool of type "${type}" ${row.remedy}.`);
        expect(refused(given)).toBe('unsupported_parameter at tools[1].type');
        return;
      }
      const { tools } = chatBody(given);
      expect(tools).toHaveLength(row.fate === 'mapped' ? 2 : 1);
    });
  }

  test('an unknown tool is refused', () => {
    expect(refused({ input: 'Hi', tools: [{ type: 'hologram' }] })).toBe(
      'unsupported_parameter at tools[0].type',
    );
  });
});
