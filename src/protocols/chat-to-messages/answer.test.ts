import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { chatAnswer, LEGACY } from './answer.fixture.ts';

const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'get_time', input });
const message = (members: object = {}) => ({
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: 'up-opus',
  content: [text('Hi')],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 12, output_tokens: 6 },
  ...members,
});

type Choice = { message: JsonObject; finish_reason: string };
const choiceOf = (members: object, json: JsonObject = {}): Choice =>
  JSON.parse(chatAnswer(message(members), json).text()).choices[0];

describe('an answer', () => {
  test('is exact, with its cost', () => {
    const usage = {
      input_tokens: 300,
      cache_read_input_tokens: 600,
      cache_creation_input_tokens: 100,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 20 },
      service_tier: 'standard',
    };
    const { text: sent, facts } = chatAnswer(message({ usage }));
    expect(sent()).toBe(
      '{"id":"chatcmpl-01JD","object":"chat.completion","created":1790000000,"model":"gen-opus-4-8",' +
        '"service_tier":"default","choices":[{"index":0,"message":{"role":"assistant","content":"Hi",' +
        '"refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,' +
        '"completion_tokens":50,"total_tokens":1050,"prompt_tokens_details":{"cached_tokens":600,' +
        '"cache_write_tokens":100},"completion_tokens_details":{"reasoning_tokens":20},"cost":0.0001234,' +
        '"cost_exact":"0.000123400","cost_currency":"USD"}}',
    );
    expect(facts).toEqual({
      usage: {
        ...NO_USAGE,
        input: 300,
        cacheRead: 600,
        cacheWrite5m: 100,
        cacheWrite1h: 0,
        output: 30,
        reasoning: 20,
      },
      served: { ...NOTHING_SERVED, tier: 'standard', model: 'up-opus', responseId: 'msg_01' },
      outputBytes: 2,
      finishReason: 'stop',
      error: null,
    });
  });

  test('joins its texts, and writes no text as null', () => {
    expect(choiceOf({ content: [text('a'), text('b')] }).message['content']).toBe('ab');
    expect(choiceOf({ content: [] }).message['content']).toBeNull();
  });

  test('writes tool calls with their arguments as text', () => {
    const content = [text('See:'), use('toolu_1', { tz: 'UTC' }), use('toolu_2')];
    expect<unknown>(choiceOf({ content, stop_reason: 'tool_use' })).toEqual({
      index: 0,
      message: {
        role: 'assistant',
        content: 'See:',
        refusal: null,
        tool_calls: [
          {
            id: 'toolu_1',
            type: 'function',
            function: { name: 'get_time', arguments: '{"tz":"UTC"}' },
          },
          { id: 'toolu_2', type: 'function', function: { name: 'get_time', arguments: '{}' } },
        ],
      },
      logprobs: null,
      finish_reason: 'tool_calls',
    });
    expect(chatAnswer(message({ content })).facts.outputBytes).toBe(4 + '{"tz":"UTC"}{}'.length);
  });

  test('writes one function_call for a caller with functions', () => {
    const content = [use('toolu_1', { tz: 'UTC' })];
    const choice = choiceOf({ content, stop_reason: 'tool_use' }, LEGACY);
    expect(choice.message['function_call']).toEqual({
      name: 'get_time',
      arguments: '{"tz":"UTC"}',
    });
    expect(choice.message['tool_calls']).toBeUndefined();
    expect(choice.finish_reason).toBe('function_call');
  });

  test('omits what chat has no field for', () => {
    const content = [
      { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
      { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
      text('Sunny.'),
      { type: 'hologram', text: 'no' },
      null,
    ];
    expect(choiceOf({ content }).message).toEqual({
      role: 'assistant',
      content: 'Sunny.',
      refusal: null,
    });
  });
});

describe('the finish reason', () => {
  const reason = (stop_reason: unknown, content: readonly object[] = [text('Hi')]) =>
    choiceOf({ stop_reason, content }).finish_reason;

  test('maps every stop reason', () => {
    const words = Object.fromEntries(
      [
        'end_turn',
        'stop_sequence',
        'max_tokens',
        'model_context_window_exceeded',
        'pause_turn',
        'refusal',
      ]
        .concat('compaction', 'reason_of_tomorrow')
        .map((word) => [word, reason(word)]),
    );
    expect(words).toEqual({
      end_turn: 'stop',
      stop_sequence: 'stop',
      max_tokens: 'length',
      model_context_window_exceeded: 'length',
      pause_turn: 'stop',
      refusal: 'content_filter',
      compaction: 'stop',
      reason_of_tomorrow: 'stop',
    });
  });

  test('is tool_calls if and only if there are calls', () => {
    expect(reason('tool_use', [use('a')])).toBe('tool_calls');
    expect(reason('end_turn', [use('a')])).toBe('tool_calls');
    expect(reason('tool_use', [])).toBe('stop');
    expect(reason('max_tokens', [use('a')])).toBe('length');
  });
});

describe('a refusal', () => {
  const stop_details = { type: 'refusal', category: 'cyber', explanation: 'This is refused.' };

  test('carries the explanation if there is no text', () => {
    expect(choiceOf({ stop_reason: 'refusal', content: [], stop_details }).message).toEqual({
      role: 'assistant',
      content: null,
      refusal: 'This is refused.',
    });
    expect(choiceOf({ stop_reason: 'refusal', stop_details }).message['refusal']).toBeNull();
  });
});

describe('usage', () => {
  test('that is missing or implausible is written as zeros and reported as null', () => {
    for (const usage of [undefined, null, { input_tokens: -1, output_tokens: 2 }]) {
      const { facts, text: sent } = chatAnswer(message({ usage }));
      expect(facts.usage).toBeNull();
      expect(JSON.parse(sent()).usage).toMatchObject({
        prompt_tokens: 0,
        completion_tokens: 0,
        total_tokens: 0,
      });
    }
  });

  test('never reports more thinking than output', () => {
    const usage = {
      input_tokens: 1,
      output_tokens: 6,
      output_tokens_details: { thinking_tokens: 7 },
    };
    expect(
      JSON.parse(chatAnswer(message({ usage })).text()).usage.completion_tokens_details,
    ).toEqual({
      reasoning_tokens: 6,
    });
  });
});

describe('an invalid answer', () => {
  test('reports an error in a 200 body in the facts', () => {
    const error = { type: 'overloaded_error', message: 'Overloaded' };
    const { facts, text: sent } = chatAnswer({ type: 'error', error });
    expect(facts).toEqual({
      usage: null,
      served: NOTHING_SERVED,
      outputBytes: 0,
      finishReason: null,
      error: { type: 'overloaded_error', code: null, message: 'Overloaded' },
    });
    expect(sent).toThrow('cannot be written');
  });

  test.each([
    [{ stop_reason: null, content: [text('Hi')] }, 'without a stop reason'],
    [{ stop_reason: 'tool_use', content: [{ ...use('a'), name: null }] }, 'without a name'],
  ])('is rejected as in a stream: %j', (message, why) => {
    const { facts, text: sent } = chatAnswer(message);
    expect(facts.error?.message).toContain(why);
    expect(sent).toThrow('cannot be written');
  });

  test('anything else is upstream_failed, without details for the caller', () => {
    for (const body of [
      '<html>nginx</html>',
      '',
      'null',
      '[]',
      '{"id":"msg_01"}',
      '{"content":"Hi"}',
    ]) {
      expect(() => chatAnswer(body)).toThrow(
        'The provider of this channel sent an invalid answer.',
      );
    }
  });
});
