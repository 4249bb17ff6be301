import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { readChatStream } from '../chat-rules.fixture.ts';
import { eventText } from '../messages/recorded-messages.fixture.ts';
import { chatStream, LEGACY } from './answer.fixture.ts';
import { MAX_CALLS } from './step.ts';

type Event = { readonly type: string; readonly [member: string]: unknown };

const start: Event = {
  type: 'message_start',
  message: { id: 'msg_01', content: [], usage: { input_tokens: 12, output_tokens: 1 } },
};
const block = (index: number, content_block: object): Event => ({
  type: 'content_block_start',
  index,
  content_block,
});
const delta = (index: number, type: string, members: object): Event => ({
  type: 'content_block_delta',
  index,
  delta: { type, ...members },
});
const close = (index: number): Event => ({ type: 'content_block_stop', index });
const ends = (stop_reason: string | null, usage: object = { output_tokens: 6 }): Event => ({
  type: 'message_delta',
  delta: { stop_reason },
  usage,
});
const stop: Event = { type: 'message_stop' };
const ping: Event = { type: 'ping' };

const text = (index: number, ...words: string[]): Event[] => [
  block(index, { type: 'text', text: '' }),
  ...words.map((word) => delta(index, 'text_delta', { text: word })),
  close(index),
];
const tool = (index: number, id: string | undefined, ...json: string[]): Event[] => [
  block(index, { type: 'tool_use', id, name: 'get_time', input: {} }),
  ...json.map((partial_json) => delta(index, 'input_json_delta', { partial_json })),
  close(index),
];
const send = (events: readonly Event[], ...more: [context?: object, json?: object]) =>
  chatStream([events.map(eventText).join('')], more[0], { ...more[1] });
const read = (events: readonly Event[], ...more: [context?: object, json?: object]) => {
  const { text: sent } = send(events, ...more);
  return readChatStream(sent, { includeUsage: true });
};

const HEAD =
  'data: {"id":"chatcmpl-01JD","object":"chat.completion.chunk","created":1790000000,"model":"gen-opus-4-8","choices":[';
const chunk = (json: string, reason = 'null', tail = ',"usage":null'): string =>
  `${HEAD}{"index":0,"delta":{${json}},"logprobs":null,"finish_reason":${reason}}]${tail}}\n\n`;
const ROLE = '"role":"assistant","content":"","refusal":null';

describe('the wire', () => {
  const events = [start, ...text(0, 'Hel', 'lo "you"'), ends('end_turn'), stop];

  test('text is exact', () => {
    expect(send(events).text).toBe(
      chunk(ROLE) +
        chunk('"content":"Hel"') +
        chunk('"content":"lo \\"you\\""') +
        chunk('', '"stop"') +
        `${HEAD}],"usage":{"prompt_tokens":12,"completion_tokens":6,"total_tokens":18,` +
        '"prompt_tokens_details":{"cached_tokens":0,"cache_write_tokens":0},"cost":0.0001234,' +
        '"cost_exact":"0.000123400","cost_currency":"USD"}}\n\ndata: [DONE]\n\n',
    );
  });

  test('holds back only the usage and the end mark', () => {
    expect(send(events).closing).toStartWith(`${HEAD}],"usage":{`);
    expect(send(events, { includeUsage: false }).closing).toBe('data: [DONE]\n\n');
  });

  test('sends usage only if the caller asked', () => {
    const { text: sent } = send(events, { includeUsage: false });
    expect(sent).not.toContain('usage');
    expect(sent).toStartWith(chunk(ROLE, 'null', ''));
    expect(readChatStream(sent, { includeUsage: false }).faults).toEqual([]);
  });

  test('sends each event at once', () => {
    const sent = [...events.keys()].map((end) => send(events.slice(0, end + 1)).text.length);
    expect(sent).toEqual([...sent].sort((a, b) => a - b));
    expect(send(events.slice(0, 3)).text).toBe(chunk(ROLE) + chunk('"content":"Hel"'));
  });

  test('numbers tool calls separately, and gives one without arguments an empty object', () => {
    const both = [
      ...text(0, 'See:'),
      ...tool(1, 'toolu_1', '', '{"tz":', '"UTC"}'),
      ...tool(2, 'toolu_2'),
    ];
    const { text: sent } = send([start, ...both, ends('tool_use'), stop]);
    const call = (index: number, id: string) =>
      `"tool_calls":[{"index":${index},"id":"${id}","type":"function","function":{"name":"get_time","arguments":""}}]`;
    const fragment = (index: number, json: string) =>
      `"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(json)}}}]`;
    expect(sent).toContain(
      chunk('"content":"See:"') +
        chunk(call(0, 'toolu_1')) +
        chunk(fragment(0, '{"tz":')) +
        chunk(fragment(0, '"UTC"}')) +
        chunk(call(1, 'toolu_2')) +
        chunk(fragment(1, '{}')) +
        chunk('', '"tool_calls"'),
    );
  });

  test('sends one function_call to a caller with functions', () => {
    const events = [
      start,
      ...tool(0, 'a', '{"tz":1}'),
      ...tool(1, 'b', '{}'),
      ends('tool_use'),
      stop,
    ];
    const { text: sent } = send(events, {}, LEGACY);
    expect(sent).toContain(
      chunk('"function_call":{"name":"get_time","arguments":""}') +
        chunk('"function_call":{"arguments":"{\\"tz\\":1}"}') +
        chunk('', '"function_call"'),
    );
    expect(sent).not.toContain('tool_calls');
  });
});

