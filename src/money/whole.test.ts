import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { minus, plus, toWhole, wholeFromJson, wholeToJson } from './whole.ts';

const LIMIT = BigInt(Number.MAX_SAFE_INTEGER);
/** Integers of up to 62 bits. Many of them are near the largest safe integer. */
const integer = fc.oneof(
  fc.bigInt({ min: -(2n ** 62n), max: 2n ** 62n }),
  fc.bigInt({ min: LIMIT - 3n, max: LIMIT + 3n }),
  fc.bigInt({ min: -LIMIT - 3n, max: -LIMIT + 3n }),
);

test('sums and differences are exact, also beyond the safe integers', () => {
  fc.assert(
    fc.property(integer, integer, (a, b) => {
      expect(BigInt(plus(toWhole(a), toWhole(b)))).toBe(a + b);
      expect(BigInt(minus(toWhole(a), toWhole(b)))).toBe(a - b);
    }),
  );
});

test('are numbers while that is exact, and survive JSON', () => {
  fc.assert(
    fc.property(integer, (value) => {
      const isSafe = value <= LIMIT && value >= -LIMIT;
      expect(typeof toWhole(value)).toBe(isSafe ? 'number' : 'bigint');
      const json = JSON.parse(JSON.stringify(wholeToJson(value)));
      expect(wholeFromJson(json)).toBe(toWhole(value));
    }),
  );
});
