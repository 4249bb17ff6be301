import { describe, expect, test } from 'bun:test';
import { findSum, formatNumber } from './arithmetic.ts';

describe('sums', () => {
  test.each([
    ['What is 2+2?', '2 + 2', 4],
    ['17 * 23', '17 × 23', 391],
    ['what is 12 times (3 + 4)', '12 × (3 + 4)', 84],
    ['calculate 2^3^2', '2 ^ 3 ^ 2', 512],
    ['How much is 10 divided by 4?', '10 / 4', 2.5],
    ['7 - -2 =', '7 - -2', 9],
    ['3加5等于几？', '3 + 5', 8],
    ['计算 12乘以3', '12 × 3', 36],
    ['1 + 2 * 3', '1 + 2 × 3', 7],
    ['what is 1/0', '1 / 0', Infinity],
  ])('%s', (text, expression, value) => {
    expect(findSum(text)).toEqual({ expression, value });
  });

  test.each([
    'Hello',
    'What happened on 2026-11-21?',
    'Call me at 555-123-4567, what is my number?',
    'What is version 1.2.3?',
    'I have 3 apples and what is 4',
    'what is 2 + ?',
    'between 10-20 people came',
  ])('%s is no sum', (text) => {
    expect(findSum(text)).toBeNull();
  });

  test('results are written without the noise of binary fractions', () => {
    expect(formatNumber(0.1 + 0.2)).toBe('0.3');
  });
});
