import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { findJsonFault } from './fault.ts';

test.each([
  ['{"a" 1}', 1, 6],
  ['{"a":1,}', 1, 8],
  ['{"a":1\n "b":2}', 2, 2],
  ['{\n  "a": nul\n}', 2, 8],
  ["{'a':1}", 1, 2],
  ['\n\n{}x\n\n', 3, 3],
  ['{"a":01}', 1, 7],
  ['{"a":"x\ty"}', 1, 6],
  ['{"a":"\\x"}', 1, 6],
  ['{"你":tru}', 1, 6],
  ['[1,2', 1, 5],
  ['{} x', 1, 4],
  ['', 1, 1],
])('%j breaks at line %d, column %d', (text, line, column) => {
  expect(findJsonFault(text)).toEqual({ line, column });
});

test('accepts control characters from U+007F on in strings, like the parser', () => {
  expect(findJsonFault('"\u007f\u0085\ud800🙂"')).toBeNull();
});

test('finds a fault exactly where the parser rejects a text', () => {
  const isJson = (text: string): boolean => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const broken = fc
    .tuple(fc.jsonValue(), fc.nat(), fc.constantFrom('', ',', '"', '}', '\\', '0', 'x', '\n'))
    .map(([value, at, junk]) => {
      const text = JSON.stringify(value, null, 1);
      const place = at % (text.length + 1);
      return text.slice(0, place) + junk + text.slice(place + 1);
    });
  fc.assert(
    fc.property(fc.oneof(fc.json(), broken), (text) => {
      expect([text, findJsonFault(text) === null]).toEqual([text, isJson(text)]);
    }),
    { numRuns: 500, seed: 20_261_121 },
  );
});
