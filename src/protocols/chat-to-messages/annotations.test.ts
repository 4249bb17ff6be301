/**
 * Tests the translation of citations, and of text before and after blocks that chat cannot express.
 * Each test covers non-streaming answers and streams.
 */
import { describe, expect, test } from 'bun:test';
import type { JsonObject } from '../../json/object.ts';
import { MAX_ANNOTATIONS } from './annotations.ts';
import { chatAnswer, chatStream } from './answer.fixture.ts';

const text = (words: string, ...citations: JsonObject[]) => ({
  type: 'text',
  text: words,
  citations,
});
const web = (url: string, title = 'T') => ({ type: 'web_search_result_location', url, title });
const search = [
  { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
  { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
];
const call = { type: 'tool_use', id: 't', name: 'f', input: {} };
const note = (start: number, end: number, url = 'https://a.example', title = 'T') => ({
  type: 'url_citation',
  url_citation: { url, title, start_index: start, end_index: end },
});

/**
 * Returns the content and the annotations of a translated non-streaming answer with these blocks.
 */
function read(content: readonly JsonObject[]): readonly unknown[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const { message } = JSON.parse(
    chatAnswer({ type: 'message', content, stop_reason: 'end_turn', usage }).text(),
  ).choices[0];
  return [message.content, message.annotations];
}

/** Returns the events of a Messages stream with these blocks. */
const eventsOf = (content: readonly JsonObject[]): readonly JsonObject[] => [
  { type: 'message_start', message: { id: 'm', usage: { input_tokens: 1, output_tokens: 0 } } },
  ...content.flatMap((block, index) => {
    const { text: words = '', citations = [] } = block as {
      text?: string;
      citations?: JsonObject[];
    };
    const delta = (members: object) => ({ type: 'content_block_delta', index, delta: members });
    return [
      {
        type: 'content_block_start',
        index,
        content_block: block['type'] === 'text' ? { type: 'text', text: '' } : block,
      },
      ...citations.map((citation) => delta({ type: 'citations_delta', citation })),
      ...[...words].map((each) => delta({ type: 'text_delta', text: each })),
      { type: 'content_block_stop', index },
    ];
  }),
  { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
  { type: 'message_stop' },
];

/**
 * Translates a Messages stream with these blocks. Returns the complete content, all annotations,
 * and the order of annotations and tool calls.
 */
function streamed(content: readonly JsonObject[]) {
  const bytes = eventsOf(content).map(
    (json) => `event: ${String(json['type'])}\ndata: ${JSON.stringify(json)}\n\n`,
  );
  const deltas = chatStream(bytes)
    .text.split('\n\n')
    .filter((event) => event.includes('"delta"'))
    .map((event) => JSON.parse(event.slice('data: '.length)).choices[0].delta);
  return {
    content: deltas.map((delta) => delta.content ?? '').join(''),
    annotations: deltas.flatMap((delta) => delta.annotations ?? []),
    kinds: deltas.flatMap((delta) =>
      delta.annotations ? ['annotations'] : delta.tool_calls?.[0].id ? ['call'] : [],
    ),
  };
}

const same = (
  content: readonly JsonObject[],
  ...expected: readonly [string, (readonly object[])?]
) => {
  expect(read(content)).toEqual([expected[0], expected[1]]);
  const stream = streamed(content);
  const annotations = (expected[1] ?? []).map((each, index) => ({ index, ...each }));
  expect(stream).toMatchObject({ content: expected[0], annotations });
};

describe('citations', () => {
  test('of web pages become annotations of the text that they support', () => {
    same([text('Cats '), text('purr', web('https://a.example')), text('.')], 'Cats purr.', [
      note(5, 9),
    ]);
  });

  test('of several pages, and of search results with a URL, are all there', () => {
    const found = { type: 'search_result_location', source: 'https://b.example', title: 'B' };
    same([text('a', web('https://a.example', 'A'), found)], 'a', [
      note(0, 1, 'https://a.example', 'A'),
      note(0, 1, 'https://b.example', 'B'),
    ]);
  });

  test('of documents, and of places that are not on the web, are left out', () => {
    const page = { type: 'page_location', document_title: 'D', start_page_number: 1 };
    const file = { type: 'search_result_location', source: 'kb/1', title: 'K' };
    same(
      [text('a', page, file, web('javascript:alert(1)'), web(`https://${'x'.repeat(5000)}`))],
      'a',
    );
  });

  test('beyond the limit are left out', () => {
    const many = Array.from({ length: MAX_ANNOTATIONS + 5 }, () => web('https://a.example'));
    expect(read([text('a', ...many)])[1]).toHaveLength(MAX_ANNOTATIONS);
    expect(streamed([text('a', ...many)]).annotations).toHaveLength(MAX_ANNOTATIONS);
  });

  test('come in a stream before the calls that follow their text, in one chunk if possible', () => {
    const cited = [text('a', web('https://a.example')), text('b', web('https://a.example'))];
    expect(streamed([...cited, call]).kinds).toEqual(['annotations', 'call']);
    expect(streamed([...cited, call, text('c', web('https://a.example'))])).toMatchObject({
      kinds: ['annotations', 'call', 'annotations'],
      annotations: [{ index: 0 }, { index: 1 }, { index: 2 }],
    });
  });
});

describe('text around a dropped block', () => {
  test('is separated by a blank line, and annotations count it', () => {
    same(
      [text("I'll search."), ...search, text('Based on it', web('https://a.example')), text('.')],
      "I'll search.\n\nBased on it.",
      [note(14, 25)],
    );
  });

  test('has no blank line before the first text, after the last, or for blocks that chat has', () => {
    same([...search, text('a'), ...search], 'a');
    same([text('a'), { type: 'thinking', thinking: 'Hm', signature: 's' }, text('b')], 'ab');
    same([text('a'), ...search, text(''), ...search, text('b')], 'a\n\nb');
  });

  test('goes on where another model continued it', () => {
    same([text('Part '), { type: 'fallback', model: 'm2' }, text('one.')], 'Part one.');
  });
});
