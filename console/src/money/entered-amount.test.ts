import { expect, test } from 'bun:test';
import { enteredAmount } from './entered-amount.ts';

test('an amount is taken as people type it', () => {
  expect(
    ['10', ' 0.5 ', '1,000.50', '12,345,678', '0.000000001'].map((it) => enteredAmount(it)),
  ).toEqual(['10', '0.5', '1000.50', '12345678', '0.000000001']);
});

test('what could be meant in two ways, or is no amount, is not taken', () => {
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

test('less than zero and nothing are taken where they make sense', () => {
  expect(enteredAmount('-2.5', { signed: true })).toBe('-2.5');
  expect(enteredAmount('0', { zero: true })).toBe('0');
  expect(enteredAmount('-0', { signed: true })).toBeNull();
});
