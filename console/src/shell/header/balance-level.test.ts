import { expect, test } from 'bun:test';
import { type LeveledWallet, levelOf, shownWallets } from './balance-level.ts';

const wallet = (available: string, wallet: Partial<LeveledWallet> = {}): LeveledWallet => ({
  balance: available,
  held: '0.00',
  available,
  is_low: false,
  ...wallet,
});

test('a wallet with money is fine until its threshold says otherwise', () => {
  expect(levelOf(wallet('0.000000001'))).toBe('fine');
  expect(levelOf(wallet('4.99', { is_low: true }))).toBe('low');
});

test('nothing left is more than low, and below zero too', () => {
  expect([
    levelOf(wallet('0.00', { is_low: true })),
    levelOf(wallet('0.000000000')),
    levelOf(wallet('-1.25', { is_low: true })),
  ]).toEqual(['empty', 'empty', 'empty']);
});

test('what counts is what can be spent: a credit limit keeps a wallet at zero going, holds use it up', () => {
  expect(levelOf(wallet('10.00', { balance: '0.00' }))).toBe('fine');
  expect(levelOf(wallet('0.00', { balance: '3.00', held: '3.00' }))).toBe('empty');
});

test('a currency nobody paid in is not shown beside one with money, and never is nothing shown', () => {
  const usd = wallet('12.50');
  const cny = wallet('0.00');
  expect(shownWallets([cny, usd])).toEqual([usd]);
  expect(shownWallets([usd, wallet('0.00', { balance: '1.00', held: '1.00' })])).toHaveLength(2);
  expect(shownWallets([cny, wallet('0.00')])).toHaveLength(1);
  expect(shownWallets([])).toEqual([]);
});
