import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { NestedValues } from './nested-values.ts';

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
      expect(new NestedValues(countOf(both)).take(counted)).toBe(true);
      expect(new NestedValues(countOf(both) - 1).take(counted)).toBe(false);
    }),
    { numRuns: 200, seed: 20_261_122 },
  );
});

test('counts all texts together', () => {
  const values = new NestedValues(5);
  expect([values.take('{"a":[1,2]}'), values.take('{}'), values.take('[]')]).toEqual([
    true,
    true,
    true,
  ]);
  expect(values.take('[]')).toBe(false);
});

test('ends at a string that is not closed', () => {
  expect(new NestedValues(2).take('[1,"[[[')).toBe(true);
  expect(new NestedValues(1).take('[1,"[[[')).toBe(false);
});
