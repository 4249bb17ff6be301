/** The conversation: who says what in which turn, and what is refused by its place. */
import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import {
  assistant,
  call,
  messagesBody,
  refusalOf,
  result,
  target,
  user,
} from './request.fixture.ts';

const system = (content: unknown) => ({ role: 'system', content });
const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string, input: object = {}) => ({ type: 'tool_use', id, name: 'f', input });
const calling = (...ids: string[]) =>
  assistant({ content: null, tool_calls: ids.map((id) => call(id, 'f', '{}')) });
const tools = [{ type: 'function', function: { name: 'f' } }];

/** The turns as `role: content`, text alone as its words. */
function turns(messages: readonly JsonObject[], systemAnywhere = true): readonly unknown[] {
  const body = messagesBody({ messages, tools }, target({ systemAnywhere }));
  const brief = (block: JsonObject) =>
    block['type'] === 'text' && block['cache_control'] === undefined ? block['text'] : block;
  const list = (body['messages'] as { role: string; content: JsonObject[] }[]).map(
    ({ role, content }) => [role, ...content.map(brief)],
  );
  return body['system'] === undefined
    ? list
    : [['system', ...(body['system'] as JsonObject[]).map(brief)], ...list];
}

describe('system messages', () => {
  test('at the beginning are blocks of their own, in order', () => {
    expect(
      turns([system('a'), { role: 'developer', content: [text('b'), text('c')] }, user('x')]),
    ).toEqual([
      ['system', 'a', 'b', 'c'],
      ['user', 'x'],
    ]);
  });

  test('later ones stand behind the user turn they were said in, where upstreams take them', () => {
    expect(
      turns([
        user('x'),
        system('s'),
        user('y'),
        assistant({ content: 'z' }),
        user('q'),
        system('t'),
      ]),
    ).toEqual([
      ['user', 'x', 'y'],
      ['system', 's'],
      ['assistant', 'z'],
      ['user', 'q'],
      ['system', 't'],
    ]);
  });

  test('two of them are one, as no two may stand in a row', () => {
    expect(turns([user('x'), system('s'), system('t')])).toEqual([
      ['user', 'x'],
      ['system', 's', 't'],
    ]);
  });

  test('between answers the user says them, as no user turn stands before', () => {
    expect(
      turns([user('x'), assistant({ content: 'y' }), system('s'), assistant({ content: 'z' })]),
    ).toEqual([
      ['user', 'x'],
      ['assistant', 'y'],
      ['user', '<system>\ns\n</system>'],
      ['assistant', 'z'],
    ]);
  });

  test('upstreams that know none get them from the user, in their place', () => {
    expect(turns([system('a'), user('x'), system('s'), user('y')], false)).toEqual([
      ['system', 'a'],
      ['user', 'x', '<system>\ns\n</system>', 'y'],
    ]);
  });

  test('do not disturb what stands before them', () => {
    const before = [system('a'), user('x'), assistant({ content: 'y' }), user('q')];
    for (const anywhere of [true, false]) {
      const longer = turns([...before, system('s')], anywhere);
      expect(JSON.stringify(longer)).toStartWith(
        JSON.stringify(turns(before, anywhere)).slice(0, -2),
      );
    }
  });

  test('alone are no conversation', () => {
    expect(refusalOf({ messages: [system('a')] })).toBe(
      'invalid_value at messages: messages: must contain at least one user message.',
    );
  });

  test('hold text alone', () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    expect(refusalOf({ messages: [system([text('a'), image]), user('x')] })).toStartWith(
      'unsupported_value at messages[0].content[1].type:',
    );
  });
});

