/** What an administrator orders of an account's money, and what a wallet affords after it. */
import { formatExact, parseAmount } from '../../../money/amount.ts';
import { enteredAmount } from '../../../money/entered-amount.ts';
import type { Wallet } from './account-queries.ts';

export const ORDERS = ['credit', 'adjust', 'exchange', 'credit_limit'] as const;
export type OrderKind = (typeof ORDERS)[number];

/** The amount as the API takes it; null when it makes no sense for that order. */
export const orderAmount = (kind: OrderKind, text: string): string | null =>
  enteredAmount(text, { signed: kind === 'adjust', zero: kind === 'credit_limit' });

/**
 * What `wallet` can afford once the order is booked: for an exchange, of what is bought.
 * @param amount as `orderAmount` gives it.
 */
export function availableAfter(kind: OrderKind, wallet: Wallet, amount: string): string {
  const now = parseAmount(wallet.available);
  const change =
    kind === 'credit_limit'
      ? parseAmount(amount) - parseAmount(wallet.credit_limit)
      : parseAmount(amount);
  return formatExact(now + change);
}
