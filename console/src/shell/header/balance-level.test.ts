import { expect, test } from 'bun:test';
import { type LeveledWallet, levelOf, shownWallets } from './balance-level.ts';

const wallet = (available: string, wallet: Partial<LeveledWallet> = {}): LeveledWallet => ({
  balance: available,
  held: '0.00',
  available,
  is_low: false,
  ...wallet,
});

test('a wallet is fine until it falls below its threshold', () => {
  expect(levelOf(wallet('0.000000001'))).toBe('fine');
  expect(levelOf(wallet('4.99', { is_low: true }))).toBe('low');
});

test('a balance of zero or less is empty, not low', () => {
  expect([
    levelOf(wallet('0.00', { is_low: true })),
    levelOf(wallet('0.000000000')),
    levelOf(wallet('-1.25', { is_low: true })),
  ]).toEqual(['empty', 'empty', 'empty']);
});

test('the available amount counts, including credit limit and holds', () => {
  expect(levelOf(wallet('10.00', { balance: '0.00' }))).toBe('fine');
  expect(levelOf(wallet('0.00', { balance: '3.00', held: '3.00' }))).toBe('empty');
});

test('an unused currency is hidden beside one with money, but one is always shown', () => {
  const usd = wallet('12.50');
  const cny = wallet('0.00');
  expect(shownWallets([cny, usd])).toEqual([usd]);
  expect(shownWallets([usd, wallet('0.00', { balance: '1.00', held: '1.00' })])).toHaveLength(2);
  expect(shownWallets([cny, wallet('0.00')])).toHaveLength(1);
  expect(shownWallets([])).toEqual([]);
});
