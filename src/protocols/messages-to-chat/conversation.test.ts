import { describe, expect, test } from 'bun:test';
import { encodeThinkingSignature } from '../thinking-signature.ts';
import {
  assistant,
  chatBody,
  chatMessages,
  refusalOf,
  system,
  text,
  toolResult,
  toolUse,
  user,
} from './request.fixture.ts';

const call = (id: string, name = 'f', args = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: args },
});
const asked = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls });
const answered = (id: string, content: string) => ({ role: 'tool', tool_call_id: id, content });

describe('system text', () => {
  test('becomes one leading message, with a blank line between blocks', () => {
    const { messages } = chatBody({ system: [text('Be brief.'), text('Be kind.')] });
    expect(messages).toEqual([system('Be brief.\n\nBe kind.'), user('Hi')]);
    expect(chatBody({ system: 'Be brief.' })['messages']).toEqual([
      system('Be brief.'),
      user('Hi'),
    ]);
    expect(chatBody({ system: '' })['messages']).toEqual([user('Hi')]);
  });

  test('keeps its place within a conversation', () => {
    const turns = [user('a'), system('b'), assistant('c'), user('d'), system([text('e')])];
    expect(chatMessages(turns)).toEqual([
      user('a'),
      system('b'),
      assistant('c'),
      user('d'),
      system('e'),
    ]);
  });

  test('follows the results if it came between a tool call and them', () => {
    const turns = [
      user('a'),
      assistant([toolUse('t1'), toolUse('t2')]),
      system('b'),
      user([toolResult('t1', 'x')]),
      user([toolResult('t2', 'y'), text('c')]),
    ];
    expect(chatMessages(turns)).toEqual([
      user('a'),
      asked(call('t1'), call('t2')),
      answered('t1', 'x'),
      answered('t2', 'y'),
      system('b'),
      user('c'),
    ]);
  });

  test('that only changes the effort is omitted', () => {
    const silent = { role: 'system', output_config: { effort: 'low' } };
    expect(chatMessages([user('a'), silent])).toEqual([user('a')]);
  });
});

describe('turns', () => {
  test('merges consecutive messages of one role', () => {
    const turns = [user('a'), user([text('b')]), assistant('c'), assistant('d'), user('e')];
    expect(chatMessages(turns)).toEqual([user('a\n\nb'), assistant('c\n\nd'), user('e')]);
  });

  test('merges a body full of messages', () => {
    const count = 10_000;
    const numbers = Array.from({ length: count }, (_, at) => `${at}`);
    const many = [...numbers.map(user), ...numbers.map(assistant), user('end')];
    const joined = numbers.join('\n\n');
    expect(chatMessages(many)).toEqual([user(joined), assistant(joined), user('end')]);
  });

  test('omits empty texts, but keeps every turn', () => {
    const turns = [user(''), assistant([text('')]), user([text(''), text('a')])];
    expect(chatMessages(turns)).toEqual([user(''), assistant(''), user('a')]);
  });

  test('concatenates an assistant turn without separators', () => {
    const cited = assistant([text('The sky '), text('is blue'), text('.')]);
    expect(chatMessages([user('a'), cited, user('b')])).toEqual([
      user('a'),
      assistant('The sky is blue.'),
      user('b'),
    ]);
  });

  test('rejects a prefilled answer', () => {
    expect(refusalOf({ messages: [user('a'), assistant('{')] })).toBe(
      'unsupported_value at messages[1]: messages[1]: this model cannot continue a prefilled ' +
        'answer; end with a user message, or use output_config.format to shape the answer.',
    );
  });

  test('keeps images and files as parts beside the text, in order', () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'iVBO' },
    };
    const linked = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const pdf = {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBE' },
      title: 'Plan.pdf',
    };
    expect(chatMessages([user([text('a'), image, linked, pdf])])).toEqual([
      user([
        { type: 'text', text: 'a' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        {
          type: 'file',
          file: { filename: 'Plan.pdf', file_data: 'data:application/pdf;base64,JVBE' },
        },
      ]),
    ]);
  });

  test('writes text documents and search results under their titles', () => {
    const plain = {
      type: 'document',
      source: { type: 'text', media_type: 'text/plain', data: 'Do it.' },
      title: 'Plan',
      context: 'A draft',
    };
    const blocks = { type: 'document', source: { type: 'content', content: [text('x')] } };
    const found = { type: 'search_result', title: 'T', source: 'https://a', content: [text('y')] };
    expect(chatMessages([user([plain, blocks, found])])).toEqual([
      user(
        'Document: Plan\nContext: A draft\n\nDo it.\n\nx\n\nSearch result: T\nSource: https://a\n\ny',
      ),
    ]);
  });

  test.each([
    [
      { type: 'image', source: { type: 'file', file_id: 'f' } },
      'messages[0].content[0].source.type: files are not stored for this model; send the image',
    ],
    [
      { type: 'document', source: { type: 'url', url: 'https://a' } },
      'messages[0].content[0].source.type: a source of type "url" is not supported by this model; send the',
    ],
    [
      { type: 'document', source: { type: 'base64', media_type: 'application/zip', data: 'x' } },
      'messages[0].content[0].source.media_type: documents of type "application/zip" are not supported',
    ],
    [
      {
        type: 'document',
        source: { type: 'text', media_type: 'text/plain', data: 'x' },
        citations: { enabled: true },
      },
      'messages[0].content[0].citations: this model does not cite its sources; omit citations',
    ],
    [
      { type: 'image', source: { type: 'url', url: 'https://a' }, transformations: [{}] },
      'messages[0].content[0].transformations: images are not transformed for this model; send the',
    ],
  ])('rejects %j', (block, sentence) => {
    expect(refusalOf({ messages: [user([block])] })).toContain(`: ${sentence}`);
  });
});

