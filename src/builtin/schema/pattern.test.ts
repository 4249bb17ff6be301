import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readPattern } from './pattern.ts';

const atoms = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '\\d',
  '\\w',
  '(a|b)',
  '(?:ab|c)',
  '(?=a)',
  '\\b',
  '^',
  '$',
);
const repeats = fc.constantFrom('', '', '*', '+', '?', '{2}', '{1,3}', '{2,}', '+?');
/** An edge cannot be repeated. */
const terms = fc
  .tuple(atoms, repeats)
  .map(([atom, repeat]) => (['^', '$', '\\b', '(?=a)'].includes(atom) ? atom : atom + repeat));
const patterns = fc.array(terms, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', ' '), maxLength: 8 });

describe('patterns', () => {
  test('match what the platform matches', () => {
    fc.assert(
      fc.property(patterns, texts, (source, text) => {
        expect(readPattern(source)?.test(text)).toBe(new RegExp(source, 'u').test(text));
      }),
      { seed: 3, numRuns: 2000 },
    );
  });

  test.each([
    '^[A-Z]{2}\\d{4}$',
    '^\\+?[1-9]\\d{6,14}$',
    '^(?:red|green)-[a-f0-9]{6}$',
    '^[\\p{L} ]+$',
    '^\\d{3}-\\d{2}-\\d{4}$',
    '^(?!x)[a-z_][a-z0-9_]*$',
    '^[\\w.+\\-]+@[\\w\\-]+\\.[a-z]{2,}$',
    '^[\\u4e00-\\u9fff]{2}$',
  ])('%s has a sample that the platform accepts', (source) => {
    const sample = readPattern(source)?.sample(0, Infinity) ?? '';
    expect(sample).toMatch(new RegExp(source, 'u'));
  });

  test('a sample has the length asked for', () => {
    const sample = readPattern('^[a-z]+$')?.sample(12, 20) ?? '';
    expect(sample.length).toBeWithin(12, 21);
  });

  test('rounds of a repeat that move nothing are not taken for ever', () => {
    expect(readPattern('^(a*)*b$')?.test('b')).toBe(true);
    expect(readPattern('^(?:|a)+$')?.test('aa')).toBe(true);
  });

  test('a pattern that would run for ages ends without a match', () => {
    expect(readPattern('^(a+)+$')?.test(`${'a'.repeat(60)}b`)).toBe(false);
    expect(readPattern('^(a|a)*$')?.test(`${'a'.repeat(60)}b`)).toBe(false);
  });

  test.each(['(', '[a', '(?<=a)b', '(a)\\1', '*'])('%s is not understood', (source) => {
    expect(readPattern(source)?.sample(0, 10) ?? null).toBeNull();
  });
});
