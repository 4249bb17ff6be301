import { expect, test } from 'bun:test';
import { patched, patchedDocument, withValue } from './edits.ts';

test('a merge patch follows the examples of RFC 7396', () => {
  for (const [value, patch, result] of [
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ]) {
    expect(patched(value, patch)).toEqual(result);
  }
});

test('keys keep their order, and no key reaches the prototype', () => {
  const document = { models: { a: 1, b: 2, c: 3 } };
  const text = (value: unknown): string => JSON.stringify(value);
  expect(text(patchedDocument(document, { models: { b: 5, d: 6 } }))).toBe(
    '{"models":{"a":1,"b":5,"c":3,"d":6}}',
  );
  expect(text(withValue(document, ['models', 'b'], undefined))).toBe('{"models":{"a":1,"c":3}}');
  expect(text(withValue(document, ['fx', 'x'], '1'))).toBe(
    '{"models":{"a":1,"b":2,"c":3},"fx":{"x":"1"}}',
  );
  const hostile = JSON.parse('{"__proto__":{"x":1}}');
  expect(text(patchedDocument({}, hostile))).toBe('{"__proto__":{"x":1}}');
  expect(Object.getPrototypeOf(patched({}, hostile))).toBe(Object.prototype);
  expect(patchedDocument(document, 'nothing')).toEqual(document);
});
