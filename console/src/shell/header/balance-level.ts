/** Determines the state of an account's balance from the available amounts of its wallets. */
import { parseAmount } from '#money/amount.ts';

export type BalanceLevel = 'fine' | 'low' | 'empty';
/** A wallet with its amounts as decimal strings in its currency. */
export type LeveledWallet = {
  readonly balance: string;
  readonly held: string;
  readonly available: string;
  /** Whether the available amount is below the alert threshold of the account or the operator. */
  readonly is_low: boolean;
};

export function levelOf({ available, is_low: isLow }: LeveledWallet): BalanceLevel {
  if (parseAmount(available) <= 0n) return 'empty';
  return isLow ? 'low' : 'fine';
}

/** Returns the wallets with a balance or a hold; if all are empty, only the first wallet. */
export function shownWallets<Wallet extends LeveledWallet>(
  wallets: readonly Wallet[],
): readonly Wallet[] {
  const isUsed = ({ balance, held }: Wallet): boolean =>
    parseAmount(balance) !== 0n || parseAmount(held) !== 0n;
  const used = wallets.filter(isUsed);
  return used.length > 0 ? used : wallets.slice(0, 1);
}
