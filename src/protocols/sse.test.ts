import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { GatewayError } from '../errors.ts';
import { comment, encodeEvent, type SseEvent, SseReader } from './sse.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (data: Uint8Array): string => new TextDecoder().decode(data);
const LIMITS = { maxEventBytes: 1024 * 1024 };

type Plain = { name: string | null; data: string };
const plain = ({ name, data }: SseEvent): Plain => ({ name, data: text(data) });

function readInPieces(whole: Uint8Array, cuts: readonly number[]): Plain[] {
  const reader = new SseReader(LIMITS);
  const events: Plain[] = [];
  let from = 0;
  for (const cut of [...cuts, whole.byteLength]) {
    // Events are read before the next push, as in the relay, because the bytes of an event may
    // change after that.
    events.push(...reader.push(whole.slice(from, cut)).map(plain));
    from = cut;
  }
  // The dialects add a blank line to an unterminated last event, and so does this test.
  events.push(...reader.push(bytes('\n\n')).map(plain));
  return events;
}

const STREAMS = {
  'LF endings': 'event: a\ndata: {"x":"你好 🙂"}\n\ndata: two\n\n',
  'CRLF endings': 'event: a\r\ndata: {"x":"你好 🙂"}\r\n\r\ndata: two\r\n\r\n',
  'CR endings': 'event: a\rdata: {"x":"你好 🙂"}\r\rdata: two\r\r',
  'mixed endings': 'event: a\r\ndata: {"x":"你好 🙂"}\n\r\ndata: two\r\n\n',
  'comments, ids and unknown fields':
    ': hi\nid: 7\nevent: a\nfoo: 1\ndata: {"x":"你好 🙂"}\n\n: ping\n\nretry: 3\n\ndata: two\n\n',
  'no space after the colon': 'event:a\ndata:{"x":"你好 🙂"}\n\ndata:two\n\n',
  'the name after the data': 'data: {"x":"你好 🙂"}\nevent: a\n\ndata: two\n\n',
  'a comment after the data': 'event: a\ndata: {"x":"你好 🙂"}\n: hi\n\ndata: two\n\n',
  'a byte order mark': '\ufeffevent: a\ndata: {"x":"你好 🙂"}\n\ndata: two\n\n',
  'an unterminated last event': 'event: a\ndata: {"x":"你好 🙂"}\n\ndata: two',
  'events without data': 'event: none\n\ndata:\n\nevent: a\ndata: {"x":"你好 🙂"}\n\ndata: two\n\n',
};
const EXPECTED: Plain[] = [
  { name: 'a', data: '{"x":"你好 🙂"}' },
  { name: null, data: 'two' },
];

describe('the same events, wherever the bytes are cut', () => {
  test.each(Object.entries(STREAMS))('%s', (_what, stream) => {
    const whole = bytes(stream);
    for (let cut = 0; cut <= whole.byteLength; cut++) {
      expect(readInPieces(whole, [cut])).toEqual(EXPECTED);
    }
    const everyByte = Array.from({ length: whole.byteLength }, (_, i) => i);
    expect(readInPieces(whole, everyByte)).toEqual(EXPECTED);
  });

  test('any text, any cuts', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ unit: 'grapheme', minLength: 1 }).map((s) => JSON.stringify(s)),
          { maxLength: 6 },
        ),
        fc.array(fc.nat(400), { maxLength: 8 }),
        (payloads, positions) => {
          const whole = bytes(payloads.map((p) => `data: ${p}\n\n`).join(''));
          const cuts = positions.filter((p) => p <= whole.byteLength).toSorted((a, b) => a - b);
          expect(readInPieces(whole, cuts)).toEqual(payloads.map((data) => ({ name: null, data })));
        },
      ),
      { seed: 20_261_121 },
    );
  });
});

test('a CR at the end of a chunk ends an event at once', () => {
  const reader = new SseReader(LIMITS);
  const chunks = [
    'data: {"a":1}\r\r',
    'data: {"b":2',
    '}\r',
    '\r',
    ': hi\rdata: [DONE]\r\n\r',
    '\n',
  ];
  const events = chunks.map((chunk) => reader.push(bytes(chunk)).map(plain));
  expect(events).toEqual([
    [{ name: null, data: '{"a":1}' }],
    [],
    [],
    [{ name: null, data: '{"b":2}' }],
    [{ name: null, data: '[DONE]' }],
    [],
  ]);
  expect(reader.pending).toHaveLength(0);
});

test('several data lines are one value joined by LF', () => {
  const read = (events: string) => readInPieces(bytes(events), []);
  expect(read('data: a\ndata: b\n\n')).toEqual([{ name: null, data: 'a\nb' }]);
  expect(read('data:\ndata: {"a":1}\n\n')).toEqual([{ name: null, data: '\n{"a":1}' }]);
});

test('recognizes events that can be sent on, with their exact bytes', () => {
  const events = new SseReader(LIMITS).push(
    bytes('event: a\ndata: 1\n\nid: 3\ndata: 2\n\ndata: 3\r\n\r\n'),
  );
  expect(events.map(({ raw, clean }) => [text(raw), clean])).toEqual([
    ['event: a\ndata: 1\n\n', true],
    ['id: 3\ndata: 2\n\n', false],
    ['data: 3\r\n\r\n', false],
  ]);
});

test('rejects an event beyond the limit before it fills memory', () => {
  const reader = new SseReader({ maxEventBytes: 1000 });
  reader.push(bytes(`data: ${'x'.repeat(900)}`));
  expect(() => reader.push(bytes('y'.repeat(200)))).toThrow(GatewayError);
});

test('events survive writing and reading', () => {
  const whole = [
    encodeEvent('message_start', '{"a":1}'),
    comment('ping'),
    encodeEvent(null, '[DONE]'),
  ];
  expect(readInPieces(bytes(whole.map(text).join('')), [])).toEqual([
    { name: 'message_start', data: '{"a":1}' },
    { name: null, data: '[DONE]' },
  ]);
});

test('a long event in one-byte pieces takes time in proportion to its length, not its square', () => {
  const whole = bytes(`data: ${'x'.repeat(300_000)}\n\n`);
  let searched = 0;
  const reader = new SseReader(LIMITS);
  const original = Uint8Array.prototype.indexOf;
  Uint8Array.prototype.indexOf = function (this: Uint8Array, value: number, from = 0) {
    searched += this.byteLength - from;
    return original.call(this, value, from);
  };
  try {
    for (let at = 0; at < whole.byteLength; at++) reader.push(whole.subarray(at, at + 1));
  } finally {
    Uint8Array.prototype.indexOf = original;
  }
  expect(searched).toBeLessThan(20 * whole.byteLength);
});
