import { expect, test } from 'bun:test';
import { ByteWriter } from '../../json/bytes.ts';
import { ChunkTemplates } from './chunk-template.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const CHUNK = '{"m":"up","choices":[{"delta":{"content":"WORD"}}],"obfuscation":"PAD"}';
const SENT = 'data: {"m":"ours","choices":[{"delta":{"content":"WORD"}}]}\n\n';
const withWord = (text: string, word: string): string => text.replace('WORD', word);

function learned(out: string | null = SENT, outputBytes = 4): ChunkTemplates {
  const templates = new ChunkTemplates('chat');
  templates.learn(bytes(CHUNK), out === null ? null : bytes(out), outputBytes);
  return templates;
}

type Known = { readonly out: string | null; readonly outputBytes: number };

/** Recognizes a chunk that has other bytes before and after it, as in a network read. */
function recognize(templates: ChunkTemplates, text: string): Known | null {
  const dataBytes = bytes(`data: ${text}\n\n`);
  const dataEnd = dataBytes.byteLength - 2;
  const known = templates.recognize({ dataBytes, dataStart: 6, dataEnd });
  if (known === null) return null;
  const out = new ByteWriter();
  known.writeTo(out);
  const written = Buffer.from(out.take()).toString();
  return { out: known.isUnchanged ? null : written, outputBytes: known.outputBytes };
}

test.each([
  ['Hi', 2],
  ['', 0],
  ['你好', 6],
  ['\\u4f60', 3],
  ['\\"quoted\\" \\\\', 10],
  ['\\"}}],\\"obfuscation\\":\\"', 20],
])('recognizes a chunk that differs only in its words: %p', (word, outputBytes) => {
  const known = recognize(learned(), withWord(CHUNK, word).replace('PAD', '0123456789'));
  expect(known?.outputBytes).toBe(outputBytes);
  expect(known?.out).toBe(withWord(SENT, word));
});

test('sends a chunk unchanged if its template was sent unchanged', () => {
  expect(recognize(learned(null), withWord(CHUNK, 'Hi'))).toEqual({
    out: null,
    outputBytes: 2,
  });
});

test.each([
  ['another model', CHUNK.replace('up', 'xx')],
  ['a member more', CHUNK.replace(/\}$/, ',"error":{}}')],
  ['something after its end', `${CHUNK} x`],
  ['something before its beginning', ` ${CHUNK}`],
  ['its end missing', CHUNK.slice(0, -1)],
  ['a string without end', CHUNK.slice(0, -2)],
  ['a null for its words', CHUNK.replace('"WORD"', 'null')],
  ['an escape that JSON has not', withWord(CHUNK, '\\x')],
  ['nothing', ''],
])('does not recognize a chunk with %s', (_what, chunk) => {
  expect(recognize(learned(), chunk)).toBeNull();
});

test('learns nothing if the strings found are not the output that was counted', () => {
  expect(recognize(learned(SENT, 3), CHUNK)).toBeNull();
});

test('learns nothing if the strings sent differ from those received', () => {
  expect(recognize(learned(SENT.replace('content', 'refusal')), CHUNK)).toBeNull();
});

test('remembers only the latest few kinds', () => {
  const templates = new ChunkTemplates('chat');
  const kind = (index: number): string => `{"index":${index},"content":"a"}`;
  for (let index = 0; index < 6; index++) templates.learn(bytes(kind(index)), null, 1);
  expect([0, 1, 2, 3, 4, 5].map((index) => recognize(templates, kind(index)) !== null)).toEqual([
    false,
    false,
    true,
    true,
    true,
    true,
  ]);
});

test('learns only rarely from a stream whose chunks differ in more than words', () => {
  const templates = new ChunkTemplates('chat');
  const chunk = (index: number): string => `{"index":${index},"content":"a"}`;
  const isLearnt = (index: number): boolean => {
    templates.learn(bytes(chunk(index)), null, 1);
    return recognize(templates, chunk(index)) !== null;
  };
  for (let index = 0; index < 20; index++) templates.learn(bytes(chunk(index)), null, 1);
  expect(isLearnt(20)).toBe(false);
  // After many chunks without a match, only one in 32 is learned. Once its template has matched,
  // every chunk is learned again.
  expect(Array.from({ length: 32 }, (_, at) => isLearnt(21 + at)).includes(true)).toBe(true);
  expect(isLearnt(100)).toBe(true);
});
