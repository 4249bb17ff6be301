import { describe, expect, test } from 'bun:test';
import { parseExact, plainNumber } from './exact-numbers.ts';

describe('exact JSON', () => {
  test.each([
    '12345678901234567890',
    '-9007199254740993',
    '0.1234567890123456789',
    '1e400',
    '-1E-400',
    '12345678901234567890.5e10',
  ])('keeps every digit of %s', (number) => {
    const text = `{"a":${number},"b":[${number},{"c":${number}}]}`;
    expect(JSON.stringify(parseExact(text))).toBe(text);
    expect(plainNumber((parseExact(text) as { a: unknown }).a)).toBe(Number(number));
  });

  test.each(['0', '-0.0', '1.50', '1e2', '0.30000000000000004', '9007199254740991', '0e999'])(
    'parses %s as a plain number, which is exact',
    (number) => {
      const { a } = parseExact(`{"a":${number},"b":12345678901234567890}`) as { a: unknown };
      expect(a).toBe(Number(number));
    },
  );

  test('leaves digits in strings alone', () => {
    const text = '{"id":"12345678901234567890","t":": 12345678901234567890, \\ud800"}';
    expect(JSON.stringify(parseExact(text))).toBe(text);
  });
});
