import { describe, expect, test } from 'bun:test';
import { jsonResponse, streamPieces } from '../mock/mock-bytes.ts';
import { ResponseReader } from './response-reader.ts';

type Seen = { firsts: number; ends: { status: number; events: number; start: string }[] };

function reading(): { readonly reader: ResponseReader; readonly seen: Seen } {
  const seen: Seen = { firsts: 0, ends: [] };
  const reader = new ResponseReader({
    onFirstBody: () => seen.firsts++,
    onEnd: (answer) => seen.ends.push(answer),
  });
  return { reader, seen };
}

describe('response reader', () => {
  for (const dialect of ['chat', 'messages'] as const) {
    test(`a ${dialect} stream cut at any byte has the same events`, () => {
      const bytes = Buffer.concat(streamPieces(dialect, 7));
      for (let cut = 1; cut < bytes.length; cut++) {
        const { reader, seen } = reading();
        reader.read(bytes.subarray(0, cut));
        reader.read(bytes.subarray(cut));
        expect(seen.ends.map(({ status, events }) => [status, events])).toEqual([
          [200, eventsOf(dialect, 7)],
        ]);
        expect(seen.firsts).toBe(1);
      }
    });
  }

  test('a JSON answer that arrives byte by byte ends once, with its last byte', () => {
    const bytes = jsonResponse('chat');
    const { reader, seen } = reading();
    for (const at of bytes.subarray(1).keys()) reader.read(bytes.subarray(at, at + 1));
    expect(seen.ends).toEqual([]);
    reader.read(bytes.subarray(-1));
    expect(seen.ends).toHaveLength(1);
    expect(seen.ends[0]?.start).toStartWith('{"id":"chatcmpl-');
  });

  test('reads consecutive answers of one connection', () => {
    const { reader, seen } = reading();
    reader.read(jsonResponse('chat'));
    for (const piece of streamPieces('chat', 5)) reader.read(piece);
    reader.read(jsonResponse('messages'));
    expect(seen.ends.map(({ events }) => events)).toEqual([0, 5, 0]);
  });

  test('refuses a response without a length or chunked encoding', () => {
    const { reader } = reading();
    const headless = Buffer.from('HTTP/1.1 200 OK\r\n\r\n');
    expect(() => reader.read(headless)).toThrow('neither length nor chunks');
  });
});

/**
 * Returns the number of events in a stream with this many frames. In Messages, the first frame
 * contains two events: the start of the message and the start of the text block.
 */
const eventsOf = (dialect: 'chat' | 'messages', frames: number): number =>
  dialect === 'chat' ? frames : frames + 1;
