import { expect, test } from 'bun:test';
import { given } from './given.ts';

test('empty values are removed, false and zero are kept', () => {
  expect(given({ a: '', b: undefined, c: null, d: 0, e: false, f: 'x' })).toEqual({
    d: 0,
    e: false,
    f: 'x',
  });
});
