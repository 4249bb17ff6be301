import { expect, test } from 'bun:test';
import { given } from './given.ts';

test('what says nothing is left out, and what is false or zero is not', () => {
  expect(given({ a: '', b: undefined, c: null, d: 0, e: false, f: 'x' })).toEqual({
    d: 0,
    e: false,
    f: 'x',
  });
});
