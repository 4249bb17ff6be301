import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { JsonObject } from '../../json/object.ts';
import { decodeThinkingSignature } from '../thinking-signature.ts';
import { brokenRules } from './messages-rules.fixture.ts';
import { chatEvent, chatStream, context, eventsOf, passStream } from './request.fixture.ts';

const SEED = { seed: 20_261_121 };

/** Returns the blocks that a client assembles from a stream. */
function blocksOf(stream: string): readonly JsonObject[] {
  const blocks: Record<string, unknown>[] = [];
  for (const { type, content_block: block, delta } of eventsOf(stream)) {
    if (type === 'content_block_start') blocks.push({ ...(block as JsonObject) });
    const last = blocks.at(-1);
    if (type !== 'content_block_delta' || last === undefined) continue;
    const change = delta as Record<string, string>;
    if (change['type'] === 'text_delta') last['text'] = `${last['text']}${change['text']}`;
    if (change['type'] === 'thinking_delta') {
      last['thinking'] = `${last['thinking']}${change['thinking']}`;
    }
    if (change['type'] === 'signature_delta') last['signature'] = change['signature'];
    if (change['type'] === 'input_json_delta') {
      last['json'] = `${last['json'] ?? ''}${change['partial_json']}`;
    }
  }
  return blocks.map(({ type, text, thinking, signature, name, id, json }) => {
    if (type === 'text') return { text };
    return type === 'thinking' ? { thinking, signature } : { id, name, json: json ?? '' };
  });
}

const blocks = (...deltas: JsonObject[]) => {
  const { text, facts } = passStream([chatStream(deltas)]);
  expect(facts.error).toBeNull();
  expect(brokenRules(text, true)).toEqual([]);
  return blocksOf(text);
};
const faultOf = (...deltas: JsonObject[]) =>
  passStream([chatStream(deltas)]).facts.error?.message ?? null;

type Fragment = { index?: number; id?: string | null; name?: string | null; args?: unknown };
const fragment = ({ index, id, name, args = '' }: Fragment) => ({
  ...(index === undefined ? {} : { index }),
  ...(id === undefined ? {} : { id }),
  function: { ...(name === undefined ? {} : { name }), arguments: args },
});
const calls = (...fragments: Fragment[]) => ({ tool_calls: fragments.map(fragment) });

describe('blocks', () => {
  test('an empty delta opens no block', () => {
    expect(blocks({ role: 'assistant', content: '' }, { content: null }, { refusal: '' })).toEqual(
      [],
    );
  });

  test('reasoning, text and reasoning again become three blocks', () => {
    const said = [{ reasoning_content: 'a' }, { reasoning_content: 'b' }, { content: 'c' }];
    expect(blocks(...said, { reasoning: 'd' }, { content: 'e' })).toEqual([
      { thinking: 'ab', signature: '' },
      { text: 'c' },
      { thinking: 'd', signature: '' },
      { text: 'e' },
    ]);
  });

  test('reasoning in two fields at once is sent once', () => {
    expect(blocks({ reasoning: 'a', reasoning_content: 'a' })).toEqual([
      { thinking: 'a', signature: '' },
    ]);
  });

  test('an empty field is skipped for the next one', () => {
    expect(blocks({ reasoning_content: '', reasoning: 'a' }, { reasoning: 'b' })).toEqual([
      { thinking: 'ab', signature: '' },
    ]);
  });

  test('only the first of several choices is sent', () => {
    const choice = (index: number, content: string) =>
      chatEvent({ choices: [{ index, delta: { content }, finish_reason: 'stop' }] });
    const stream = [choice(1, 'other'), choice(0, 'one'), choice(1, 'other'), 'data: [DONE]\n\n'];
    expect(blocksOf(passStream(stream).text)).toEqual([{ text: 'one' }]);
  });

  test('ignores a reasoning field that the server uses otherwise', () => {
    const stream = chatStream([{ reasoning_content: 'a', content: 'b' }]);
    expect(blocksOf(passStream([stream], {}, { reasoningFields: [] }).text)).toEqual([
      { text: 'b' },
    ]);
  });

  test('content in parts becomes blocks of their kinds', () => {
    const thinking = { type: 'thinking', thinking: [{ type: 'text', text: 'a' }] };
    expect(blocks({ content: [thinking] }, { content: [{ type: 'text', text: 'b' }] })).toEqual([
      { thinking: 'a', signature: '' },
      { text: 'b' },
    ]);
  });

  test('blank text is sent with the text after it, or dropped', () => {
    expect(blocks({ content: '\n' }, { content: '\n' }, { content: 'a' })).toEqual([
      { text: '\n\na' },
    ]);
    expect(
      blocks({ content: '\n\n' }, calls({ index: 0, id: 'a', name: 'f', args: '{}' })),
    ).toEqual([{ id: 'a', name: 'f', json: '{}' }]);
    expect(blocks({ content: ' '.repeat(300) })).toEqual([{ text: ' '.repeat(300) }]);
  });
});

