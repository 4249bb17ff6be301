import { expect, test } from 'bun:test';
import fc from 'fast-check';
import type { JsonObject } from '../json/object.ts';
import { openChatStream } from './chat/stream-pass.ts';
import { readChatStream } from './chat-rules.fixture.ts';
import { brokenRules } from './messages-to-chat/messages-rules.fixture.ts';
import { chatEvent, context, eventsOf, passStream } from './messages-to-chat/request.fixture.ts';
import { passChunks } from './recorded-streams.fixture.ts';

type Call = { readonly name: string; readonly args: string };

const call: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom('f', 'g'),
  args: fc
    .dictionary(
      fc.constantFrom('a', 'b'),
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.constant({ x: [1, {}, '}'] })),
    )
    .map((value) => JSON.stringify(value)),
});

/** Generates combinations of the mistakes that servers may make when they stream tool calls. */
const manner = fc.record({
  index: fc.constantFrom('right', 'from 1', 'always 0', 'none'),
  id: fc.constantFrom('once', 'new each time', 'empty', 'none'),
  hasType: fc.boolean(),
  /**
   * The length of each fragment of the arguments, in UTF-16 units. If null, a call is not split
   * into fragments.
   */
  piece: fc.option(fc.integer({ min: 1, max: 7 })),
  laterName: fc.constantFrom(undefined, null, '', 'repeated'),
  finish: fc.constantFrom('stop', 'tool_calls'),
});
type Manner = typeof manner extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * Whether a client can match each fragment to its call. It can if calls are not split, if the calls
 * have different indexes, if only the first fragment of a call has an id, or if each fragment has a
 * new id and an index. A name in a later fragment must not come with a new id.
 */
const canBeTold = ({ piece, index, id, laterName }: Manner): boolean => {
  const isNumbered = index === 'right' || index === 'from 1';
  if (piece !== null && laterName === 'repeated' && id === 'new each time') return false;
  return (
    piece === null || isNumbered || id === 'once' || (id === 'new each time' && index !== 'none')
  );
};

function chunksOf(calls: readonly Call[], manner: Manner): string {
  const head = { id: 'c', object: 'chat.completion.chunk', created: 1_790_000_000, model: 'm' };
  const chunk = (delta: JsonObject, finish: string | null = null): string =>
    chatEvent({ ...head, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] });
  let made = 0;
  const fragments = calls.flatMap(({ name, args }, at) => {
    const numbers = { right: at, 'from 1': at + 1, 'always 0': 0, none: undefined };
    const pieces = manner.piece === null ? [args] : ['', ...cut(args, manner.piece)];
    return pieces.map((text, nth) => {
      const ids = {
        once: nth === 0 ? `call_${at}` : undefined,
        'new each time': `call_${made++}`,
        empty: '',
        none: undefined,
      };
      return chunk({
        tool_calls: [
          {
            index: numbers[manner.index],
            id: ids[manner.id],
            type: manner.hasType ? 'function' : undefined,
            function: {
              name: nth === 0 || manner.laterName === 'repeated' ? name : manner.laterName,
              arguments: text,
            },
          },
        ],
      });
    });
  });
  const first = chunk({ role: 'assistant', content: 'Hi' });
  return [first, ...fragments, chunk({}, manner.finish), 'data: [DONE]\n\n'].join('');
}

const cut = (text: string, units: number): readonly string[] =>
  Array.from({ length: Math.ceil(text.length / units) }, (_, at) =>
    text.slice(at * units, (at + 1) * units),
  );

test('separates calls however a server numbers, names and splits them', () => {
  fc.assert(
    fc.property(fc.array(call, { minLength: 1, maxLength: 4 }), manner, (calls, how) => {
      fc.pre(canBeTold(how));
      const stream = chunksOf(calls, how);
      const { text } = passChunks(openChatStream(context()), [stream]);
      const read = readChatStream(text, { includeUsage: true });
      expect(read.calls.map(({ name, arguments: args }) => ({ name, args }))).toEqual([...calls]);
      const usage = 'usage of an ordinary chunk is neither null nor absent as requested';
      expect(read.faults.filter((fault) => fault !== usage)).toEqual([]);

      const translated = passStream([stream]).text;
      expect(brokenRules(translated, true)).toEqual([]);
      const events = eventsOf(translated);
      const inOrder = (member: string, name: string): readonly unknown[] =>
        events.flatMap((each) => {
          const value = (each[member] as JsonObject | undefined)?.[name];
          return value === undefined ? [] : [value];
        });
      expect(inOrder('content_block', 'name')).toEqual(calls.map(({ name }) => name));
      expect(inOrder('delta', 'partial_json').join('')).toBe(
        calls.map(({ args }) => args).join(''),
      );
    }),
    { seed: 20_261_121, numRuns: 200 },
  );
});
