import { describe, expect, test } from 'bun:test';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { NO_QUIRKS } from '../quirks.ts';
import { readChatAnswer } from './answer.ts';

const CONTEXT = { requestId: 'req_01X', quirks: NO_QUIRKS };
const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
const FINISH = {
  model: 'gen-v4-pro',
  cost: { usd: '0.0001234', exact: '0.000123400', currency: 'USD', estimated: null },
};
const COST = '"cost":0.0001234,"cost_exact":"0.000123400","cost_currency":"USD"';
const write = (text: string): string => readChatAnswer(bytes(text), CONTEXT).write(FINISH);

/** Choices for answers whose content does not matter. */
const CHOICES = '[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]';

const ANSWER =
  '{"id":"chatcmpl-9","object":"chat.completion","created":1790000000,"model":"vendor-model",' +
  '"choices":[{"index":0,"message":{"role":"assistant","content":"H\\u0069 \\ud83d\\ude42","refusal":null,' +
  '"reasoning_content":"hm"},"logprobs":null,"finish_reason":"stop"},' +
  '{"index":1,"message":{"role":"assistant","content":null,"tool_calls":[{"id":"call_a","type":"function",' +
  '"function":{"name":"f","arguments":"{\\"a\\":1}"}}]},"finish_reason":"tool_calls"}],' +
  '"usage":{"prompt_tokens":19,"completion_tokens":10,"total_tokens":29,"prompt_tokens_details":{"cached_tokens":9}},' +
  '"unknown":{"x":1.0e2}}';

