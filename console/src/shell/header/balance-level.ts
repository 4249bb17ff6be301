/** How an account stands, from what its wallets can still afford. */
import { parseAmount } from '../../money/amount.ts';

export type BalanceLevel = 'fine' | 'low' | 'empty';
/** Amounts are decimal strings of the wallet's currency. */
export type LeveledWallet = {
  readonly balance: string;
  readonly held: string;
  readonly available: string;
  /** Below the threshold that the account or the operator has set. */
  readonly is_low: boolean;
};

export function levelOf({ available, is_low: isLow }: LeveledWallet): BalanceLevel {
  if (parseAmount(available) <= 0n) return 'empty';
  return isLow ? 'low' : 'fine';
}

/**
 * The wallets that somebody wants to see: a currency that was never paid in says nothing while there is
 * money in another.
 */
export function shownWallets<Wallet extends LeveledWallet>(
  wallets: readonly Wallet[],
): readonly Wallet[] {
  const isUsed = ({ balance, held }: Wallet): boolean =>
    parseAmount(balance) !== 0n || parseAmount(held) !== 0n;
  const used = wallets.filter(isUsed);
  return used.length > 0 ? used : wallets.slice(0, 1);
}
