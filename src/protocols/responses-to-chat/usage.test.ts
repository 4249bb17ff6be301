/** Tests the usage that a response reports, and how an invalid answer fails. */
import { describe, expect, test } from 'bun:test';
import { GatewayError } from '../../errors.ts';
import type { JsonObject } from '../../json/object.ts';
import { NO_USAGE } from '../../money/usage.ts';
import { ANSWER_CONTEXT, FIXTURE_COST, STREAM_CONTEXT } from '../recorded-streams.fixture.ts';
import {
  chatEvents,
  completion,
  fragment,
  message,
  messagesEvents,
  OVER_CHAT,
  OVER_MESSAGES,
  prepared,
  translated,
  translatedWhole,
} from './answer.fixture.ts';

const call = (id: string, name: string): JsonObject => ({
  id,
  type: 'function',
  function: { name, arguments: '{}' },
});

describe('usage', () => {
  test('includes cached input and reasoning, from chat', () => {
    const usage = {
      prompt_tokens: 100,
      completion_tokens: 50,
      prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
      completion_tokens_details: { reasoning_tokens: 20 },
    };
    const answer = { ...completion({ content: 'Hi' }), usage, service_tier: 'flex' };
    const { response, facts } = translatedWhole(OVER_CHAT, answer);
    expect(facts.usage).toMatchObject({ cacheRead: 60, cacheWrite5m: 10, reasoning: 20 });
    expect(response()).toMatchObject({
      service_tier: 'flex',
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 20 },
        total_tokens: 150,
        cost: 0.0001234,
        cost_exact: '0.000123400',
        cost_currency: 'USD',
      },
    });
  });

  test('includes cached input and thinking, from Messages', () => {
    const usage = {
      input_tokens: 30,
      cache_read_input_tokens: 60,
      cache_creation_input_tokens: 10,
      output_tokens: 50,
      output_tokens_details: { thinking_tokens: 20 },
    };
    const answer = { ...message([{ type: 'text', text: 'Hi' }]), usage };
    expect(translatedWhole(OVER_MESSAGES, answer).response()).toMatchObject({
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 10 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 20 },
        total_tokens: 150,
      },
    });
  });

  test('never has more reasoning than output', () => {
    const counts = { output_tokens: 5, output_tokens_details: { thinking_tokens: 20 } };
    const answer = { ...message([]), usage: { input_tokens: 1, ...counts } };
    expect(translatedWhole(OVER_MESSAGES, answer).response()).toMatchObject({
      usage: { output_tokens: 5, output_tokens_details: { reasoning_tokens: 5 } },
    });
  });

  test('that nobody reported is what was charged', () => {
    const estimated = { ...NO_USAGE, input: 7, output: 3 };
    const cost = { ...FIXTURE_COST, estimated };
    const finish = { model: 'm', cost };
    const bytes = (json: unknown) => new TextEncoder().encode(JSON.stringify(json));
    const { usage: _c, ...chat } = completion({ content: 'Hi' });
    const { usage: _m, ...messages } = message([{ type: 'text', text: 'Hi' }]);
    for (const [translator, answer] of [
      [OVER_CHAT, chat],
      [OVER_MESSAGES, messages],
    ] as const) {
      const { write } = prepared(translator).readAnswer(bytes(answer), ANSWER_CONTEXT);
      expect(JSON.parse(write(finish)).usage).toMatchObject({
        input_tokens: 7,
        output_tokens: 3,
        total_tokens: 10,
        cost_estimated: true,
      });
    }
    for (const [translator, events] of [
      [OVER_CHAT, chatEvents([{ content: 'Hi' }], 'stop', null)],
      [OVER_MESSAGES, messagesEvents([{ type: 'text', text: 'Hi' }])],
    ] as const) {
      const pass = prepared(translator).openStream(STREAM_CONTEXT);
      pass.push(new TextEncoder().encode(events));
      expect(Buffer.from(pass.finish(cost)).toString()).toContain('"total_tokens":10,');
    }
  });
});

describe('an invalid answer', () => {
  const failure = (translator: typeof OVER_CHAT | typeof OVER_MESSAGES, answer: unknown) =>
    translatedWhole(translator, answer).facts.error?.message;

  test('is reported in the facts', () => {
    const { error } = translatedWhole(OVER_CHAT, { error: { message: 'no', code: 'x' } }).facts;
    expect(error).toEqual({ type: null, code: 'x', message: 'no' });
    expect(failure(OVER_MESSAGES, { type: 'error', error: { message: 'no' } })).toBe('no');
    const cut = 'The upstream ended its answer without a finish reason.';
    expect(failure(OVER_CHAT, completion({}, { finish_reason: null }))).toBe(cut);
    const stopped = 'The upstream ended with the finish reason "error".';
    expect(failure(OVER_CHAT, completion({}, { finish_reason: 'error' }))).toBe(stopped);
    const unnamed = 'The upstream sent a tool call without a name.';
    expect(failure(OVER_CHAT, completion({ tool_calls: [call('c', '')] }))).toBe(unnamed);
    const block = { type: 'tool_use', id: 't', input: {} };
    expect(failure(OVER_MESSAGES, message([block]))).toBe(unnamed);
    expect(failure(OVER_MESSAGES, { ...message([]), stop_reason: null })).toBe(
      'The upstream ended its message without a stop reason.',
    );
  });

  test('that is not an answer at all throws', () => {
    expect(() => translatedWhole(OVER_CHAT, { choices: [] })).toThrow(GatewayError);
    expect(() => translatedWhole(OVER_MESSAGES, { type: 'message' })).toThrow(GatewayError);
    expect(() => translatedWhole(OVER_CHAT, [])).toThrow(GatewayError);
  });

  test('ends a stream without a last event', () => {
    for (const [events, fault] of [
      [`${chatEvents([], null)}data: [DONE]\n\n`, 'without a finish reason'],
      [chatEvents([], 'error'), 'finish reason "error"'],
      [chatEvents([fragment(0, '{}', { id: 'c' })]), 'a tool call without a name'],
      [`${chatEvents([], null)}data: 7\n\n`, 'not a JSON object'],
      [
        chatEvents([
          fragment(0, '{}', { id: 'c', name: 'f' }),
          { content: 'Hi' },
          fragment(0, '{'),
        ]),
        'continued a tool call that was complete',
      ],
    ] as const) {
      const { facts, ended } = translated(OVER_CHAT, [events]);
      expect(facts.error?.message).toContain(fault);
      expect(ended).toBe(false);
    }
  });
});