describe('upstream variations', () => {
  const whole = [start, ...text(0, 'Hi'), ends('end_turn'), stop];
  const same = send(whole).text;

  test('ignores pings and events of a later protocol', () => {
    const odd = [ping, ...whole.flatMap((each) => [each, ping, { type: 'future_event', n: 1 }])];
    expect(send(odd).text).toBe(same);
  });

  test('ignores blocks of server tools and unknown blocks', () => {
    const others = ['server_tool_use', 'web_search_tool_result', 'compaction', 'hologram'];
    const odd = others.flatMap((type, index) => [
      block(index, { type, input: {}, text: 'no' }),
      delta(index, 'input_json_delta', { partial_json: '{"q":1}' }),
      delta(index, 'text_delta', { text: 'no' }),
      delta(index, 'compaction_delta', { content: 'no' }),
      close(index),
    ]);
    expect(send([start, ...odd, ...text(9, 'Hi'), ends('end_turn'), stop]).text).toBe(same);
  });

  test("accepts initial text, or all arguments, in a block's start", () => {
    const full = [
      block(0, { type: 'text', text: 'H' }),
      delta(0, 'text_delta', { text: 'i' }),
      block(1, { type: 'tool_use', id: 'a', name: 'f', input: { tz: 'UTC' } }),
      close(1),
    ];
    const { content, calls, faults } = read([start, ...full, ends('tool_use'), stop]);
    expect({ content, calls, faults }).toEqual({
      content: 'Hi',
      calls: [{ id: 'a', name: 'f', arguments: '{"tz":"UTC"}' }],
      faults: [],
    });
  });

  test('closes an unclosed block at the next one, or at the end', () => {
    const open = [...tool(0, 'a').slice(0, 1), ...tool(1, 'b').slice(0, 1)];
    const { calls, faults } = read([start, ...open, ends('tool_use'), stop]);
    expect(calls.map(({ arguments: json }) => json)).toEqual(['{}', '{}']);
    expect(faults).toEqual([]);
  });

  test('gives a call without an id a derived one', () => {
    expect(read([start, ...tool(0, undefined, '{}'), ends('tool_use'), stop]).calls).toEqual([
      { id: 'call_chatcmpl-01JD_0', name: 'get_time', arguments: '{}' },
    ]);
  });

  test('uses the last reason and the last counts', () => {
    const twice = [
      start,
      ends(null, { output_tokens: 1 }),
      ...text(0, 'Hi'),
      ends('max_tokens'),
      ends(null),
      stop,
    ];
    const { finishReason, usage, faults } = read(twice);
    expect(faults).toEqual([]);
    expect(finishReason).toBe('length');
    expect(usage).toMatchObject({ prompt_tokens: 12, completion_tokens: 6 });
  });

  test('sends the explanation of a refusal without text', () => {
    const refused = {
      type: 'message_delta',
      delta: { stop_reason: 'refusal', stop_details: { explanation: 'This is refused.' } },
    };
    const { refusal, finishReason, faults } = read([start, refused, stop]);
    expect({ refusal, finishReason, faults }).toEqual({
      refusal: 'This is refused.',
      finishReason: 'content_filter',
      faults: [],
    });
    expect(read([start, ...text(0, 'I'), refused, stop]).refusal).toBe('');
  });

  test('reads a last event without its blank line', () => {
    const body = whole.map(eventText).join('');
    for (const cut of [1, 2]) expect(chatStream([body.slice(0, -cut)]).text).toBe(same);
    expect(chatStream([body.slice(0, -3)]).ended).toBe(false);
  });
});

