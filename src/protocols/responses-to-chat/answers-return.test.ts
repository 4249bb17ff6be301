/**
 * Tests that the content of an answer reaches its upstream unchanged when the caller sends the
 * answer's items back.
 */
import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { asArray, asJsonObject, type JsonObject } from '../../json/object.ts';
import type { Quirks } from '../quirks.ts';
import type { Translator } from '../translator.ts';
import {
  chatEvents,
  messagesEvents,
  OVER_CHAT,
  OVER_MESSAGES,
  prepared,
  TOOLS,
  translated,
  translatedWhole,
} from './answer.fixture.ts';
import { target } from './request.fixture.ts';

const RUNS = { numRuns: 200, seed: 16 };

/** Returns the messages that the upstream gets when the caller sends these items back. */
function returned(
  translator: Translator,
  items: readonly JsonObject[],
  quirks: Partial<Quirks> = {},
): readonly unknown[] {
  const outputs = items.flatMap(({ type, call_id }): JsonObject[] => {
    switch (type) {
      case 'function_call':
        return [{ type: 'function_call_output', call_id, output: 'done' }];
      case 'custom_tool_call':
        return [{ type: 'custom_tool_call_output', call_id, output: 'done' }];
      case 'tool_search_call':
        return [{ type: 'tool_search_output', call_id, execution: 'client', tools: [] }];
      default:
        return [];
    }
  });
  const input = [
    { role: 'user', content: 'Hi' },
    ...items,
    ...outputs,
    { role: 'user', content: 'On.' },
  ];
  const { bodyFor } = prepared(translator, { ...TOOLS, input });
  const { messages } = JSON.parse(new TextDecoder().decode(bodyFor(target(quirks))));
  return asArray(messages);
}

/**
 * Returns the items of a streamed answer as clients store them, from the
 * `response.output_item.done` events.
 */
function streamedItems(translator: Translator, stream: string): readonly JsonObject[] {
  const { events } = translated(translator, [stream]);
  return events.flatMap(({ type, item }) =>
    type === 'response.output_item.done' ? [asJsonObject(item) ?? {}] : [],
  );
}

const wholeItems = (translator: Translator, answer: JsonObject): readonly JsonObject[] =>
  asArray(translatedWhole(translator, answer).response()['output']).map(
    (item) => asJsonObject(item) ?? {},
  );

const words = fc.string({ unit: 'grapheme', minLength: 1 }).filter((text) => text.trim() !== '');
const input = fc.dictionary(words, fc.oneof(words, fc.integer()), {
  maxKeys: 2,
  noNullPrototype: true,
});
/** A call of one of the tools, with the name that the upstream knows. */
const called = fc.oneof(
  fc.record({ name: fc.constantFrom('get_time', 'mcp__demo__add', 'tool_search'), input }),
  fc.record({
    name: fc.constantFrom('apply_patch', 'mcp__demo__run'),
    input: fc.string({ unit: 'grapheme' }).map((text) => ({ input: text })),
  }),
);

const thinking = fc.oneof(
  fc.tuple(words, words).map(([text, signature]) => ({
    type: 'thinking',
    thinking: text,
    signature: `s${signature}`,
  })),
  words.map((data) => ({ type: 'redacted_thinking', data: `d${data}` })),
);
/** The model's output between two thoughts: text, then calls. */
const said = fc
  .record({ text: fc.option(words), calls: fc.array(called, { maxLength: 2 }) })
  .filter(({ text, calls }) => text !== null || calls.length > 0);
const blocks = fc
  .tuple(
    fc.tuple(fc.array(thinking, { maxLength: 2 }), said),
    fc.array(fc.tuple(fc.array(thinking, { minLength: 1, maxLength: 2 }), said), { maxLength: 2 }),
  )
  .map(([first, others]) => {
    let count = 0;
    return [first, ...others].flatMap(([thoughts, { text, calls }]) => [
      ...thoughts,
      ...(text === null ? [] : [{ type: 'text', text }]),
      ...calls.map((call) => {
        count += 1;
        return { type: 'tool_use', id: `toolu_${count}`, ...call };
      }),
    ]);
  });

