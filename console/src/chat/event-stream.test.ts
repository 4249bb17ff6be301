import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { EventStream } from './event-stream.ts';

const encoder = new TextEncoder();
const WIRE = [
  ': ping\r\n\r\n',
  'event: message\ndata: {"text":"héllo 你好 🚀"}\n\n',
  'data:{"no":"space"}\r\n\r\n',
  'data: two\rdata: lines\r\r',
  'id: 7\ndata\n\n',
  'data: [DONE]\n\n',
].join('');
const EVENTS = ['{"text":"héllo 你好 🚀"}', '{"no":"space"}', 'two\nlines', '', '[DONE]'];

const read = (pieces: readonly Uint8Array[]): readonly string[] => {
  const stream = new EventStream();
  return [...pieces.flatMap((piece) => stream.push(piece)), ...stream.end()];
};

describe('the event stream parser', () => {
  test('gives the same events wherever the bytes are cut', () => {
    const bytes = encoder.encode(WIRE);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(read([bytes.slice(0, cut), bytes.slice(cut)])).toEqual(EVENTS);
    }
    expect(read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(EVENTS);
  });

  test('returns each event as soon as it is complete', () => {
    const stream = new EventStream();
    expect(stream.push(encoder.encode('data: a\n'))).toEqual([]);
    expect(stream.push(encoder.encode('\nda'))).toEqual(['a']);
    expect(stream.push(encoder.encode('ta: b\n\ndata: c'))).toEqual(['b']);
    expect(stream.end()).toEqual(['c']);
  });

  test('handles a carriage return at the end of a chunk', () => {
    const stream = new EventStream();
    expect(stream.push(encoder.encode('data: a\r'))).toEqual([]);
    expect(stream.push(encoder.encode('\ndata: b\r\n\r\n'))).toEqual(['a\nb']);
  });

  test('carries any text unchanged', () => {
    const piece = fc.constantFrom(
      'a',
      'é',
      '你',
      '🚀',
      '\u2028',
      '\0',
      ' ',
      ':',
      '\t',
      'data:',
      '{"',
    );
    const line = fc.array(piece).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 9 }),
        (data, size) => {
          const bytes = encoder.encode(data.map((text) => `data: ${text}\n\n`).join(''));
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
            bytes.slice(at * size, (at + 1) * size),
          );
          expect(read(pieces)).toEqual(data);
        },
      ),
      { seed: 20261121, numRuns: 200 },
    );
  });

  test('rejects an event above the maximum size', () => {
    const stream = new EventStream();
    const megabyte = encoder.encode('x'.repeat(1024 * 1024));
    expect(() => {
      for (let at = 0; at < 9; at += 1) stream.push(megabyte);
    }).toThrow(RangeError);
  });
});
