/** Tests the turns to which conversations are translated, and the paths that errors name. */
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

/**
 * Returns the turns of the translated conversation, each as a list of its role and its content. A
 * text block without a cache marker is shown as its text.
 */
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
  test('at the start are separate blocks, in order', () => {
    expect(
      turns([system('a'), { role: 'developer', content: [text('b'), text('c')] }, user('x')]),
    ).toEqual([
      ['system', 'a', 'b', 'c'],
      ['user', 'x'],
    ]);
  });

  test('follow their user turn, if upstreams accept them there', () => {
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

  test('in a row are merged', () => {
    expect(turns([user('x'), system('s'), system('t')])).toEqual([
      ['user', 'x'],
      ['system', 's', 't'],
    ]);
  });

  test('between assistant turns become user text', () => {
    expect(
      turns([user('x'), assistant({ content: 'y' }), system('s'), assistant({ content: 'z' })]),
    ).toEqual([
      ['user', 'x'],
      ['assistant', 'y'],
      ['user', '<system>\ns\n</system>'],
      ['assistant', 'z'],
    ]);
  });

  test('become user text in place for upstreams that accept none', () => {
    expect(turns([system('a'), user('x'), system('s'), user('y')], false)).toEqual([
      ['system', 'a'],
      ['user', 'x', '<system>\ns\n</system>', 'y'],
    ]);
  });

  test('leave the prefix unchanged', () => {
    const before = [system('a'), user('x'), assistant({ content: 'y' }), user('q')];
    for (const anywhere of [true, false]) {
      const longer = turns([...before, system('s')], anywhere);
      expect(JSON.stringify(longer)).toStartWith(
        JSON.stringify(turns(before, anywhere)).slice(0, -2),
      );
    }
  });

  test('alone are rejected', () => {
    expect(refusalOf({ messages: [system('a')] })).toBe(
      'invalid_value at messages: messages: must contain at least one user message.',
    );
  });

  test('may contain text only', () => {
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    expect(refusalOf({ messages: [system([text('a'), image]), user('x')] })).toStartWith(
      'unsupported_value at messages[0].content[1].type:',
    );
  });
});

describe('tool calls and their results', () => {
  test("results of one turn are one user message, followed by the user's text", () => {
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

  test('results come first in a user turn', () => {
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

  test('a result may contain images, and may be empty', () => {
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

  test('calls follow the text, with their arguments as an object', () => {
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

  test('empty arguments become an empty object', () => {
    for (const args of ['', '  ', '{}']) {
      const empty = assistant({ tool_calls: [call('a', 'f', args)] });
      expect(turns([user('x'), empty, result('a', '1')])[1]).toEqual(['assistant', use('a')]);
    }
  });

  test('rejects a call without a result, with its path and the remedy', () => {
    const remedy =
      'invalid_value at messages[1].tool_calls[1]: messages[1].tool_calls[1]: is a call without a result; ' +
      'add a tool message with its id before the next assistant message, or remove the call.';
    const started = [user('x'), calling('a', 'b'), result('a', '1')];
    expect(refusalOf({ messages: started })).toBe(remedy);
    expect(refusalOf({ messages: [...started, user('y'), assistant({ content: 'z' })] })).toBe(
      remedy,
    );
  });

  test('rejects a result without a call, with its path', () => {
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

  test('rewrites invalid ids in calls and results alike', () => {
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

  test('rewrites an invalid name that a model invented', () => {
    const invented = assistant({ tool_calls: [call('a', 'functions.f', '{}')] });
    const { messages, tools } = messagesBody({ messages: [user('x'), invented, result('a', '1')] });
    const name = 'functions_f_986775d0ecc6';
    expect(messages).toMatchObject([{}, { content: [{ type: 'tool_use', name }] }, {}]);
    expect(tools).toMatchObject([{ name }]);
  });

  test('makes an id unique that comes again in a later turn', () => {
    const again = [calling('a'), result('a', '1')];
    const ids = turns([user('x'), ...again, ...again, ...again]).flat();
    const result_ids = ids.flatMap((each) => (each as JsonObject)['tool_use_id'] ?? []);
    expect(result_ids).toEqual(['a', 'a_2', 'a_3']);
  });

  test('makes thousands of equal ids unique', () => {
    const count = 5_000;
    const again = Array.from({ length: count }, () => [calling('a'), result('a', '1')]).flat();
    const ids = turns([user('x'), ...again]).flat();
    const result_ids = ids.flatMap((each) => (each as JsonObject)['tool_use_id'] ?? []);
    expect(new Set(result_ids).size).toBe(count);
    expect(result_ids.at(-1)).toBe(`a_${count}`);
  });

  test('rejects arguments of calls that have too many values in all', () => {
    const args = `{"a":[${Array(40_000).fill('1').join(',')}]}`;
    const one = [assistant({ tool_calls: [call('a', 'f', args)] }), result('a', '1')];
    expect(turns([user('x'), ...one])).toHaveLength(3);
    expect(refusalOf({ messages: [user('x'), ...one, ...one] })).toStartWith(
      'invalid_value at messages[3].tool_calls[0].function.arguments: ',
    );
  });

  test('rejects arguments of a call that are longer than any model writes', () => {
    const args = (size: number) => JSON.stringify({ text: 'x'.repeat(size) });
    const one = (size: number) => [
      user('x'),
      assistant({ tool_calls: [call('a', 'f', args(size))] }),
      result('a', '1'),
    ];
    expect(turns(one(2_000_000))).toHaveLength(3);
    expect(refusalOf({ messages: one(2_100_000) })).toContain('tool_calls[0].function.arguments');
  });

  test('matches a function_call with its function message', () => {
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

  test('rejects a call of a custom tool', () => {
    const custom = { id: 'a', type: 'custom', custom: { name: 'c', input: 'x' } };
    expect(refusalOf({ messages: [user('x'), assistant({ tool_calls: [custom] })] })).toStartWith(
      'unsupported_value at messages[1].tool_calls[0].type: ',
    );
  });
});

describe('blank content', () => {
  test('omits blank text', () => {
    expect(turns([system(' '), user([text(''), text('x'), text(' \n')])])).toEqual([['user', 'x']]);
  });

  test('omits an empty assistant message, which clients replay', () => {
    expect(
      turns([user('x'), assistant({ content: null }), assistant({ content: '' }), user('y')]),
    ).toEqual([['user', 'x', 'y']]);
  });

  test('merges consecutive assistant messages', () => {
    expect(turns([user('x'), assistant({ content: 'y' }), assistant({ refusal: 'z' })])).toEqual([
      ['user', 'x'],
      ['assistant', 'y', 'z'],
    ]);
  });

  test('rejects a blank user turn, since the model would continue its own words', () => {
    const blank = [user('x'), assistant({ content: 'y' }), user(' ')];
    const refusal =
      'invalid_value at messages[2].content: messages[2].content: is blank; add text, or remove the message.';
    expect(refusalOf({ messages: blank })).toBe(refusal);
    expect(refusalOf({ messages: [...blank, assistant({ content: 'z' })] })).toBe(refusal);
  });

  test('omits a blank message beside a result', () => {
    expect(turns([user('x'), calling('a'), result('a', '1'), user('')]).at(-1)).toEqual([
      'user',
      { type: 'tool_result', tool_use_id: 'a', content: [text('1')] },
    ]);
  });
});