describe('an answer of Messages comes back block by block, with signatures', () => {
  test('after a stream', () => {
    fc.assert(
      fc.property(blocks, (content) => {
        const items = streamedItems(OVER_MESSAGES, messagesEvents(content));
        expect(returned(OVER_MESSAGES, items)[1]).toEqual({ role: 'assistant', content });
      }),
      RUNS,
    );
  });

  test('after a non-streaming answer', () => {
    fc.assert(
      fc.property(blocks, (content) => {
        const usage = { input_tokens: 9, output_tokens: 4 };
        const answer = {
          type: 'message',
          role: 'assistant',
          content,
          stop_reason: 'end_turn',
          usage,
        };
        const items = wholeItems(OVER_MESSAGES, answer);
        expect(returned(OVER_MESSAGES, items)[1]).toEqual({ role: 'assistant', content });
      }),
      RUNS,
    );
  });
});

const signature = (text: string): JsonObject => ({ google: { thought_signature: `s${text}` } });
/** A chat message of the assistant, as OpenRouter or Gemini sends it. */
const message = fc
  .record({
    reasoning: fc.option(words),
    details: fc.array(
      words.map((data) => ({
        ...{ type: 'reasoning.encrypted', data },
        ...{ format: 'google-gemini-v1', index: 0 },
      })),
      { maxLength: 1 },
    ),
    text: fc.option(words),
    calls: fc.array(fc.tuple(called, fc.option(words)), { minLength: 1, maxLength: 2 }),
  })
  .map(({ reasoning, details, text, calls }) => ({
    role: 'assistant',
    content: text,
    ...(reasoning === null ? {} : { reasoning }),
    ...(details.length === 0 ? {} : { reasoning_details: details }),
    tool_calls: calls.map(([{ name, input: args }, extra], at) => ({
      id: `call_${at}`,
      type: 'function',
      function: { name, arguments: JSON.stringify(args) },
      ...(extra === null ? {} : { extra_content: signature(extra) }),
    })),
  }));

const returnedMessage = (items: readonly JsonObject[]): unknown =>
  returned(OVER_CHAT, items, { reasoningBack: 'reasoning' })[1];

describe('an answer of chat comes back as one message, with reasoning and signatures of calls', () => {
  test('after a stream', () => {
    fc.assert(
      fc.property(message, (answer) => {
        const { role: _, content, tool_calls: calls, ...reasoning } = answer;
        const deltas = [
          reasoning,
          { content },
          ...calls.map((call, index) => ({ tool_calls: [{ index, ...call }] })),
        ];
        const items = streamedItems(OVER_CHAT, chatEvents(deltas, 'tool_calls'));
        expect(returnedMessage(items)).toEqual(answer);
      }),
      RUNS,
    );
  });

  test('after a non-streaming answer', () => {
    fc.assert(
      fc.property(message, (answer) => {
        const choices = [{ index: 0, message: answer, finish_reason: 'tool_calls' }];
        const items = wholeItems(OVER_CHAT, { id: 'c', object: 'chat.completion', choices });
        expect(returnedMessage(items)).toEqual(answer);
      }),
      RUNS,
    );
  });
});

test('reasoning is not returned once an item has switched it off', () => {
  const thinks = { role: 'assistant', content: 'Hi.', reasoning: 'I think.' };
  const answer = { choices: [{ index: 0, message: thinks, finish_reason: 'stop' }] };
  const types = (request: JsonObject): readonly unknown[] =>
    asArray(translatedWhole(OVER_CHAT, answer, request).response()['output']).map(
      (item) => asJsonObject(item)?.['type'],
    );
  const off = { type: 'configuration_update', reasoning: { effort: 'none' } };
  const low = { type: 'configuration_update', reasoning: { effort: 'low' } };
  const user = { role: 'user', content: 'Hi' };
  expect(types({ input: [user, off] })).toEqual(['message']);
  expect(types({ input: [user, off, low] })).toEqual(['reasoning', 'message']);
});