describe('tool calls and results', () => {
  test("each result is a separate message, before the user's text", () => {
    const turns = [
      user('a'),
      assistant([text('b'), toolUse('t1', 'f', { x: [1, 'é'] }), toolUse('t2', 'g')]),
      user([text('c'), toolResult('t1', 'x'), toolResult('t2', [text('y'), text('z')])]),
    ];
    expect(chatMessages(turns)).toEqual([
      user('a'),
      {
        role: 'assistant',
        content: 'b',
        tool_calls: [call('t1', 'f', '{"x":[1,"é"]}'), call('t2', 'g')],
      },
      answered('t1', 'x'),
      answered('t2', 'y\n\nz'),
      user('c'),
    ]);
  });

  test('marks an error in the text, also without content', () => {
    const turns = [
      user('a'),
      assistant([toolUse('t1'), toolUse('t2')]),
      user([toolResult('t1', 'no such file', { is_error: true }), toolResult('t2', undefined)]),
    ];
    expect(chatMessages(turns)).toMatchObject([
      {},
      {},
      answered('t1', 'Error: no such file'),
      answered('t2', ''),
    ]);
  });

  test('moves an image in a result to the user message after all results', () => {
    const shot = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } };
    const turns = [
      user('a'),
      assistant([toolUse('t1'), toolUse('t2')]),
      user([toolResult('t1', [text('seen'), shot]), toolResult('t2', 'y'), text('b')]),
    ];
    expect(chatMessages(turns)).toEqual([
      user('a'),
      asked(call('t1'), call('t2')),
      answered('t1', 'seen\n\nIts images and files are in the next user message.'),
      answered('t2', 'y'),
      user([
        { type: 'text', text: 'Shown by tool call t1:' },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'text', text: 'b' },
      ]),
    ]);
  });

  test('merges calls of consecutive assistant messages', () => {
    const turns = [
      user('a'),
      assistant([toolUse('t1')]),
      assistant([toolUse('t2')]),
      user([toolResult('t2', 'y'), toolResult('t1', 'x')]),
    ];
    expect(chatMessages(turns)).toEqual([
      user('a'),
      asked(call('t1'), call('t2')),
      answered('t2', 'y'),
      answered('t1', 'x'),
    ]);
  });

  test('shortens a long id in call and result alike', () => {
    const id = 'toolu_'.padEnd(60, 'x');
    const turns = [user('a'), assistant([toolUse(id)]), user([toolResult(id, 'x')])];
    expect(chatMessages(turns)).toMatchObject([
      {},
      { tool_calls: [{ id: expect.stringMatching(/^call_[0-9a-f]{35}$/) }] },
      { tool_call_id: expect.stringMatching(/^call_[0-9a-f]{35}$/) },
    ]);
  });

  test.each([
    [
      'a call without a result',
      [user('a'), assistant([text('b'), toolUse('t1')]), user('c'), assistant('d'), user('e')],
      'invalid_value at messages[1].content[1]: messages[1].content[1]: the tool_use block "t1" has no ' +
        'result; add a tool_result block to the next user message.',
    ],
    [
      'a call at the end',
      [user('a'), assistant([toolUse('t1')])],
      'invalid_value at messages[1].content[0]: messages[1].content[0]: the tool_use block "t1" has no',
    ],
    [
      'a result without a call',
      [user([toolResult('t9', 'x')])],
      'invalid_value at messages[0].content[0].tool_use_id: messages[0].content[0].tool_use_id: "t9" is no',
    ],
    [
      'a second result',
      [user('a'), assistant([toolUse('t1')]), user([toolResult('t1', 'x'), toolResult('t1', 'y')])],
      'invalid_value at messages[2].content[1].tool_use_id:',
    ],
    [
      'two calls of one id',
      [user('a'), assistant([toolUse('t1'), toolUse('t1')]), user([toolResult('t1', 'x')])],
      'invalid_value at messages[1].content[1]: messages[1].content[1]: is the id of an earlier tool_use',
    ],
  ])('rejects %s', (_what, messages, sentence) => {
    expect(refusalOf({ messages })).toStartWith(sentence);
  });

  test('accepts an id again in a later turn', () => {
    const turn = [assistant([toolUse('call_0')]), user([toolResult('call_0', 'x')])];
    expect(chatMessages([user('a'), ...turn, ...turn])).toHaveLength(5);
  });
});