describe('an incomplete answer', () => {
  const fault = (events: readonly Event[]): string => {
    const { facts, ended, closing } = send(events);
    expect(ended).toBe(false);
    expect(closing).toBe('');
    return facts.error?.message ?? 'no error';
  };

  test('has not ended before its end mark', () => {
    const whole = [start, ...text(0, 'Hi'), ends('end_turn'), stop];
    for (let end = 0; end < whole.length; end++) {
      const { ended, facts } = send(whole.slice(0, end));
      expect({ ended, error: facts.error }).toEqual({ ended: false, error: null });
    }
  });

  test('fails without a stop reason', () => {
    const why = 'The upstream ended its message without a stop reason.';
    expect(fault([start, ...text(0, 'Hi'), stop])).toBe(why);
    expect(fault([start, ...text(0, 'Hi'), ends(null), stop])).toBe(why);
  });

  test('reports an error as the upstream sent it, and reads nothing after it', () => {
    const error = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const {
      facts,
      text: sent,
      ended,
    } = send([start, error, ...text(0, 'no'), ends('end_turn'), stop]);
    expect(facts.error).toEqual({ type: 'overloaded_error', code: null, message: 'Overloaded' });
    expect(ended).toBe(false);
    expect(sent).toBe(chunk(ROLE));
  });

  test('fails on content before message_start, a second one, and one without a message', () => {
    expect(fault([...text(0, 'Hi')])).toBe(
      'The upstream sent content_block_start before message_start.',
    );
    expect(fault([start, start])).toBe('The upstream started its message twice.');
    expect(fault([{ type: 'message_start' }])).toBe(
      'The upstream sent a message_start without a message.',
    );
  });

  test('fails on arguments of a call that is not open', () => {
    const stray = delta(3, 'input_json_delta', { partial_json: '{}' });
    const why = 'The upstream sent arguments of a tool call that is not open.';
    expect(fault([start, stray])).toBe(why);
    expect(fault([start, ...tool(0, 'a').slice(0, 1), stray])).toBe(why);
  });

  test('fails on a call without a name, and on more calls than clients accept', () => {
    expect(fault([start, block(0, { type: 'tool_use', id: 'a' })])).toBe(
      'The upstream sent a tool call without a name.',
    );
    const many = Array.from({ length: MAX_CALLS + 1 }, (_, index) =>
      tool(index, `c${index}`),
    ).flat();
    expect(fault([start, ...many])).toBe('The upstream sent more than 128 tool calls.');
  });

  test('fails on invalid JSON and on events that are too long', () => {
    const { facts } = chatStream([eventText(start), 'event: content_block_delta\ndata: {"ty\n\n']);
    expect(facts.error?.message).toBe('The upstream sent an event that is not a JSON object.');
    const long = text(0, 'x'.repeat(70_000)).map(eventText);
    const chunks = [eventText(start), ...long.map((each) => each.slice(0, 66_000))];
    expect(() => chatStream(chunks)).toThrow(GatewayError);
  });
});

describe('facts', () => {
  test('count output bytes in every kind of block', () => {
    const thinking = [
      block(0, { type: 'thinking', thinking: '' }),
      delta(0, 'thinking_delta', { thinking: 'é' }),
    ];
    const events = [start, ...thinking, ...text(1, 'Grüße'), ...tool(2, 'a', '{"a":1}')];
    expect(send(events).facts).toEqual({
      usage: { ...NO_USAGE, input: 12, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 1 },
      served: { ...NOTHING_SERVED, responseId: 'msg_01' },
      outputBytes: 2 + 7 + 7,
      finishReason: null,
      error: null,
    });
  });

  test('have no usage of a refusal before any output, though it is shown', () => {
    const usage = { input_tokens: 12, output_tokens: 0 };
    const started = { ...start, message: { id: 'msg_01', content: [], usage } };
    const declined = { type: 'message_delta', delta: { stop_reason: 'refusal' } };
    const { facts, closing } = send([started, declined, stop]);
    expect(facts.usage).toEqual(NO_USAGE);
    expect(closing).toContain('"prompt_tokens":12,"completion_tokens":0');
  });

  test("name the finish reason in the caller's dialect", () => {
    expect(send([start, ends('end_turn'), stop]).facts.finishReason).toBe('stop');
    expect(send([start, ...tool(0, 'a'), ends('tool_use'), stop]).facts.finishReason).toBe(
      'tool_calls',
    );
  });
});
