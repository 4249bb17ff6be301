import { expect, test } from 'bun:test';
import { ByteWriter, joinBytes } from './bytes.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (array: Uint8Array): string => new TextDecoder().decode(array);

test('parts of one array that follow each other are joined without a copy', () => {
  const whole = bytes('onetwo');
  const joined = joinBytes([whole.subarray(0, 3), whole.subarray(3)]);
  expect(text(joined)).toBe('onetwo');
  expect(joined.buffer).toBe(whole.buffer);
});

test('other pieces are joined in their order', () => {
  const whole = bytes('onetwo');
  expect(text(joinBytes([whole.subarray(3), whole.subarray(0, 3)]))).toBe('twoone');
});

test('a writer returns what was written, whatever the sizes, and each byte once', () => {
  const out = new ByteWriter();
  const texts = Array.from({ length: 60 }, (_, at) => String(at % 10).repeat((at * 37) % 400));
  const takes = [0, 1, 7, 40, 60].flatMap((end, at, ends) => {
    if (at === 0) return [];
    const some = texts.slice(ends[at - 1], end);
    out.reserve(at * 100);
    for (const each of some) out.write(bytes(each));
    return [{ taken: out.take(), expected: some.join('') }];
  });
  expect(takes.map(({ taken }) => text(taken))).toEqual(takes.map(({ expected }) => expected));
  expect(out.take().byteLength).toBe(0);
});

test.each([3, 400])('a writer appends a range of %p bytes', (size) => {
  const out = new ByteWriter();
  out.write(bytes('a'));
  out.write(bytes(`xx${'b'.repeat(size)}yy`), 2, 2 + size);
  expect(text(out.take())).toBe(`a${'b'.repeat(size)}`);
});

test('bytes that were taken keep their values while others are written', () => {
  const out = new ByteWriter();
  const taken = ['first', 's'.repeat(2000), 'third'].map((each) => {
    out.write(bytes(each));
    return { array: out.take(), each };
  });
  expect(taken.map(({ array }) => text(array))).toEqual(taken.map(({ each }) => each));
});
