import { expect, test } from 'bun:test';
import { GenerationRate, USUAL_TOKENS_PER_SECOND } from './generation-rate.ts';

/** Returns the rate after answers of 1,000 tokens, each of which took this many seconds. */
const after = (...seconds: readonly number[]): number => {
  const rate = new GenerationRate();
  for (const each of seconds) rate.add(1_000, each * 1000);
  return rate.tokensPerSecond;
};

test('a route with fewer than four answers has the usual rate', () => {
  expect(after()).toBe(USUAL_TOKENS_PER_SECOND);
  expect(after(5, 5, 5)).toBe(USUAL_TOKENS_PER_SECOND);
  expect(after(5, 5, 5, 5)).toBe(200);
});

test('slow readers lower the rate only when they are most of the callers', () => {
  expect(after(5, 5, 60, 60, 60)).toBe(200);
  expect(after(5, 60, 60, 60, 60)).toBeCloseTo(1000 / 60);
});

test('answers from a cache do not count', () => {
  expect(after(5, 5, 5, 5, ...Array(20).fill(0.2), ...Array(20).fill(0))).toBe(200);
});

test('short answers, which mostly wait, do not count', () => {
  const rate = new GenerationRate();
  for (let answer = 0; answer < 100; answer++) rate.add(127, 10_000);
  expect(rate.tokensPerSecond).toBe(USUAL_TOKENS_PER_SECOND);
});

test('only the last 32 answers count', () => {
  expect(after(...Array(32).fill(5), ...Array(31).fill(10))).toBe(100);
  expect(after(...Array(32).fill(5), ...Array(20).fill(10))).toBe(200);
});
