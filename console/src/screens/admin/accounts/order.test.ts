import { expect, test } from 'bun:test';
import type { Wallet } from './account-queries.ts';
import { availableAfter, orderAmount, paidFor } from './order.ts';

const wallet: Wallet = {
  currency: 'USD',
  balance: '10.000000001',
  held: '1.00',
  credit_limit: '5.00',
  available: '14.000000001',
};

test('the resulting balance is exact', () => {
  expect(availableAfter('credit', wallet, '0.1')).toBe('14.100000001');
  expect(availableAfter('adjust', wallet, '-14.000000001')).toBe('0.00');
  expect(availableAfter('exchange', wallet, '1')).toBe('15.000000001');
});

test('a new credit limit replaces the old one', () => {
  expect(availableAfter('credit_limit', wallet, '0')).toBe('9.000000001');
  expect(availableAfter('credit_limit', wallet, '7.5')).toBe('16.500000001');
});

test('only adjustments may be negative, and only credit limits may be zero', () => {
  expect([orderAmount('adjust', '-2'), orderAmount('credit', '-2')]).toEqual(['-2', null]);
  expect([orderAmount('credit_limit', '0'), orderAmount('exchange', '0')]).toEqual(['0', null]);
});

test('an exchange is paid half to even, as the gateway rounds', () => {
  expect(paidFor('100', '7.2')).toBe('13.888888889');
  expect(paidFor('0.000000001', '2')).toBe('0.00');
  expect(paidFor('0.000000003', '2')).toBe('0.000000002');
  expect(paidFor('72', '7.20000000')).toBe('10.00');
});