describe('tool calls and their results', () => {
  test('results of one turn are one user message, followed by what the user says next', () => {
    expect(
      turns([user('x'), calling('a', 'b'), result('b', '2'), result('a', '1'), user('y')]),
    ).toEqual([
      ['user', 'x'],
      ['assistant', use('a'), use('b')],
      [
        'user',
        { type: 'tool_result', tool_use_id: 'b', content: [text('2')] },
        { type: 'tool_result', tool_use_id: 'a', content: [text('1')] },
        'y',
      ],
    ]);
  });

  test('results come first, whoever spoke before them', () => {
    const [, , third] = turns([
      user('x'),
      calling('a', 'b'),
      result('a', '1'),
      user('y'),
      result('b', '2'),
    ]);
    expect(third).toEqual([
      'user',
      { type: 'tool_result', tool_use_id: 'a', content: [text('1')] },
      { type: 'tool_result', tool_use_id: 'b', content: [text('2')] },
      'y',
    ]);
  });

  test('a result may hold images, and may hold nothing', () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0=' } };
    const [, , third] = turns([
      user('x'),
      calling('a', 'b'),
      result('a', [text('see'), image]),
      result('b', ''),
    ]);
    expect(third).toEqual([
      'user',
      {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [
          text('see'),
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' } },
        ],
      },
      { type: 'tool_result', tool_use_id: 'b' },
    ]);
  });

  test('calls stand behind the text, with their arguments as an object', () => {
    const spoken = assistant({
      content: 'Let me see.',
      tool_calls: [call('a', 'f', '{"tz":"UTC"}')],
    });
    expect(turns([user('x'), spoken, result('a', '1')])[1]).toEqual([
      'assistant',
      'Let me see.',
      use('a', { tz: 'UTC' }),
    ]);
  });

  test('arguments of nothing are an empty object', () => {
    for (const args of ['', '  ', '{}']) {
      const empty = assistant({ tool_calls: [call('a', 'f', args)] });
      expect(turns([user('x'), empty, result('a', '1')])[1]).toEqual(['assistant', use('a')]);
    }
  });

  test('arguments that are no object are refused by their place', () => {
    for (const args of ['{"a":', '[1]', '"a"', 'null', '7']) {
      const calls = [call('a', 'f', '{}'), call('b', 'f', args)];
      expect(refusalOf({ messages: [user('x'), assistant({ tool_calls: calls })] })).toStartWith(
        'invalid_value at messages[1].tool_calls[1].function.arguments: ',
      );
    }
  });

  test('a call without an answer is refused by its place, with the remedy', () => {
    const remedy =
      'invalid_value at messages[1].tool_calls[1]: messages[1].tool_calls[1]: is a call without a result; ' +
      'add a tool message with its id before the next assistant message, or remove the call.';
    const started = [user('x'), calling('a', 'b'), result('a', '1')];
    expect(refusalOf({ messages: started })).toBe(remedy);
    expect(refusalOf({ messages: [...started, user('y'), assistant({ content: 'z' })] })).toBe(
      remedy,
    );
  });

  test('an answer to no call is refused by its place', () => {
    const stray = (...before: JsonObject[]) =>
      refusalOf({ messages: [...before, result('c', '1')] });
    const where = (index: number) => `invalid_value at messages[${index}].tool_call_id: `;
    expect(stray(user('x'))).toStartWith(where(1));
    expect(stray(user('x'), calling('a'))).toStartWith(where(2));
    expect(stray(user('x'), calling('c'), result('c', '1'))).toStartWith(where(3));
    expect(
      refusalOf({ messages: [user('x'), calling('a'), { role: 'tool', content: '1' }] }),
    ).toStartWith('missing_required_parameter at messages[2].tool_call_id: ');
  });

  test('ids outside of the alphabet are rewritten, calls and answers alike', () => {
    const [, second, third] = turns([
      user('x'),
      calling('call:1', 'call.1'),
      result('call:1', '1'),
      result('call.1', '2'),
    ]);
    expect(second).toEqual(['assistant', use('call_1_0af6315558b4'), use('call_1_e8b7b7b3793f')]);
    expect(third).toEqual([
      'user',
      { type: 'tool_result', tool_use_id: 'call_1_0af6315558b4', content: [text('1')] },
      { type: 'tool_result', tool_use_id: 'call_1_e8b7b7b3793f', content: [text('2')] },
    ]);
  });

  test('an id that comes again in a later turn is told apart', () => {
    const again = [calling('a'), result('a', '1')];
    const ids = turns([user('x'), ...again, ...again, ...again]).flat();
    const result_ids = ids.flatMap((each) => (each as JsonObject)['tool_use_id'] ?? []);
    expect(result_ids).toEqual(['a', 'a_2', 'a_3']);
  });

  test('a call of the first form is answered by the message of its function', () => {
    const messages = [
      user('x'),
      assistant({ content: null, function_call: { name: 'f', arguments: '{"n":1}' } }),
      { role: 'function', name: 'f', content: '1' },
    ];
    expect(turns(messages)).toEqual([
      ['user', 'x'],
      ['assistant', use('call_f', { n: 1 })],
      ['user', { type: 'tool_result', tool_use_id: 'call_f', content: [text('1')] }],
    ]);
    const other = { role: 'function', name: 'g', content: '1' };
    expect(refusalOf({ messages: [...messages.slice(0, 2), other] })).toStartWith(
      'invalid_value at messages[2].name: ',
    );
  });

  test('a call of a free-form tool is refused', () => {
    const custom = { id: 'a', type: 'custom', custom: { name: 'c', input: 'x' } };
    expect(refusalOf({ messages: [user('x'), assistant({ tool_calls: [custom] })] })).toStartWith(
      'unsupported_value at messages[1].tool_calls[0].type: ',
    );
  });
});

