import { expect, test } from 'bun:test';
import { nearest } from './nearest.ts';

const WORDS = ['channels', 'context_window', 'default_channel', 'fx', 'maker'];

test.each([
  ['chanels', 'channels'],
  ['Channels', 'channels'],
  ['chnnaels', 'channels'],
  ['contextwindow', 'context_window'],
  ['default_chanell', 'default_channel'],
  ['fix', 'fx'],
])('%s is meant to be %s', (typed, word) => {
  expect(nearest(typed, WORDS)).toBe(word);
});

test.each(['', 'price', 'kind', 'windows', 'fuxx'])('finds nothing close to %j', (typed) => {
  expect(nearest(typed, WORDS)).toBeNull();
});

test('the closest wins, and the first of two equally close', () => {
  expect(nearest('gen-8', ['gen-99', 'gen-9', 'gen-7'])).toBe('gen-9');
  expect(nearest('x', [])).toBeNull();
});

test('does not compare megabytes letter by letter', () => {
  // Computing the edit distance between this input and each known word would take minutes.
  expect(
    nearest(
      'x'.repeat(8_000_000),
      Array.from({ length: 1000 }, () => 'channels'),
    ),
  ).toBeNull();
});