describe('tool calls', () => {
  const f = { index: 0, id: 'a', name: 'f' };
  const g = { index: 1, id: 'b', name: 'g' };
  const both = [
    { id: 'a', name: 'f', json: '{"x":1}' },
    { id: 'b', name: 'g', json: '{"y":2}' },
  ];

  test('in sequence are streamed', () => {
    expect(
      blocks(
        calls(f),
        calls({ index: 0, args: '{"x":' }),
        calls({ index: 0, args: '1}' }),
        calls({ ...g, args: '{"y":' }),
        calls({ index: 1, args: '2}' }),
      ),
    ).toEqual(both);
  });

  test('that interleave are sent one after another', () => {
    expect(
      blocks(
        calls(f, g),
        calls({ index: 1, args: '{"y":' }, { index: 0, args: '{"x"' }),
        calls({ index: 1, args: '2}' }),
        calls({ index: 0, args: ':1}' }),
      ),
    ).toEqual(both);
  });

  test('complete in one chunk, with or without an index, or with one index for all', () => {
    const [one, other] = [
      { id: 'a', name: 'f', args: '{"x":1}' },
      { id: 'b', name: 'g', args: '{"y":2}' },
    ];
    expect(blocks(calls(one, other))).toEqual(both);
    expect(blocks(calls({ ...one, index: 0 }), calls({ ...other, index: 0 }))).toEqual(both);
    expect(blocks(calls({ ...one, index: 3 }, { ...other, index: 9 }))).toEqual(both);
  });

  test('with arguments as an object', () => {
    expect(blocks(calls({ ...f, args: { x: 1 } }, { ...g, args: { y: 2 } }))).toEqual(both);
  });

  test('whose id and name repeat with every fragment, or are empty', () => {
    expect(
      blocks(
        calls({ ...f, args: '{"x"' }),
        calls({ ...f, args: ':1' }),
        calls({ index: 0, id: 'another', name: '', args: '}' }),
        calls({ ...g, args: '{"y":2}' }),
      ),
    ).toEqual(both);
  });

  test('whose id changes with every fragment are one call', () => {
    const fragments = ['{"x"', ':', '1}'].map((args, at) => ({ ...f, id: `a${at}`, args }));
    expect(blocks(...fragments.map((each) => calls(each)))).toEqual([
      { id: 'a0', name: 'f', json: '{"x":1}' },
    ]);
  });

  test('without an index are separated by their ids', () => {
    const [one, other] = [
      { id: 'a', name: 'f' },
      { id: 'b', name: 'g' },
    ];
    expect(
      blocks(
        calls(one),
        calls(other),
        calls({ id: 'a', args: '{"x":1}' }),
        calls({ id: 'b', args: '{"y":2}' }),
      ),
    ).toEqual(both);
  });

  test('under one index are separated even if one has no arguments', () => {
    const sent = blocks(
      calls({ index: 0, id: 'a', name: 'f' }),
      calls({ index: 0, id: 'b', name: 'g', args: '{"x":1}' }),
    );
    expect(sent).toEqual([
      { id: 'a', name: 'f', json: '' },
      { id: 'b', name: 'g', json: '{"x":1}' },
    ]);
  });

  test('without ids, or with the same id, get derived ids', () => {
    const nameless = [
      { name: 'f', args: '{}' },
      { name: 'f', args: '{}' },
    ];
    expect(blocks(calls(...nameless)).map(({ id }) => id)).toEqual(['toolu_01X_0', 'toolu_01X_1']);
    const same = [
      { index: 0, id: 'call:0', name: 'f', args: '{}' },
      { index: 1, id: 'a', name: 'f', args: '{}' },
      { index: 2, id: 'a', name: 'f', args: '{}' },
    ];
    expect(blocks(calls(...same)).map(({ id }) => id)).toEqual(['toolu_01X_0', 'a', 'toolu_01X_2']);
  });

  test('do not end at brackets and quotes within strings', () => {
    const args = '{"x":"}\\"]{"}';
    expect(
      blocks(
        calls({ ...f, args: args.slice(0, 8) }),
        calls(g),
        calls({ index: 0, args: args.slice(8) }),
      ),
    ).toEqual([
      { id: 'a', name: 'f', json: args },
      { id: 'b', name: 'g', json: '' },
    ]);
  });

  test('without arguments has none', () => {
    expect(blocks(calls(f), calls(g))).toEqual([
      { id: 'a', name: 'f', json: '' },
      { id: 'b', name: 'g', json: '' },
    ]);
  });

  test('text after a complete call is sent at once, after a partial call once that is complete', () => {
    expect(blocks(calls({ ...f, args: '{}' }), { content: 'c' })).toEqual([
      { id: 'a', name: 'f', json: '{}' },
      { text: 'c' },
    ]);
    expect(
      blocks(
        calls({ ...f, args: '{"x"' }),
        { content: 'c' },
        { content: 'd' },
        calls({ index: 0, args: ':1}' }),
        {
          content: 'e',
        },
      ),
    ).toEqual([{ id: 'a', name: 'f', json: '{"x":1}' }, { text: 'cde' }]);
  });

  test('text after a complete call does not wait for the end', () => {
    const pushed = passStream([
      chatStream([calls({ ...f, args: '{}' }), { content: 'c' }]).replace('data: [DONE]\n\n', ''),
    ]);
    expect(blocksOf(pushed.text)).toEqual([{ id: 'a', name: 'f', json: '{}' }, { text: 'c' }]);
  });

  test('blank text before a call is not sent after it', () => {
    expect(blocks({ content: '\n\n' }, calls({ ...f, args: '{}' }), { content: 'c' })).toEqual([
      { id: 'a', name: 'f', json: '{}' },
      { text: 'c' },
    ]);
  });

  test('a legacy function_call is a tool call', () => {
    expect(
      blocks(
        { function_call: { name: 'f', arguments: '' } },
        { function_call: { arguments: '{}' } },
      ),
    ).toEqual([{ id: 'toolu_01X_0', name: 'f', json: '{}' }]);
  });

  test('that never get a name are a failure', () => {
    expect(faultOf(calls({ index: 0, id: 'a', args: '{}' }))).toBe(
      'The upstream sent a tool call without a name.',
    );
  });

  test('that continue after their block closed are a failure', () => {
    const over = [calls({ ...f, args: '{}' }), calls({ ...g, args: '{' })];
    expect(faultOf(...over, calls({ index: 0, args: 'x' }))).toBe(
      'The upstream continued a tool call that was complete.',
    );
    expect(faultOf(...over, calls({ index: 0, args: '\n' }))).toBeNull();
  });

  test("beyond the protocol's limit are a failure", () => {
    const many = Array.from({ length: 129 }, (_, index) => ({
      index,
      id: `c${index}`,
      name: 'f',
      args: '{}',
    }));
    expect(faultOf(...many.slice(1).map((each) => calls(each)))).toBeNull();
    expect(faultOf(...many.map((each) => calls(each)))).toBe(
      'The upstream sent more than 128 tool calls.',
    );
  });

  test('held back beyond the limit are a failure', () => {
    const long = 'x'.repeat(context().maxEventBytes / 4);
    expect(faultOf(calls(f), calls({ ...g, args: long }))).toBeNull();
    expect(
      faultOf(calls(f), calls({ ...g, args: long }), calls({ index: 1, args: `${long}x` })),
    ).toBe(
      'The provider sent more data out of order, or in one tool call, than the gateway can buffer.',
    );
  });

  test('in sequence may be of any length', () => {
    const args = JSON.stringify({ x: 'x'.repeat(context().maxEventBytes / 4) });
    const whole = [0, 1, 2, 3].map((index) => calls({ index, id: `c${index}`, name: 'f', args }));
    expect(faultOf(...whole)).toBeNull();
  });

  test('split into fragments and interleaved are restored', () => {
    const json = fc
      .dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 1 }), { maxKeys: 3 })
      .map((value) => JSON.stringify(value));
    const cut = fc.tuple(
      fc.array(json, { minLength: 1, maxLength: 4 }),
      fc.infiniteStream(fc.nat(9)),
    );
    fc.assert(
      fc.property(cut, ([whole, chance]) => {
        const rest = whole.map((text) => text);
        const deltas: JsonObject[] = [
          calls(...whole.map((_, index) => ({ index, id: `c${index}`, name: `f${index}` }))),
        ];
        while (rest.some((text) => text !== '')) {
          const index = chance.next().value % whole.length;
          const length = 1 + chance.next().value;
          deltas.push(calls({ index, args: rest[index]?.slice(0, length) ?? '' }));
          rest[index] = rest[index]?.slice(length) ?? '';
        }
        expect(blocks(...deltas)).toEqual(
          whole.map((text, index) => ({ id: `c${index}`, name: `f${index}`, json: text })),
        );
      }),
      { ...SEED, numRuns: 60 },
    );
  });
});

