/** Tests whole streams, event by event, as a Responses caller gets them from each upstream. */
import { describe, expect, test } from 'bun:test';
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import { brokenRules, type ResponsesEvent } from '../responses-rules.fixture.ts';
import {
  chatEvents,
  fragment,
  messagesEvents,
  OVER_CHAT,
  OVER_MESSAGES,
  SEALS,
  translated,
} from './answer.fixture.ts';

/**
 * Returns an event's type and its members without the sequence number. A response is reduced to its
 * status.
 */
function shortened({ type, sequence_number: _, ...members }: ResponsesEvent): unknown[] {
  const response = asJsonObject(members['response']);
  return [type, response === null ? members : response['status']];
}

const typesOf = (events: readonly ResponsesEvent[]): string[] =>
  events.map(({ type }) => type.replace('response.', ''));

const last = (events: readonly ResponsesEvent[]): JsonObject =>
  asJsonObject(events.at(-1)?.['response']) ?? {};

const outputOf = (events: readonly ResponsesEvent[]): readonly JsonObject[] =>
  asArray(last(events)['output']).map((item) => asJsonObject(item) ?? {});

const thinking = { type: 'thinking', thinking: 'I think.', signature: 'EqQB' } as const;
const use = { type: 'tool_use', id: 'toolu_01A', name: 'mcp__demo__add', input: { a: 1 } } as const;

/**
 * The events of reasoning and a call. `sealed` is the expected `encrypted_content`, which differs
 * by upstream.
 */
const REASONING_AND_CALL = (callId: string, sealed: string): unknown[][] => {
  const summary = { type: 'summary_text', text: 'I think.' };
  const reasoning = { item_id: 'rs_01JD_0', output_index: 0, summary_index: 0 };
  const call = { item_id: 'fc_01JD_1', output_index: 1 };
  const begun = {
    type: 'function_call',
    id: 'fc_01JD_1',
    call_id: callId,
    name: 'add',
    namespace: 'mcp__demo',
  };
  const whole = { ...begun, arguments: '{"a":1}', status: 'completed' };
  const item = { type: 'reasoning', id: 'rs_01JD_0', summary: [] as unknown[] };
  return [
    ['response.created', 'in_progress'],
    ['response.in_progress', 'in_progress'],
    ['response.output_item.added', { output_index: 0, item }],
    [
      'response.reasoning_summary_part.added',
      { ...reasoning, part: { type: 'summary_text', text: '' } },
    ],
    ['response.reasoning_summary_text.delta', { ...reasoning, delta: 'I think.' }],
    ['response.reasoning_summary_text.done', { ...reasoning, text: 'I think.' }],
    ['response.reasoning_summary_part.done', { ...reasoning, part: summary }],
    [
      'response.output_item.done',
      { output_index: 0, item: { ...item, summary: [summary], encrypted_content: sealed } },
    ],
    [
      'response.output_item.added',
      { output_index: 1, item: { ...begun, arguments: '', status: 'in_progress' } },
    ],
    ['response.function_call_arguments.delta', { ...call, delta: '{"a":1}' }],
    ['response.function_call_arguments.done', { ...call, name: 'add', arguments: '{"a":1}' }],
    ['response.output_item.done', { output_index: 1, item: whole }],
    ['response.completed', 'completed'],
  ];
};

describe('reasoning, then a call of a tool in a namespace', () => {
  const sealed = { text: 'I think.', details: [], calls: {} };

  test('from chat', () => {
    const { events, text } = translated(OVER_CHAT, [
      chatEvents(
        [
          { reasoning_content: 'I think.' },
          fragment(0, '', { id: 'call_1', name: 'mcp__demo__add' }),
          fragment(0, '{"a":1}'),
        ],
        'tool_calls',
      ),
    ]);
    expect(events.map(shortened)).toEqual(REASONING_AND_CALL('call_1', SEALS.seal(sealed)));
    expect(brokenRules(text, true)).toEqual([]);
  });

  test('from Messages, with the signature in the seal', () => {
    const { events, text } = translated(OVER_MESSAGES, [
      messagesEvents([thinking, use], 'tool_use'),
    ]);
    const detail = {
      type: 'reasoning.text',
      text: 'I think.',
      signature: 'EqQB',
      format: 'anthropic-claude-v1',
      index: 0,
    };
    const seal = SEALS.seal({ ...sealed, text: '', details: [detail] });
    expect(events.map(shortened)).toEqual(REASONING_AND_CALL('toolu_01A', seal));
    expect(brokenRules(text, true)).toEqual([]);
  });
});

