/** The changes that an administrator can make to a wallet, and the balance that results. */
import { formatExact, parseAmount } from '#money/amount.ts';
import { enteredAmount } from '#money/entered-amount.ts';
import type { Wallet } from './account-queries.ts';

export const ORDERS = ['credit', 'adjust', 'exchange', 'credit_limit'] as const;
export type OrderKind = (typeof ORDERS)[number];

/** The currencies of an exchange. The configuration has a rate only from USD to CNY. */
export const [SOLD, BOUGHT] = ['USD', 'CNY'] as const;

/** Returns the amount for the API; null when the text is invalid for this kind of change. */
export const orderAmount = (kind: OrderKind, text: string): string | null =>
  enteredAmount(text, { signed: kind === 'adjust', zero: kind === 'credit_limit' });

/**
 * Returns the available balance of `wallet` after the change. For an exchange, `wallet` is the
 * wallet of the bought currency.
 * @param amount from `orderAmount`.
 */
export function availableAfter(kind: OrderKind, wallet: Wallet, amount: string): string {
  const now = parseAmount(wallet.available);
  const change =
    kind === 'credit_limit'
      ? parseAmount(amount) - parseAmount(wallet.credit_limit)
      : parseAmount(amount);
  return formatExact(now + change);
}

const PICO_PER_NANO = 1_000n;

/**
 * Returns what an exchange takes from the wallet of the sold currency, rounded half to even to nine
 * decimal places, as the gateway does.
 * @param amount the bought amount, from `orderAmount`.
 * @param rate the amount of the bought currency that one unit of the sold currency buys.
 */
export function paidFor(amount: string, rate: string): string {
  const [bought, perUnit] = [parseAmount(amount) / PICO_PER_NANO, parseAmount(rate)];
  const scaled = bought * parseAmount('1');
  const [whole, rest] = [scaled / perUnit, (scaled % perUnit) * 2n];
  const isUp = rest > perUnit || (rest === perUnit && whole % 2n === 1n);
  return formatExact((isUp ? whole + 1n : whole) * PICO_PER_NANO);
}
