import { expect, test } from 'bun:test';
import { paidIn, rowsOf } from './balances.ts';

const ROWS = rowsOf([
  { account: 'top_up', currency: 'USD', balance: '-100.1' },
  { account: 'top_up', currency: 'CNY', balance: '0.00' },
  { account: 'card_payment', currency: 'USD', balance: '-0.2' },
  { account: 'demo', currency: 'USD', balance: '-10' },
  { account: 'revenue', currency: 'USD', balance: '3' },
]);

test('a ledger account is a row with a balance for each currency', () => {
  expect(ROWS.map(({ account }) => account)).toEqual(['top_up', 'card_payment', 'demo', 'revenue']);
  expect(ROWS[0]?.balances).toEqual({ USD: '-100.1', CNY: '0.00' });
  expect(ROWS[3]?.balances).toEqual({ USD: '3', CNY: '0' });
});

test('payments are summed exactly, without credits', () => {
  expect([paidIn(ROWS, 'USD'), paidIn(ROWS, 'CNY')]).toEqual(['100.30', '0.00']);
});