test('the first and the last event have every member that clients require', () => {
  const request = { metadata: { a: 'b' }, temperature: null, tool_choice: 'none' };
  const { events } = translated(OVER_CHAT, [chatEvents([{ content: 'Hi' }])], { request });
  const expected = {
    id: 'resp_01JD',
    object: 'response',
    created_at: 1_790_000_000,
    status: 'in_progress',
    model: 'gen-opus-4-8',
    service_tier: 'default',
    error: null,
    incomplete_details: null,
    access_programs: null,
    background: false,
    instructions: null,
    previous_response_id: null,
    store: false,
    tools: [],
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: { a: 'b' },
    parallel_tool_calls: true,
    prompt_cache_key: null,
    reasoning: { effort: null, summary: null },
    safety_identifier: null,
    temperature: 1,
    text: { format: { type: 'text' }, verbosity: 'medium' },
    tool_choice: 'none',
    top_logprobs: 0,
    top_p: 1,
    truncation: 'disabled',
    user: null,
    output: [],
    usage: null,
  };
  expect(events[0]?.['response']).toEqual(expected);
  expect(events[1]?.['response']).toEqual(expected);
  const part = { type: 'output_text', text: 'Hi', annotations: [], logprobs: [] };
  expect(last(events)).toEqual({
    ...expected,
    status: 'completed',
    output: [
      {
        type: 'message',
        id: 'msg_01JD_0',
        status: 'completed',
        role: 'assistant',
        content: [part],
      },
    ],
    usage: {
      input_tokens: 9,
      input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 13,
      cost: 0.0001234,
      cost_exact: '0.000123400',
      cost_currency: 'USD',
    },
  });
});

describe('parallel calls', () => {
  test('interleaved by index each get their own deltas', () => {
    const { events, text } = translated(OVER_CHAT, [
      chatEvents(
        [
          fragment(0, '{"a"', { id: 'c0', name: 'get_time' }),
          fragment(1, '{"input":"*** ', { id: 'c1', name: 'apply_patch' }),
          fragment(0, ':1}'),
          fragment(1, 'Begin\\n"}'),
        ],
        'tool_calls',
      ),
    ]);
    expect(brokenRules(text, true)).toEqual([]);
    expect(outputOf(events)).toMatchObject([
      { type: 'function_call', call_id: 'c0', name: 'get_time', arguments: '{"a":1}' },
      { type: 'custom_tool_call', call_id: 'c1', name: 'apply_patch', input: '*** Begin\n' },
    ]);
    const deltas = events.filter(({ type }) => type.endsWith('.delta'));
    expect(deltas.map(({ output_index, delta }) => [output_index, delta])).toEqual([
      [0, '{"a"'],
      [1, '*** '],
      [0, ':1}'],
      [1, 'Begin\n'],
    ]);
  });

  test('of which one is complete are finished before the next begins', () => {
    const { events } = translated(OVER_CHAT, [
      chatEvents([
        fragment(0, '{}', { id: 'c0', name: 'get_time' }),
        fragment(1, '{}', { id: 'c1', name: 'get_time' }),
      ]),
    ]);
    const done = events.findIndex(({ type }) => type === 'response.output_item.done');
    const second = events.findLastIndex(({ type }) => type === 'response.output_item.added');
    expect(done).toBeLessThan(second);
  });

  test('with the same id, or without one, get ids of their own', () => {
    const { events } = translated(OVER_CHAT, [
      chatEvents([
        fragment(0, '{}', { id: 'c', name: 'get_time' }),
        fragment(1, '{}', { id: 'c', name: 'get_time' }),
        fragment(2, '{}', { name: 'get_time' }),
      ]),
    ]);
    const ids = outputOf(events).map(({ call_id }) => call_id);
    expect(ids).toEqual(['c', 'call_01JD_1', 'call_01JD_2']);
  });

  test('may be 128, and not more', () => {
    const calls = (count: number) =>
      Array.from({ length: count }, (_, at) => fragment(at, '{}', { id: `c${at}`, name: 'f' }));
    const most = translated(OVER_CHAT, [chatEvents(calls(128))]);
    expect(outputOf(most.events)).toHaveLength(128);
    const more = translated(OVER_CHAT, [chatEvents(calls(129))]);
    expect(more.facts.error?.message).toBe('The upstream sent more than 128 tool calls.');
    expect(more.ended).toBe(false);
  });
});

