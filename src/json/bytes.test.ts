import { expect, test } from 'bun:test';
import { BytePool, joinBytes } from './bytes.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (array: Uint8Array): string => new TextDecoder().decode(array);

/** Takes an array from the pool for each text, and writes the text into it. */
const written = (pool: BytePool, texts: readonly string[]): Uint8Array[] =>
  texts.map((each) => {
    const array = pool.take(each.length);
    array.set(bytes(each));
    return array;
  });

test('arrays of a pool that follow each other are joined without a copy', () => {
  const pieces = written(new BytePool(8), ['one', 'two']);
  const joined = joinBytes(pieces);
  expect(text(joined)).toBe('onetwo');
  expect(joined.buffer).toBe(pieces[0]?.buffer as ArrayBuffer);
});

test('arrays of a pool never share bytes, whatever their sizes', () => {
  const texts = Array.from({ length: 50 }, (_, at) => String(at % 10).repeat((at * 7) % 12));
  const pieces = written(new BytePool(8), texts);
  expect(pieces.map(text)).toEqual(texts);
  expect(text(joinBytes(pieces))).toBe(texts.join(''));
});

test('an array larger than a block is no part of the pool', () => {
  const pool = new BytePool(8);
  const [small, large, next] = written(pool, ['one', 'larger than a block', 'two']);
  expect(large?.buffer.byteLength).toBe('larger than a block'.length);
  expect(next?.buffer).toBe(small?.buffer as ArrayBuffer);
});
