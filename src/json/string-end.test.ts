import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { BACKSLASH, QUOTE } from './cursor.ts';
import { StringEnd } from './string-end.ts';

/**
 * Returns where a string ends and the number of its escapes before `end`. Compares byte by byte, as
 * a reference for `StringEnd`.
 */
function compared(bytes: Uint8Array, from: number, end: number): readonly [number, number] {
  let escapes = 0;
  let at = from;
  while (at < end && bytes[at] !== QUOTE) {
    if (bytes[at] !== BACKSLASH) at += 1;
    else {
      escapes += 1;
      at += 2;
    }
  }
  return [at, escapes];
}

/** Searches the bytes piece by piece, as they arrive. */
function inPieces(bytes: Uint8Array<ArrayBuffer>, from: number, piece: number) {
  const strings = new StringEnd();
  strings.search(bytes);
  let at = from;
  for (let end = from; at >= end && end < bytes.byteLength; ) {
    end = Math.min(end + piece, bytes.byteLength);
    at = strings.find(at, end);
  }
  return [at, strings.escapes] as const;
}

/**
 * Generates quotes and backslashes, bytes that differ from them in one bit, and some other bytes.
 */
const byte = fc.constantFrom(QUOTE, BACKSLASH, BACKSLASH, 0x23, 0x5d, 0xa2, 0xdc, 0, 0xff, 0x61);
const stretch = fc
  .tuple(fc.constantFrom(0x61, 0xe9, 0x23), fc.nat(6_000))
  .map(([filler, length]) => new Array<number>(length).fill(filler));
const content = fc
  .array(fc.oneof({ weight: 6, arbitrary: fc.array(byte, { maxLength: 12 }) }, stretch), {
    maxLength: 10,
  })
  .map((parts) => parts.flat());

describe('the end of a string', () => {
  test('is the first quote that no backslash escapes, wherever the bytes begin', () => {
    fc.assert(
      fc.property(content, fc.nat(7), fc.nat(5), (text, offset, from) => {
        const bytes = new Uint8Array(offset + text.length);
        bytes.set(text, offset);
        const view = bytes.subarray(offset);
        const strings = new StringEnd();
        strings.search(view);
        const start = Math.min(from, view.byteLength);
        const found = strings.find(start, view.byteLength);
        expect([found, strings.escapes]).toEqual([...compared(view, start, view.byteLength)]);
      }),
      { numRuns: 3_000 },
    );
  });

  test('is the same when the bytes arrive in pieces', () => {
    fc.assert(
      fc.property(content, fc.integer({ min: 1, max: 70 }), (text, piece) => {
        const bytes = new Uint8Array(text);
        expect(inPieces(bytes, 0, piece)).toEqual(compared(bytes, 0, bytes.byteLength));
      }),
      { numRuns: 2_000 },
    );
  });

  test('is searched without the bytes that have not arrived', () => {
    const bytes = new TextEncoder().encode(`${'a'.repeat(9_000)}\\"${'b'.repeat(2_000)}"`);
    const strings = new StringEnd();
    strings.search(bytes);
    expect(strings.find(0, 8_999)).toBe(8_999);
    expect(strings.find(8_999, 9_001)).toBe(9_002);
    expect(strings.find(9_002, bytes.byteLength)).toBe(11_002);
    expect(strings.escapes).toBe(1);
    expect(strings.count(8_990, 9_100)).toBe(1);
    expect(strings.escapes).toBe(1);
  });
});