describe('tools come back in the form in which they were offered', () => {
  const only = (name: string, args: string): JsonObject | undefined =>
    outputOf(translated(OVER_CHAT, [chatEvents([fragment(0, args, { id: 'c', name })])]).events)[0];

  test('a custom tool in a namespace', () => {
    expect(only('mcp__demo__run', '{"input":"ls"}')).toEqual({
      type: 'custom_tool_call',
      id: 'ctc_01JD_0',
      call_id: 'c',
      name: 'run',
      namespace: 'mcp__demo',
      input: 'ls',
      status: 'completed',
    });
  });

  test('a tool search, whose arguments are an object', () => {
    expect(only('tool_search', '{"query":\n"x"}')).toEqual({
      type: 'tool_search_call',
      id: 'tsc_01JD_0',
      call_id: 'c',
      execution: 'client',
      arguments: { query: 'x' },
      status: 'completed',
    });
  });

  test('a name that no tool has is a function', () => {
    expect(only('other', '{}')).toMatchObject({ type: 'function_call', name: 'other' });
  });

  test('a function without arguments has an empty object as one delta', () => {
    for (const args of ['', ' ']) {
      const { events } = translated(OVER_CHAT, [
        chatEvents([fragment(0, args, { id: 'c', name: 'get_time' })]),
      ]);
      expect(events.some(({ type }) => type.endsWith('arguments.delta'))).toBe(true);
      expect(String(outputOf(events)[0]?.['arguments']).trim()).toBe('{}');
    }
  });
});

describe('an answer that the output limit cuts', () => {
  const cutCall = [fragment(0, '{"cmd":"rm', { id: 'c', name: 'get_time' })];

  test('never reports the cut call as done', () => {
    const { events, text } = translated(OVER_CHAT, [
      chatEvents([{ content: 'I' }, ...cutCall], 'length'),
    ]);
    expect(last(events)).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
    });
    expect(outputOf(events).map(({ type, status }) => [type, status])).toEqual([
      ['message', 'completed'],
      ['function_call', 'incomplete'],
    ]);
    const done = events.filter(({ type }) => type === 'response.output_item.done');
    expect(done.map(({ output_index }) => output_index)).toEqual([0]);
    expect(typesOf(events)).not.toContain('function_call_arguments.done');
    expect(brokenRules(text, true)).toEqual([]);
  });

  test('adds no arguments to a call that has none yet', () => {
    const bare = fragment(0, '', { id: 'c', name: 'get_time' });
    const { events } = translated(OVER_CHAT, [chatEvents([bare], 'length')]);
    expect(outputOf(events)).toMatchObject([{ arguments: '', status: 'incomplete' }]);
  });

  test('reports a call whose arguments are complete as done', () => {
    const whole = [fragment(0, '{"cmd":"ls"}', { id: 'c', name: 'get_time' })];
    const { events } = translated(OVER_CHAT, [chatEvents(whole, 'length')]);
    expect(outputOf(events)).toMatchObject([{ status: 'completed' }]);
  });

  test('has an incomplete message, from chat and from Messages', () => {
    const block = { type: 'text', text: 'I will' };
    for (const { events } of [
      translated(OVER_CHAT, [chatEvents([{ content: 'I will' }], 'length')]),
      translated(OVER_MESSAGES, [messagesEvents([block], 'max_tokens')]),
    ]) {
      expect(last(events)['status']).toBe('incomplete');
      expect(outputOf(events)).toMatchObject([{ type: 'message', status: 'incomplete' }]);
    }
  });
});

describe('text', () => {
  test('after a call is a message of its own, in the order of the model', () => {
    const { events, text } = translated(OVER_CHAT, [
      chatEvents([
        { reasoning_content: 'a' },
        { content: 'b' },
        { reasoning_content: 'c' },
        fragment(0, '{"x":1', { id: 'c', name: 'get_time' }),
        { content: 'd' },
        fragment(0, '}'),
      ]),
    ]);
    expect(outputOf(events).map(({ type }) => type)).toEqual([
      'reasoning',
      'message',
      'reasoning',
      'function_call',
      'message',
    ]);
    expect(brokenRules(text, true)).toEqual([]);
  });

  test('that is blank before a call makes no message', () => {
    const { events } = translated(OVER_CHAT, [
      chatEvents([{ content: '\n\n' }, fragment(0, '{}', { id: 'c', name: 'get_time' })]),
    ]);
    expect(outputOf(events).map(({ type }) => type)).toEqual(['function_call']);
  });

  test('after a call does not begin with the blanks before the call', () => {
    const called = fragment(0, '{}', { id: 'c', name: 'get_time' });
    const { events } = translated(OVER_CHAT, [
      chatEvents([{ content: '\n\n' }, called, { content: 'a' }]),
    ]);
    expect(outputOf(events)).toMatchObject([
      { type: 'function_call' },
      { content: [{ text: 'a' }] },
    ]);
  });

  test('keeps the blanks before its words', () => {
    const { events } = translated(OVER_CHAT, [chatEvents([{ content: '\n' }, { content: 'a' }])]);
    expect(outputOf(events)).toMatchObject([{ content: [{ text: '\na' }] }]);
  });

  test('of an empty answer is one empty message, since agents repeat a request without output', () => {
    for (const { events } of [
      translated(OVER_CHAT, [chatEvents([])]),
      translated(OVER_MESSAGES, [messagesEvents([])]),
    ]) {
      expect(outputOf(events)).toMatchObject([{ type: 'message', content: [{ text: '' }] }]);
    }
  });
});
