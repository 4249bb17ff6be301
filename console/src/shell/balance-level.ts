/** How an account stands, from what its wallets can still afford. */
import { parseAmount } from '../money/amount.ts';

export type BalanceLevel = 'fine' | 'low' | 'empty';
/** Amounts are decimal strings of the wallet's currency. */
export type LeveledWallet = {
  readonly balance: string;
  readonly held: string;
  readonly available: string;
  /** Below this it counts as low; null: never. */
  readonly low_below: string | null;
};

export function levelOf({ available, low_below: lowBelow }: LeveledWallet): BalanceLevel {
  const left = parseAmount(available);
  if (left <= 0n) return 'empty';
  return lowBelow !== null && left < parseAmount(lowBelow) ? 'low' : 'fine';
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
