import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  formatExact,
  formatExactGrouped,
  formatShort,
  parseAmount,
  sum,
  withCurrency,
} from './amount.ts';

test('formats an amount for display and exactly', () => {
  const shown = (decimal: string) => [
    formatShort(parseAmount(decimal)),
    formatExact(parseAmount(decimal)),
  ];
  expect(shown('1234567.891')).toEqual(['1,234,567.89', '1234567.891']);
  expect(shown('0.1234567')).toEqual(['0.1235', '0.1234567']);
  expect(shown('0.000132000')).toEqual(['0.00013', '0.000132']);
  expect(shown('0.000000000001')).toEqual(['0.000000000001', '0.000000000001']);
  expect(shown('0')).toEqual(['0.00', '0.00']);
  expect(shown('-2.5')).toEqual(['-2.50', '-2.50']);
  expect(shown('0.99999')).toEqual(['1.00', '0.99999']);
  expect(shown('0.3')).toEqual(['0.30', '0.30']);
});

test('thousands separators keep an amount exact', () => {
  const shown = (decimal: string) => formatExactGrouped(parseAmount(decimal));
  expect(['1234567.000000001', '-999.5', '1000', '-0.25'].map(shown)).toEqual([
    '1,234,567.000000001',
    '-999.50',
    '1,000.00',
    '-0.25',
  ]);
});

test('sums are exact where floating point is not', () => {
  expect(formatExact(sum(['0.1', '0.2']))).toBe('0.30');
  expect(formatExact(sum(['9007199254740993.000000001', '-0.000000001']))).toBe(
    '9007199254740993.00',
  );
});

test('an exact amount parses back to itself', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), (amount) => {
      expect(parseAmount(formatExact(amount))).toBe(amount);
    }),
  );
});

test('rejects text that is not an amount', () => {
  for (const text of ['', '1.', '.5', '1e3', '1,000', 'NaN', '0.1234567890123']) {
    expect(() => parseAmount(text)).toThrow(RangeError);
  }
});

test('the sign precedes the currency symbol, which cannot be read as yen', () => {
  expect([
    withCurrency('-2.50', 'USD'),
    withCurrency('7.10', 'CNY'),
    withCurrency('1.00', 'EUR'),
  ]).toEqual(['−$2.50', 'CN¥7.10', '1.00 EUR']);
});
