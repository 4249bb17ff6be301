/** Tests conversations that contain compactions and blocks of tools that a provider runs. */
import { expect, test } from 'bun:test';
import {
  assistant,
  chatMessages,
  refusalOf,
  system,
  text,
  toolResult,
  toolUse,
  user,
} from './request.fixture.ts';

const search = { type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'cats' } };
const result = (content: unknown, type = 'web_search_tool_result') => ({
  type,
  tool_use_id: 's1',
  content,
});
const compaction = (content: string | null) => ({
  type: 'compaction',
  content,
  encrypted_content: null,
});

test("what a provider's tool did becomes paragraphs of the answer", () => {
  const pages = [
    { type: 'web_search_result', title: 'Cats', url: 'https://a.example', encrypted_content: 'x' },
    { type: 'web_search_result', title: 'More', url: 'https://b.example', encrypted_content: 'y' },
  ];
  const said = [text("I'll search."), search, result(pages), text('Based on'), text(' results')];
  expect(chatMessages([user('a'), assistant(said), user('b')])).toEqual([
    user('a'),
    assistant(
      [
        "I'll search.",
        '[Used the tool web_search with {"query":"cats"}]',
        '[Result of this tool]\nCats https://a.example\nMore https://b.example',
        'Based on results',
      ].join('\n\n'),
    ),
    user('b'),
  ]);
});

test.each([
  ['output', { type: 'code_execution_result', stdout: '4', stderr: 'w', return_code: 0 }, '4 w'],
  ['errors', { type: 'web_search_tool_result_error', error_code: 'unavailable' }, 'unavailable'],
  [
    'a fetched page',
    {
      ...{ type: 'web_fetch_result', url: 'https://a.example' },
      content: { type: 'document', title: 'T', source: { type: 'text', data: 'Words' } },
    },
    'https://a.example\nT\nWords',
  ],
  [
    'text',
    [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ],
    'one\ntwo',
  ],
])('the result of a tool is written with its %s', (_what, content, written) => {
  expect(chatMessages([user('a'), assistant([result(content)]), user('b')])).toEqual([
    user('a'),
    assistant(`[Result of this tool]\n${written}`),
    user('b'),
  ]);
});

test('a result without readable parts is named, and binary data is not written', () => {
  const pdf = { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' };
  const content = { type: 'web_fetch_result', content: { type: 'document', source: pdf } };
  expect(chatMessages([user('a'), assistant([result(content)]), user('b')])).toMatchObject([
    {},
    { content: '[The result of this tool cannot be read]' },
    {},
  ]);
});

test("a compaction's summary replaces what came before it, but no system message", () => {
  const before = [
    user('old'),
    assistant([toolUse('t1')]),
    user([toolResult('t1', 'x')]),
    system('Be brief.'),
    user('older'),
  ];
  const summary = user('Summary of the conversation so far:\nSUMMARY');
  expect(
    chatMessages([
      ...before,
      assistant([text('cut'), compaction('SUMMARY'), text('Go on.')]),
      user('y'),
    ]),
  ).toEqual([system('Be brief.'), summary, assistant('Go on.'), user('y')]);
  expect(chatMessages([...before, assistant([compaction('SUMMARY')]), user('y')])).toEqual([
    system('Be brief.'),
    user(`${String(summary['content'])}\n\ny`),
  ]);
});

test('a compaction at the end is continued', () => {
  expect(chatMessages([user('old'), assistant([compaction('SUMMARY')])])).toEqual([
    user('Summary of the conversation so far:\nSUMMARY'),
  ]);
});

test('a compaction that only its provider can read is refused', () => {
  expect(refusalOf({ messages: [user('old'), assistant([compaction(null)]), user('y')] })).toBe(
    'unsupported_value at messages[1].content[0]: messages[1].content[0]: a block of type ' +
      '"compaction" without readable content is a summary that only its provider can read; send ' +
      'the conversation itself, or the summary as text.',
  );
});
