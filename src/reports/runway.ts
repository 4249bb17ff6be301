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
  /** Whether the USD wallet may pay for requests that are settled in CNY. */
  readonly allowExchange: boolean;
  /** The exchange rate from USD to CNY; null when no rate is configured. */
  readonly usdCny: Pick<FxRate, 'scaled'> | null;
};

export type Runway = {
  /** The number of whole days, at most ten years. */
  readonly days: number;
  /** The currency of the wallet that is empty first. */
  readonly currency: Currency;
};

/**
 * Returns how long requests in every currency can still be paid, at the recent spending; null if
 * nothing was spent recently. Each wallet pays the requests of its own currency. The USD wallet may
 * also buy CNY, but CNY never buys USD, so a CNY wallet does not make the USD wallet last longer.
 */
export function runwayOf({ wallets, pace, allowExchange, usdCny }: RunwayOf): Runway | null {
  const left = (currency: Currency): bigint => {
    const wallet = wallets.find((it) => it.currency === currency);
    const free = wallet === undefined ? 0n : wallet.balance - wallet.held - wallet.floor;
    return free > 0n ? free : 0n;
  };
  const spent = (currency: Currency): bigint => pace.spent.get(currency) ?? 0n;
  const dollars = { left: left('USD'), spent: spent('USD'), currency: 'USD' } as const;
  const yuan = { left: left('CNY'), spent: spent('CNY'), currency: 'CNY' } as const;
  // `second` pays for CNY requests. Without exchange, it is the CNY wallet. With exchange, it is
  // both wallets together, because the USD wallet pays for both currencies once the CNY wallet is
  // empty. If USD requests alone would empty the USD wallet earlier, `dollars` has fewer days and
  // is returned.
  const second =
    allowExchange && usdCny !== null
      ? ({ ...pooled(dollars, yuan, usdCny.scaled), currency: 'USD' } as const)
      : yuan;
  const ends = [dollars, second].flatMap(({ currency, ...purse }) => {
    const days = lasting(purse, BigInt(pace.days));
    return days === null ? [] : [{ days, currency }];
  });
  return ends.toSorted((a, b) => a.days - b.days)[0] ?? null;
}

type Purse = { readonly left: bigint; readonly spent: bigint };

/**
 * Adds the balances and the spending of both wallets. The unit of the sums is a fraction of a
 * nano-USD, so that nothing is rounded.
 */
const pooled = (dollars: Purse, yuan: Purse, scaled: bigint): Purse => ({
  left: dollars.left * scaled + yuan.left * FX_SCALE,
  spent: yuan.spent === 0n ? 0n : dollars.spent * scaled + yuan.spent * FX_SCALE,
});

function lasting({ left, spent }: Purse, days: bigint): number | null {
  if (spent <= 0n) return null;
  const lasts = (left * days) / spent;
  return Number(lasts > LONGEST_DAYS ? LONGEST_DAYS : lasts);
}
