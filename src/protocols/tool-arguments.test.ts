/** Tests tool calls whose arguments are not a JSON object. All translations treat them alike. */
import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../json/object.ts';
import * as chat from './chat-to-messages/request.fixture.ts';
import {
  answerFor,
  chatAnswer,
  chatStream,
  eventsOf,
  passStream,
} from './messages-to-chat/request.fixture.ts';
import { INVALID_JSON } from './tool-arguments.ts';

const callOf = (args: string, index = 0) => ({ index, ...chat.call(`c${index}`, 'f', args) });

const inputIn = (content: unknown): unknown => (content as readonly JsonObject[])[0]?.['input'];

/**
 * Streams one tool call from a chat upstream, with its arguments split into `fragments`. Returns
 * the fragments that a Messages caller receives.
 */
function streamed(fragments: readonly string[], tool: JsonObject = {}): readonly string[] {
  const [first = '', ...rest] = fragments;
  const deltas = [
    { tool_calls: [callOf(first)] },
    ...rest.map((args) => ({ tool_calls: [{ index: 0, function: { arguments: args } }] })),
  ];
  const tools = [{ name: 'f', input_schema: { type: 'object' }, ...tool }];
  const { text, facts } = passStream([chatStream(deltas)], { tools });
  expect(facts.error).toBeNull();
  return eventsOf(text).flatMap(({ delta }) => {
    const { partial_json: json } = (delta ?? {}) as JsonObject;
    return typeof json === 'string' ? [json] : [];
  });
}

describe('arguments that are not a JSON object', () => {
  for (const args of ['{"x":', '[1]', 'null', '7', 'run it', '{"x":1}}']) {
    const kept = { [INVALID_JSON]: args };

    test(`are one member of a non-streaming answer: ${args}`, () => {
      const answer = answerFor(chatAnswer({ tool_calls: [callOf(args)] }));
      expect(inputIn(answer['content'])).toEqual(kept);
    });

    test(`are one member in a stream: ${args}`, () => {
      const sent = streamed([args.slice(0, 2), args.slice(2)]);
      expect(sent.map((json) => JSON.parse(json))).toEqual([kept]);
    });

    test(`are one member in the history of a chat request, so that an agent goes on: ${args}`, () => {
      const broken = chat.assistant({ tool_calls: [chat.call('a', 'f', args)] });
      const messages = [chat.user('x'), broken, chat.result('a', 'error: bad JSON')];
      const { messages: turns } = chat.messagesBody({ messages });
      expect(inputIn((turns as readonly JsonObject[])[1]?.['content'])).toEqual(kept);
    });
  }
});

describe('the arguments in a stream', () => {
  test('are one delta once they are whole', () => {
    expect(streamed(['{"x":', '1}'])).toEqual(['{"x":1}']);
    expect(streamed(['', ' '])).toEqual([]);
  });

  test('come as they are written, valid or not, for a tool with eager_input_streaming', () => {
    const eager = { eager_input_streaming: true };
    expect(streamed(['{"x":', '1}'], eager)).toEqual(['{"x":', '1}']);
    expect(streamed(['run ', 'it'], eager)).toEqual(['run ', 'it']);
  });

  test('keep every digit', () => {
    const args = '{"id": 12345678901234567890}';
    expect(streamed([args])).toEqual([args]);
  });
});
