import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import {
  asMessages,
  call,
  chatBody,
  chatMessages,
  developer,
  inputImage,
  inputText,
  messagesBody,
  output,
  PNG,
  refusalOf,
  refused,
  said,
  turns,
  user,
} from './request.fixture.ts';

const chatCall = (id: string, name = 'f', args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const asked = (content: string | null, ...calls: unknown[]) => ({
  role: 'assistant',
  content,
  tool_calls: calls,
});
const answered = (id: string, content = 'done') => ({ role: 'tool', tool_call_id: id, content });
const chatUser = (content: unknown) => ({ role: 'user', content });
const system = (content: string) => ({ role: 'system', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const text = (words: string) => ({ type: 'text', text: words });
const use = (id: string, name = 'f', input: JsonObject = {}) => ({
  type: 'tool_use',
  id,
  name,
  input,
});
const result = (id: string, ...content: unknown[]) => ({
  type: 'tool_result',
  tool_use_id: id,
  ...(content.length === 0 ? {} : { content }),
});
const done = text('done');

describe('messages', () => {
  test('input that is a string is one user message', () => {
    expect(chatBody({ input: 'Hi' })['messages']).toEqual([chatUser('Hi')]);
    expect(messagesBody({ input: 'Hi' })['messages']).toEqual([
      { role: 'user', content: [text('Hi')] },
    ]);
  });

  test('items without a type are messages', () => {
    const { type: _, ...bare } = user('Hi');
    expect(chatMessages([bare])).toEqual([chatUser('Hi')]);
  });

  test('instructions and leading developer messages are the system text', () => {
    const request = {
      instructions: 'Be brief.',
      input: [developer('Be kind.'), user('Hi')],
    };
    expect(chatBody(request)['messages']).toEqual([
      system('Be brief.\n\nBe kind.'),
      chatUser('Hi'),
    ]);
    expect(messagesBody(request)['system']).toEqual([text('Be brief.'), text('Be kind.')]);
    const withoutUser = { ...request, input: [developer('Be kind.')] };
    expect(chatBody(withoutUser)['messages']).toEqual([system('Be brief.\n\nBe kind.')]);
  });

  test('a developer message in the middle keeps its place', () => {
    const items = [user('a'), said('b'), developer('c'), user('d')];
    expect(chatMessages(items)).toEqual([
      chatUser('a'),
      assistant('b'),
      system('c'),
      chatUser('d'),
    ]);
    expect(turns(items).map((turn) => (turn as string[])[0])).toEqual([
      'user',
      'assistant',
      'user',
      'system',
    ]);
  });

  test('consecutive messages of the assistant are one turn', () => {
    expect(chatMessages([user('a'), said('b'), said('c')])[1]).toEqual(assistant('b\n\nc'));
    expect(turns([user('a'), said('b'), said('c')])[1]).toEqual([
      'assistant',
      [text('b'), text('c')],
    ]);
  });

  test('the parts of one assistant message are joined, since models split text at citations', () => {
    const parts = ['The ', 'sky'].map((words) => ({ type: 'output_text', text: words }));
    const message = { role: 'assistant', content: [...parts, { type: 'refusal', refusal: '!' }] };
    expect(chatMessages([user('a'), message])[1]).toEqual(assistant('The sky!'));
  });

  test('without content are left out', () => {
    const empty = [
      user(''),
      user([]),
      said(''),
      developer(null),
      { role: 'user' },
      user([inputText('')]),
    ];
    expect(chatMessages([user('a'), ...empty, user('b')])).toEqual([chatUser('a'), chatUser('b')]);
    expect(turns([user('a'), ...empty, user('b')])).toEqual([['user', [text('a'), text('b')]]]);
  });

  test('between agents are user messages', () => {
    const content = [{ type: 'encrypted_content', encrypted_content: 'Review it.' }];
    const message = { type: 'agent_message', author: '/root', recipient: '/root/a', content };
    expect(chatMessages([message])).toEqual([chatUser('Review it.')]);
  });

  test('nothing to answer is refused', () => {
    for (const input of ['', [], [user('')], null]) {
      expect(refused({ input })).toBe('invalid_value at input');
    }
    expect(refusalOf({ input: [user([inputText('  ')])] }, asMessages)).toBe(
      'invalid_value at input[0].content[0].text: input[0].content[0].text: is blank; add text, or ' +
        'remove the message.',
    );
  });
});

describe('calls and outputs', () => {
  test('of one turn are one assistant message and its results, in the order of the calls', () => {
    const items = [
      user('a'),
      said('b'),
      call('c1'),
      call('c2', 'g', '{"x":1}'),
      output('c2', 'two'),
      output('c1', 'one'),
      said('d'),
    ];
    expect(chatMessages(items)).toEqual([
      chatUser('a'),
      asked('b', chatCall('c1'), chatCall('c2', 'g', '{"x":1}')),
      answered('c1', 'one'),
      answered('c2', 'two'),
      assistant('d'),
    ]);
    expect(turns(items)).toEqual([
      ['user', [text('a')]],
      ['assistant', [text('b'), use('c1'), use('c2', 'g', { x: 1 })]],
      ['user', [result('c1', text('one')), result('c2', text('two'))]],
      ['assistant', [text('d')]],
    ]);
  });

  test('alternate when each call has its output before the next', () => {
    const items = [user('a'), call('c1'), output('c1'), call('c2'), output('c2')];
    expect(chatMessages(items)).toEqual([
      chatUser('a'),
      asked(null, chatCall('c1')),
      answered('c1'),
      asked(null, chatCall('c2')),
      answered('c2'),
    ]);
  });

  test('text between a call and its output goes before the call, as Haystack sends it', () => {
    const items = [user('a'), call('c1'), said('b'), output('c1')];
    expect(chatMessages(items)).toEqual([
      chatUser('a'),
      asked('b', chatCall('c1')),
      answered('c1'),
    ]);
    expect(turns(items)[1]).toEqual(['assistant', [text('b'), use('c1')]]);
  });

  test('messages between a call and its output follow the outputs', () => {
    const items = [user('a'), call('c1'), user('b'), developer('c'), output('c1'), said('d')];
    expect(chatMessages(items)).toEqual([
      chatUser('a'),
      asked(null, chatCall('c1')),
      answered('c1'),
      chatUser('b'),
      system('c'),
      assistant('d'),
    ]);
  });

  test('a call without an output was aborted', () => {
    expect(chatMessages([user('a'), call('c1')])).toEqual([
      chatUser('a'),
      asked(null, chatCall('c1')),
      answered('c1', 'aborted'),
    ]);
    const stopped = [user('a'), call('c1'), user('stop'), said('b'), call('c2'), output('c2')];
    expect(chatMessages(stopped)).toEqual([
      chatUser('a'),
      asked(null, chatCall('c1')),
      answered('c1', 'aborted'),
      chatUser('stop'),
      asked('b', chatCall('c2')),
      answered('c2'),
    ]);
    expect(turns(stopped).slice(1, 3)).toEqual([
      ['assistant', [use('c1')]],
      ['user', [result('c1', text('aborted')), text('stop')]],
    ]);
  });

  test('an output without a call before it is refused with its path', () => {
    for (const input of [
      [user('a'), output('c1')],
      [user('a'), output('c1'), call('c1')],
      [call('c1'), output('c1'), output('c1')],
    ]) {
      const at = input.findLastIndex((item) => item['type'] === 'function_call_output');
      expect(refused({ input })).toBe(`invalid_value at input[${at}].call_id`);
    }
    expect(refused({ input: [{ type: 'function_call_output', output: 'x' }] })).toBe(
      'missing_required_parameter at input[0].call_id',
    );
  });

  test('two calls that wait under one id are refused, but ids may come again', () => {
    const twice = [user('a'), call('c1'), call('c1'), output('c1')];
    expect(refused({ input: twice })).toBe('invalid_value at input[2].call_id');
    const again = [user('a'), call('c1'), output('c1', 'x'), call('c1'), output('c1', 'y')];
    expect(chatMessages(again).slice(2)).toEqual([
      answered('c1', 'x'),
      asked(null, chatCall('c1')),
      answered('c1', 'y'),
    ]);
    expect(turns(again).slice(3)).toEqual([
      ['assistant', [use('c1_2')]],
      ['user', [result('c1_2', text('y'))]],
    ]);
  });

  test('25 parallel calls keep their order', () => {
    const ids = Array.from({ length: 25 }, (_, at) => `c${at}`);
    const items = [
      user('a'),
      ...ids.map((id) => call(id)),
      ...ids.toReversed().map((id) => output(id, id)),
    ];
    expect(chatMessages(items)).toEqual([
      chatUser('a'),
      asked(null, ...ids.map((id) => chatCall(id))),
      ...ids.map((id) => answered(id, id)),
    ]);
  });

  test('arguments that are empty or broken are never refused', () => {
    const broken = ['', ' ', '{"a":', '[1]', 'null'];
    for (const args of broken) {
      const items = [user('a'), call('c1', 'f', args), output('c1')];
      const wrapped = args.trim() === '' ? {} : { invalid_json: args };
      expect(turns(items)[1]).toEqual(['assistant', [use('c1', 'f', wrapped)]]);
      const sent = args.trim() === '' ? '{}' : args;
      expect(chatMessages(items)[1]).toEqual(asked(null, chatCall('c1', 'f', sent)));
    }
  });

  test('arguments of 200 kB arrive whole, digit for digit', () => {
    const args = `{"id":12345678901234567890,"text":"${'é"\\n'.replace('"', '\\"').repeat(30_000)}"}`;
    const items = [user('a'), call('c1', 'f', args), output('c1')];
    expect(chatMessages(items)[1]).toEqual(asked(null, chatCall('c1', 'f', args)));
    const written = JSON.stringify(messagesBody({ input: items })['messages']);
    expect(written.length).toBeGreaterThan(args.length);
  });

  test('an id that is too long for chat servers is shortened, in call and output alike', () => {
    const id = `call_${'x'.repeat(300)}`;
    const [, first, second] = chatMessages([user('a'), call(id), output(id)]) as JsonObject[];
    const sent = String(second?.['tool_call_id']);
    expect(sent).toMatch(/^call_[0-9a-f]{35}$/);
    expect(first).toEqual(asked(null, chatCall(sent)));
  });

  test('a call without a name is refused', () => {
    expect(refused({ input: [call('c1', '')] })).toBe('invalid_value at input[0].name');
    expect(refused({ input: [{ ...call('c1'), arguments: {} }] })).toBe(
      'invalid_value at input[0].arguments',
    );
  });
});

describe('outputs', () => {
  test('that are lists are joined, and empty ones are empty', () => {
    const parts = [inputText('one'), inputText('two')];
    const items = (value: unknown) => [user('a'), call('c1'), output('c1', value)];
    expect(chatMessages(items(parts))[2]).toEqual(answered('c1', 'one\n\ntwo'));
    expect(turns(items(parts))[2]).toEqual(['user', [result('c1', text('one'), text('two'))]]);
    for (const nothing of ['', [], null]) {
      expect(chatMessages(items(nothing))[2]).toEqual(answered('c1', ''));
      expect(turns(items(nothing))[2]).toEqual(['user', [result('c1')]]);
    }
    expect(refused({ input: items({ a: 1 }) })).toBe('invalid_value at input[2].output');
  });

  test('and all other long texts arrive byte for byte', () => {
    const long = `${'é"\\\n\u0000'.repeat(4_000)}end`;
    const free = { type: 'custom_tool_call', call_id: 'c2', name: 'g', input: long };
    const request = {
      instructions: long,
      input: [user(long), call('c1'), free, output('c1', long), output('c2', [inputText(long)])],
    };
    const json = JSON.stringify({ input: long });
    expect(chatBody(request)['messages']).toEqual([
      system(long),
      chatUser(long),
      asked(null, chatCall('c1'), chatCall('c2', 'g', json)),
      answered('c1', long),
      answered('c2', long),
    ]);
    expect(messagesBody(request)).toMatchObject({
      system: [text(long)],
      messages: [
        { content: [text(long)] },
        { content: [use('c1'), use('c2', 'g', { input: long })] },
        { content: [result('c1', text(long)), result('c2', text(long))] },
      ],
    });
    expect(chatBody({ input: long })['messages']).toEqual([chatUser(long)]);
  });

  test('with images show them after all outputs on chat, and inside on Messages', () => {
    const items = [
      user('a'),
      call('c1'),
      call('c2'),
      output('c1', [inputText('a file'), inputImage(PNG, { detail: 'high' })]),
      output('c2'),
      user('b'),
    ];
    expect(chatMessages(items).slice(2)).toEqual([
      answered('c1', 'a file\n\nIts images and files are in the next user message.'),
      answered('c2'),
      chatUser([
        text('Shown by tool call c1:'),
        { type: 'image_url', image_url: { url: PNG, detail: 'high' } },
      ]),
      chatUser('b'),
    ]);
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0=' },
    };
    expect(turns(items)[2]).toEqual([
      'user',
      [result('c1', text('a file'), image), result('c2', done), text('b')],
    ]);
  });
});
