import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { NOTHING_SERVED } from '../../money/served.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { FIXTURE_COST } from '../recorded-streams.fixture.ts';
import { encodeThinkingSignature } from '../thinking-signature.ts';
import { answerFor, chatAnswer, context, prepared } from './request.fixture.ts';

const call = (args: unknown, more: JsonObject = {}) => ({
  id: 'call_a',
  type: 'function',
  function: { name: 'f', arguments: args },
  ...more,
});
const read = (answer: unknown, quirks: object = {}) =>
  prepared({}).readAnswer(new TextEncoder().encode(JSON.stringify(answer)), context(quirks));

describe('a non-streaming answer', () => {
  test("has every member that clients' types require, and its cost", () => {
    const usage = {
      prompt_tokens: 19,
      completion_tokens: 10,
      prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 5 },
      completion_tokens_details: { reasoning_tokens: 3 },
    };
    expect(answerFor(chatAnswer({ content: 'Hi' }, 'stop', { usage }))).toEqual({
      id: 'msg_01X',
      type: 'message',
      role: 'assistant',
      model: 'gen-v4-pro',
      content: [{ type: 'text', text: 'Hi' }],
      stop_reason: 'end_turn',
      stop_sequence: null,
      stop_details: null,
      container: null,
      diagnostics: null,
      usage: {
        input_tokens: 10,
        output_tokens: 10,
        cache_creation_input_tokens: 5,
        cache_read_input_tokens: 4,
        cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 0 },
        output_tokens_details: { thinking_tokens: 3 },
        server_tool_use: null,
        service_tier: 'standard',
        inference_geo: null,
        speed: 'standard',
        cost: 0.0001234,
        cost_exact: '0.000123400',
        cost_currency: 'USD',
      },
    });
  });

  test("reports usage, output bytes and the caller's stop reason", () => {
    const message = { content: 'é', reasoning_content: 'hm', tool_calls: [call('{"a":1}')] };
    expect(read(chatAnswer(message)).facts).toEqual({
      usage: { ...NO_USAGE, input: 19, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0, output: 10 },
      served: { ...NOTHING_SERVED, model: 'vendor', responseId: 'chatcmpl-9' },
      outputBytes: 11,
      finishReason: 'tool_use',
      error: null,
    });
  });

  test('is counted as the server counts', () => {
    const usage = {
      prompt_tokens: 9,
      completion_tokens: 5,
      hits: 2,
      completion_tokens_details: { reasoning_tokens: 40 },
    };
    const quirks = { cachedTokens: ['hits'], reasoningOutside: true };
    expect(read(chatAnswer({ content: 'a' }, 'stop', { usage }), quirks).facts.usage).toMatchObject(
      {
        input: 7,
        cacheRead: 2,
        output: 5,
        reasoning: 40,
      },
    );
  });

  test('has reasoning, text and calls in this order', () => {
    const message = {
      content: 'a',
      reasoning_content: 'hm',
      tool_calls: [call('{"x":[1]}'), call('', { id: 'call_a' }), call({ y: 2 }, { id: 'b/c' })],
    };
    expect(answerFor(chatAnswer(message, 'tool_calls'))['content']).toEqual([
      { type: 'thinking', thinking: 'hm', signature: '' },
      { type: 'text', text: 'a' },
      { type: 'tool_use', id: 'call_a', name: 'f', input: { x: [1] } },
      { type: 'tool_use', id: 'toolu_01X_1', name: 'f', input: {} },
      { type: 'tool_use', id: 'toolu_01X_2', name: 'f', input: { y: 2 } },
    ]);
  });

  test('omits blank text', () => {
    for (const content of [null, '', '\n', undefined]) {
      expect(answerFor(chatAnswer({ content }))['content']).toEqual([]);
    }
  });

  test('reports a refusal with its text', () => {
    expect(answerFor(chatAnswer({ content: null, refusal: 'No.' }))).toMatchObject({
      content: [{ type: 'text', text: 'No.' }],
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: null, explanation: null },
    });
  });

  test('omits hidden thinking, or carries it in the signature', () => {
    const omitted = { thinking: { type: 'adaptive', display: 'omitted' } };
    const answer = chatAnswer({ content: 'a', reasoning_content: 'hm' });
    expect(answerFor(answer, omitted)['content']).toMatchObject([{ type: 'text' }]);
    const wanted = answerFor(answer, omitted, { reasoningBack: 'reasoning_content' });
    expect(wanted['content']).toMatchObject([
      { type: 'thinking', thinking: '', signature: encodeThinkingSignature('hm') },
      { type: 'text' },
    ]);
  });

  test('omits thinking that the caller did not ask for', () => {
    const answer = chatAnswer({ content: 'a', reasoning_content: 'hm' });
    for (const thinking of [null, { type: 'disabled' }, { type: 'disabled', display: null }]) {
      const said = answerFor(answer, { thinking }, { reasoningBack: 'reasoning_content' });
      expect(said['content']).toMatchObject([{ type: 'text' }]);
    }
    const effort = { thinking: null, output_config: { effort: 'low' } };
    expect(answerFor(answer, effort)['content']).toMatchObject([{ type: 'text' }]);
  });

  test('reports that no context was edited, if asked', () => {
    const request = { context_management: { edits: [{ type: 'clear_thinking_20251015' }] } };
    const answer = chatAnswer({ content: 'a' });
    expect(answerFor(answer, request)['context_management']).toEqual({ applied_edits: [] });
    expect(answerFor(answer)).not.toHaveProperty('context_management');
  });

  test('without usage reports null, so that it will be estimated', () => {
    const answer = chatAnswer({ content: 'x'.repeat(9) }, 'stop', { usage: null });
    expect(read(answer).facts.usage).toBeNull();
  });
});

describe('an invalid answer', () => {
  test.each([
    ['an error', { error: { message: 'busy', type: 't', code: 529 } }, 'busy'],
    ['an error without the mark', { object: 'error', message: 'busy' }, 'busy'],
    [
      'no reason for its end',
      chatAnswer({ content: 'a' }, ''),
      'The upstream ended its answer without a finish reason.',
    ],
    [
      'a failure for a reason',
      chatAnswer({ content: 'a' }, 'error'),
      'The upstream ended with the finish reason "error".',
    ],
    [
      'a call without a name',
      chatAnswer({ tool_calls: [{ id: 'a', function: { arguments: '{}' } }] }),
      'The upstream sent a tool call without a name.',
    ],
  ])('%s is reported in the facts and cannot be written', (_what, answer, message) => {
    const { facts, write } = read(answer);
    expect(facts.error?.message).toBe(message);
    expect(() => write({ model: 'm', cost: FIXTURE_COST })).toThrow(
      'an answer that reports an error cannot be written',
    );
  });

  test.each(['<html>', '[]', '', '{}', '{"choices":[]}', '{"choices":[{"index":1}]}'])(
    '%p is upstream_failed',
    (text) => {
      const bytes = new TextEncoder().encode(text);
      const reading = () => prepared({}).readAnswer(bytes, context());
      expect(reading).toThrow(GatewayError);
      expect(reading).toThrow('The provider of this channel sent an invalid answer.');
    },
  );
});
