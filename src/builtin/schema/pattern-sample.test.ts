import { describe, expect, test } from 'bun:test';
import { patternSample } from './pattern-sample.ts';

describe('samples of patterns', () => {
  test.each([
    '^[A-Z]{2}\\d{4}$',
    '^\\+?[1-9]\\d{6,14}$',
    '^(?:red|green)-[a-f0-9]{6}$',
    '^[\\p{L} ]+$',
    '^\\d{3}-\\d{2}-\\d{4}$',
    '^(?!x)[a-z_][a-z0-9_]*$',
    '^[\\w.+\\-]+@[\\w\\-]+\\.[a-z]{2,}$',
    '^[\\u4e00-\\u9fff]{2}$',
  ])('%s gets a text that matches', (source) => {
    const sample = patternSample(source, 0, Infinity) ?? '';
    expect(sample).toMatch(new RegExp(source, 'u'));
  });

  test('respects the minimum and maximum length', () => {
    const sample = patternSample('^[a-z]+$', 12, 20) ?? '';
    expect(sample.length).toBeWithin(12, 21);
  });

  test('returns null for nested repeats that would be too long', () => {
    const startedAt = performance.now();
    expect(patternSample('(((a{999}){999}){999}){999}', 0, Infinity)).toBeNull();
    expect(patternSample('^((a|a)+)+$', 0, Infinity)).toBe('a');
    expect(performance.now() - startedAt).toBeLessThan(100);
  });

  test.each(['(', '[a', '*', 'a'.repeat(5_000)])('returns null for the pattern %.10s', (source) => {
    expect(patternSample(source, 0, Infinity)).toBeNull();
  });
});