test('the last of several finish reasons counts', () => {
  const choice = (content: string, finish_reason: string) =>
    chatEvent({ choices: [{ index: 0, delta: { content }, finish_reason }] });
  const { text } = passStream([choice('a', 'stop'), choice('b', 'length'), 'data: [DONE]\n\n']);
  expect(text).toContain('"stop_reason":"max_tokens"');
});

describe('hidden thinking', () => {
  const omitted = { thinking: { type: 'adaptive', display: 'omitted' } };
  const deltas = [{ reasoning_content: 'Let me' }, { reasoning_content: ' sée' }, { content: 'a' }];

  test('is omitted', () => {
    const { text } = passStream([chatStream(deltas)], omitted);
    expect(blocksOf(text)).toEqual([{ text: 'a' }]);
  });

  test('is omitted if the caller did not ask for it, whatever the server wants back', () => {
    const quirks = { reasoningBack: 'reasoning_content' };
    const { text } = passStream([chatStream(deltas)], { thinking: { type: 'disabled' } }, quirks);
    expect(blocksOf(text)).toEqual([{ text: 'a' }]);
  });

  test('travels in the signature if the server wants it back', () => {
    const { text } = passStream([chatStream(deltas)], omitted, {
      reasoningBack: 'reasoning_content',
    });
    expect(brokenRules(text, true)).toEqual([]);
    const [thought, said] = blocksOf(text);
    expect(thought?.['thinking']).toBe('');
    expect(decodeThinkingSignature(String(thought?.['signature']))).toBe('Let me sée');
    expect(said).toEqual({ text: 'a' });
  });
});
