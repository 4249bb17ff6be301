/** Computes the runway: how long an account's balance lasts at its recent spending. */
import type { Wallet } from '../ledger/ledger.ts';
import type { Currency } from '../money/amount.ts';
import { FX_SCALE, type FxRate } from '../money/price.ts';
import type { RecentUse } from './recent-use.ts';

/** The longest runway to report: ten years. */
const LONGEST_DAYS = 3_650n;

export type RunwayOf = {
  readonly wallets: readonly Wallet[];
  readonly pace: RecentUse['pace'];
  /** Whether one currency's wallet may pay for the other currency. */
  readonly allowExchange: boolean;
  /** The rate from USD to CNY; null when no rate is configured. */
  readonly usdCny: Pick<FxRate, 'scaled'> | null;
};

/**
 * Returns whole days, at most ten years; null when nothing was spent recently. If wallets may pay
 * for each other, they are added up in USD; otherwise the wallet that runs out first decides.
 */
export function runwayDays({ wallets, pace, allowExchange, usdCny }: RunwayOf): number | null {
  const left = (currency: Currency): bigint => {
    const wallet = wallets.find((it) => it.currency === currency);
    return wallet === undefined ? 0n : wallet.balance - wallet.held - wallet.floor;
  };
  const days = BigInt(pace.days);
  if (allowExchange && usdCny !== null) {
    const inAll = left('USD') + (left('CNY') * FX_SCALE) / usdCny.scaled;
    return lasting(inAll, pace.spentUsd, days);
  }
  const each = [...pace.spent].map(([currency, spent]) => lasting(left(currency), spent, days));
  const ends = each.filter((it) => it !== null);
  return ends.length === 0 ? null : Math.min(...ends);
}

function lasting(left: bigint, spent: bigint, days: bigint): number | null {
  if (spent <= 0n) return null;
  if (left <= 0n) return 0;
  const lasts = (left * days) / spent;
  return Number(lasts > LONGEST_DAYS ? LONGEST_DAYS : lasts);
}