describe('a non-streaming answer', () => {
  test('reports usage, output bytes and finish reason', () => {
    expect(readChatAnswer(bytes(ANSWER), CONTEXT).facts).toEqual({
      usage: { ...NO_USAGE, input: 10, cacheRead: 9, cacheWrite5m: 0, cacheWrite1h: 0, output: 10 },
      served: { ...NOTHING_SERVED, model: 'vendor-model', responseId: 'chatcmpl-9' },
      // The text "Hi 🙂" has 7 bytes, the reasoning "hm" has 2, and the arguments have 7.
      outputBytes: 16,
      finishReason: 'stop',
      error: null,
    });
  });

  test('counts content that is an array of parts', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] };
    const message = { content: [thinking, { type: 'text', text: 'Hi!' }] };
    const text = JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] });
    expect(readChatAnswer(bytes(text), CONTEXT).facts.outputBytes).toBe(5);
  });

  test.each([
    '{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3}',
    '{"prompt_tokens":1, "completion_tokens":2,"total_tokens":3}',
    '{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3.0}',
    '{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"x":"\\u00e9"}',
    '{"prompt_tokens":1,"completion_tokens":2,"total_tokens":3,"cost_details":{}}',
  ])('appends the cost to a usage of %s', (usage) => {
    const kept = usage.replace(', ', ',').replace(',"cost_details":{}', '').slice(0, -1);
    const written = write(`{"model":"m","choices":${CHOICES},"usage":${usage}}`);
    expect(written).toBe(`{"model":"gen-v4-pro","choices":${CHOICES},"usage":${kept},${COST}}}`);
  });

  test('keeps every byte except the model and the end of its usage', () => {
    expect(write(ANSWER)).toBe(
      ANSWER.replace('vendor-model', 'gen-v4-pro').replace(
        '"prompt_tokens_details":{"cached_tokens":9}}',
        `"prompt_tokens_details":{"cached_tokens":9},${COST}}`,
      ),
    );
  });

  test('with tool calls gets the matching reason, and ids and types for all calls', () => {
    const definition = { name: 'f', arguments: '{}' };
    const calls = [{ id: '', function: definition }, { function: definition }];
    const message = { role: 'assistant', content: null, tool_calls: calls };
    const answer = { model: 'm', choices: [{ index: 0, message, finish_reason: 'stop' }] };
    expect(readChatAnswer(bytes(JSON.stringify(answer)), CONTEXT).facts.finishReason).toBe(
      'tool_calls',
    );
    expect(JSON.parse(write(JSON.stringify(answer))).choices[0]).toEqual({
      index: 0,
      message: {
        ...message,
        tool_calls: [
          { id: 'call_01X_0', type: 'function', function: definition },
          { id: 'call_01X_1', type: 'function', function: definition },
        ],
      },
      finish_reason: 'tool_calls',
    });
  });

  test('without tool calls has no empty list of them', () => {
    const message = { role: 'assistant', content: 'Hi' };
    const choice = { index: 0, message, finish_reason: 'stop' };
    const answer = {
      model: 'm',
      choices: [{ ...choice, message: { ...message, tool_calls: [] } }],
    };
    expect(JSON.parse(write(JSON.stringify(answer))).choices).toEqual([choice]);
  });

  test.each([
    ['eos', 'stop'],
    ['model_length', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['content_filter', 'content_filter'],
    ['sensitive', 'content_filter'],
  ])('has a role, and a finish reason of the protocol: %s', (given, sent) => {
    const answer = { choices: [{ index: 0, message: { content: 'x' }, finish_reason: given }] };
    expect(JSON.parse(write(JSON.stringify(answer))).choices).toEqual([
      { index: 0, message: { role: 'assistant', content: 'x' }, finish_reason: sent },
    ]);
  });

  test.each(['error', 'insufficient_system_resource'])(
    'with a failed finish reason is an error: %s',
    (reason) => {
      const answer = { choices: [{ index: 0, message: { content: 'x' }, finish_reason: reason }] };
      const { facts } = readChatAnswer(bytes(JSON.stringify(answer)), CONTEXT);
      expect(facts.error?.message).toContain(reason);
    },
  );

  test("omits a provider's own name of a service tier, and reports it for the price", () => {
    const body = `{"model":"m","service_tier":"on_demand","choices":${CHOICES}}`;
    expect(JSON.parse(write(body))).not.toHaveProperty('service_tier');
    expect(readChatAnswer(bytes(body), CONTEXT).facts.served.tier).toBe('on_demand');
    expect(JSON.parse(write(body.replace('on_demand', 'flex'))).service_tier).toBe('flex');
  });

  test.each(['', ',"usage":null', ',"usage":{}'])('gets a usage for the cost: %p', (usage) => {
    expect(write(`{"model":"m","choices":${CHOICES}${usage}}`)).toBe(
      `{"model":"gen-v4-pro","choices":${CHOICES},"usage":{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0,${COST}}}`,
    );
  });

  test('hides what the upstream charges the operator', () => {
    const usage =
      '{"cost":9.9,"prompt_tokens":1,"completion_tokens":1,"total_tokens":2,"cost_details":{"upstream":9}}';
    const written = write(`{"model":"m","choices":${CHOICES},"usage":${usage}}`);
    expect(written).not.toContain('9');
    expect(JSON.parse(written).usage).toMatchObject({ cost: 0.0001234, prompt_tokens: 1 });
  });

  test('without usage reports null, so that it will be estimated', () => {
    expect(readChatAnswer(bytes(`{"choices":${CHOICES}}`), CONTEXT).facts.usage).toBeNull();
  });
});

describe('reports an invalid 200 body as an error', () => {
  test.each([
    ['{"error":{"message":"busy","type":"t","code":529}}', 'busy'],
    ['{"error":"busy"}', 'busy'],
    ['{"object":"error","message":"busy"}', 'busy'],
    ['{"object":"list","data":[]}', 'not a chat completion'],
    ['{"choices":null}', 'not a chat completion'],
    ['{"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":0}}', 'has no choices'],
    ['{"choices":[}', 'not a JSON object'],
    ['{"choices":[]', 'not a JSON object'],
    ['[]', 'not a JSON object'],
    ['<html>502</html>', 'not a JSON object'],
    ['data: {"choices":[]}\n\n', 'not a JSON object'],
    ['', 'not a JSON object'],
  ])('%p', (body, message) => {
    const { facts } = readChatAnswer(bytes(body), CONTEXT);
    expect(facts).toMatchObject({ usage: null, outputBytes: 0 });
    expect(facts.error?.message).toContain(message);
  });

  test('accepts error: null beside choices', () => {
    expect(
      readChatAnswer(bytes(`{"choices":${CHOICES},"error":null}`), CONTEXT).facts.error,
    ).toBeNull();
  });
});