describe('what says nothing', () => {
  test('blank text is left out', () => {
    expect(turns([system(' '), user([text(''), text('x'), text(' \n')])])).toEqual([['user', 'x']]);
  });

  test('an empty answer is left out, as clients replay it', () => {
    expect(
      turns([user('x'), assistant({ content: null }), assistant({ content: '' }), user('y')]),
    ).toEqual([['user', 'x', 'y']]);
  });

  test('two answers in a row are one', () => {
    expect(turns([user('x'), assistant({ content: 'y' }), assistant({ refusal: 'z' })])).toEqual([
      ['user', 'x'],
      ['assistant', 'y', 'z'],
    ]);
  });

  test('a blank user turn is refused, since the model would go on with its own words', () => {
    const blank = [user('x'), assistant({ content: 'y' }), user(' ')];
    const refusal =
      'invalid_value at messages[2].content: messages[2].content: is blank; add text, or remove the message.';
    expect(refusalOf({ messages: blank })).toBe(refusal);
    expect(refusalOf({ messages: [...blank, assistant({ content: 'z' })] })).toBe(refusal);
  });

  test('beside a result a blank message is left out', () => {
    expect(turns([user('x'), calling('a'), result('a', '1'), user('')]).at(-1)).toEqual([
      'user',
      { type: 'tool_result', tool_use_id: 'a', content: [text('1')] },
    ]);
  });
});

describe('cache markers', () => {
  const marked = (words: string) => ({
    ...text(words),
    prompt_cache_breakpoint: { mode: 'explicit', ttl: '12h' },
  });
  const marker = { cache_control: { type: 'ephemeral' } };

  test('stand where the caller put them, for five minutes', () => {
    expect(turns([system([marked('a')]), user([marked('x'), text('y')])])).toEqual([
      ['system', { ...text('a'), ...marker }],
      ['user', { ...text('x'), ...marker }, 'y'],
    ]);
  });

  test('are told as Messages has them too, as callers of other gateways do', () => {
    const theirs = { ...text('x'), cache_control: { type: 'ephemeral', ttl: '1h' } };
    expect(turns([user([theirs])])).toEqual([['user', { ...text('x'), ...marker }]]);
  });

  test('of a part of a result mark the result', () => {
    expect(turns([user('x'), calling('a'), result('a', [marked('1'), text('2')])])[2]).toEqual([
      'user',
      { type: 'tool_result', tool_use_id: 'a', content: [text('1'), text('2')], ...marker },
    ]);
  });

  test('of more than four the last four stay', () => {
    const [[, ...blocks] = []] = turns([user(['a', 'b', 'c', 'd', 'e', 'f'].map(marked))]) as [
      unknown[],
    ];
    expect(blocks).toEqual([
      'a',
      'b',
      ...['c', 'd', 'e', 'f'].map((each) => ({ ...text(each), ...marker })),
    ]);
  });
});
