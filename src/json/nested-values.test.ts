import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { hasLongNumber } from './exact-numbers.ts';
import { EXACT_COST, NestedValues } from './nested-values.ts';

const LENGTHS = { length: 1_000_000, lengthOfOne: 1_000_000 } as const;
const valuesOf = (values: number) => new NestedValues({ values, ...LENGTHS });

/** Returns the expected count: the number of values in each container, but 1 for an empty one. */
function countOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  return inner.reduce((sum: number, each) => sum + countOf(each), Math.max(1, inner.length));
}

test('counts the values of any JSON, and nothing within its strings', () => {
  const hostile = fc.constantFrom('[[,{', '"', '\\', '\\"', ',\\\\"[');
  const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
  fc.assert(
    fc.property(json, hostile, (value, text) => {
      const both = [value, text, { [text]: text }];
      const counted = JSON.stringify(both);
      const cost = countOf(both) * (hasLongNumber(counted) ? EXACT_COST : 1);
      expect(valuesOf(cost).take(counted)).toBe(true);
      expect(valuesOf(cost - 1).take(counted)).toBe(false);
    }),
    { numRuns: 200, seed: 20_261_122 },
  );
});

test('counts all texts together', () => {
  const values = valuesOf(5);
  expect([values.take('{"a":[1,2]}'), values.take('{}'), values.take('[]')]).toEqual([
    true,
    true,
    true,
  ]);
  expect(values.take('[]')).toBe(false);
});

test('ends at a string that is not closed', () => {
  expect(valuesOf(2).take('[1,"[[[')).toBe(true);
  expect(valuesOf(1).take('[1,"[[[')).toBe(false);
});

test('limits the length of one text, and of all', () => {
  const values = new NestedValues({ values: 100, length: 10, lengthOfOne: 6 });
  expect([values.take('[1,23]'), values.take('[]'), values.takeLength(2)]).toEqual([
    true,
    true,
    true,
  ]);
  expect(values.take('1')).toBe(false);
  expect(new NestedValues({ values: 100, length: 10, lengthOfOne: 6 }).take('[1,234]')).toBe(false);
});

test('counts values among long numbers four times, since keeping their digits takes longer', () => {
  const text = '[12345678901234567890,1]';
  expect(valuesOf(8).take(text)).toBe(true);
  expect(valuesOf(7).take(text)).toBe(false);
});
