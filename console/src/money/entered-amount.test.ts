import { expect, test } from 'bun:test';
import { enteredAmount } from './entered-amount.ts';

test('accepts amounts as people type them', () => {
  expect(
    ['10', ' 0.5 ', '1,000.50', '12,345,678', '0.000000001', '１０．５'].map((it) =>
      enteredAmount(it),
    ),
  ).toEqual(['10', '0.5', '1000.50', '12345678', '0.000000001', '10.5']);
});

test('rejects ambiguous and invalid amounts', () => {
  for (const text of [
    '',
    '1,5',
    '10,00',
    '.5',
    '5.',
    '1e3',
    '-1',
    '0',
    '0.00',
    '1.0000000001',
    '$5',
  ]) {
    expect(enteredAmount(text)).toBeNull();
  }
});

test('accepts negative amounts and zero only where allowed', () => {
  expect(enteredAmount('-2.5', { signed: true })).toBe('-2.5');
  expect(enteredAmount('0', { zero: true })).toBe('0');
  expect(enteredAmount('-0', { signed: true })).toBeNull();
});