describe('thinking of earlier turns', () => {
  const thought = { type: 'thinking', thinking: 'Let me see', signature: '' };
  const turns = (block: object) => [user('a'), assistant([{ ...block }, text('b')]), user('c')];

  test('is omitted, or sent back if the server wants it', () => {
    expect(chatMessages(turns(thought))).toEqual([user('a'), assistant('b'), user('c')]);
    expect(chatMessages(turns(thought), { reasoningBack: 'reasoning_content' })).toEqual([
      user('a'),
      { role: 'assistant', content: 'b', reasoning_content: 'Let me see' },
      user('c'),
    ]);
  });

  test('is decoded from its signature if the caller hides it', () => {
    const sealed = {
      type: 'thinking',
      thinking: '',
      signature: encodeThinkingSignature('Let me sée'),
    };
    expect(chatMessages(turns(sealed), { reasoningBack: 'reasoning' })).toMatchObject([
      {},
      { reasoning: 'Let me sée' },
      {},
    ]);
  });

  test("in another provider's signature is ignored", () => {
    const foreign = { type: 'thinking', thinking: '', signature: 'EqQBCkgI'.repeat(9) };
    expect(chatMessages(turns(foreign), { reasoningBack: 'reasoning' })).toEqual([
      user('a'),
      assistant('b'),
      user('c'),
    ]);
  });

  test('is sent as empty to a server that requires it', () => {
    const conversation = [user('a'), assistant([toolUse('t')]), user([toolResult('t', 'x')])];
    const quirks = { reasoningBack: 'reasoning_content', reasoningRequired: true };
    expect(chatMessages(conversation, quirks)).toMatchObject([
      {},
      { role: 'assistant', reasoning_content: '' },
      {},
    ]);
  });
});
