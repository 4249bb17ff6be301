/** The arithmetic of holds and charges, which needs more than the 64-bit integers of SQLite. */
import { divideHalfEven } from '../money/amount.ts';
import { FX_SCALE, type FxRate } from '../money/price.ts';

/**
 * Maximum nano-units of one command (a billion units). The sum of nine such amounts fits in an
 * int64.
 */
export const MAX_AMOUNT = 1_000_000_000_000_000_000n;
/** Maximum nano-units in one wallet, and the largest amount ever reported as available. */
export const MAX_BALANCE = 4n * MAX_AMOUNT;
/**
 * The error message for a command that would raise a wallet above `MAX_BALANCE`. Callers see it.
 */
export const ABOVE_MAX_BALANCE =
  'amount would raise the balance of the wallet above the maximum of 4000000000. Send less.';

/**
 * The maximum number of holds that one call of `reap` resolves in the store. With PostgreSQL, these
 * share one transaction of a few milliseconds; holds in memory are not limited. With SQLite, the
 * limit applies separately to holds in memory and to stored checkpoints.
 */
export const REAP_BATCH = 200;

/**
 * What a request may spend: `own` from the paying wallet, and `other` from the account's other
 * wallet. `rate` is the exchange rate from the currency of `other` to that of `own`; null if
 * `other` must not be used.
 */
export type Means = {
  readonly own: bigint;
  readonly other: bigint;
  readonly rate: Pick<FxRate, 'scaled'> | null;
};

/** Returns the largest amount that could be held now, in the currency of the paying wallet. */
export function affordable({ own, other, rate }: Means): bigint {
  // Rounds down because `reserveFor` rounds up, so that this amount can always be reserved.
  const exchanged = rate === null ? 0n : (other * rate.scaled) / FX_SCALE;
  const sum = own + exchanged;
  return sum > MAX_BALANCE ? MAX_BALANCE : sum;
}

/** Returns the amount to reserve in the other wallet to buy `missing`. Rounds up, to suffice. */
function reserveFor(missing: bigint, scaled: bigint): bigint {
  return (missing * FX_SCALE + scaled - 1n) / scaled;
}

export type HoldPlan = {
  /** The total hold, in the currency of the paying wallet: `own` plus what `reserve` buys. */
  readonly amount: bigint;
  readonly own: bigint;
  /** The amount held in the other wallet, in its currency, to buy the rest of `amount`. */
  readonly reserve: bigint;
};

/**
 * Plans a hold of `amount`, or of all that `means` cover if that is less. Returns null if the hold
 * would be below `atLeast`.
 */
export function planHold(amount: bigint, atLeast: bigint, means: Means): HoldPlan | null {
  const most = affordable(means);
  const granted = amount < most ? amount : most;
  if (granted < atLeast) return null;
  const own = granted < means.own ? granted : means.own;
  const missing = granted - own;
  const reserve = means.rate === null ? 0n : reserveFor(missing, means.rate.scaled);
  return { amount: granted, own, reserve };
}

/**
 * Returns the price of `bought` in the base currency of the exchange rate `scaled`, rounded half to
 * even.
 */
export function sellFor(bought: bigint, scaled: bigint): bigint {
  return divideHalfEven(bought * FX_SCALE, scaled);
}

export type SettlePlan = {
  /** The amount that is charged: money that the paying wallet has itself, plus `bought`. */
  readonly taken: bigint;
  /** The part of `taken` that was bought from the other wallet, in the paying wallet's currency. */
  readonly bought: bigint;
  /** The price of `bought`, in the other wallet's currency. */
  readonly sold: bigint;
  /** The part of the charge that neither wallet could pay. */
  readonly loss: bigint;
};

/**
 * Splits a charge between the two wallets. `means` must include the amounts that the hold reserved.
 * Only what the paying wallet lacks is bought from the other wallet, at the rate of the hold,
 * rounded half to even.
 */
export function planSettle(charge: bigint, means: Means): SettlePlan {
  const own = charge < means.own ? charge : means.own;
  const missing = charge - own;
  if (missing === 0n || means.rate === null) {
    return { taken: own, bought: 0n, sold: 0n, loss: missing };
  }
  const { scaled } = means.rate;
  const most = (means.other * scaled) / FX_SCALE;
  const bought = missing < most ? missing : most;
  return {
    taken: own + bought,
    bought,
    sold: sellFor(bought, scaled),
    loss: missing - bought,
  };
}

/** A charge that the reaper made for a checkpoint, and how much of it was refunded since. */
export type FirstCharge = {
  readonly charge: bigint;
  readonly loss: bigint;
  readonly refunded: bigint;
};

/**
 * Plans the correction of a first charge to the true `charge`. `taken` and `loss` are differences,
 * negative when the first charge was too high. Refunded money is not returned again.
 */
export function planCorrection(charge: bigint, first: FirstCharge, means: Means): SettlePlan {
  if (charge >= first.charge) {
    const plan = planSettle(charge - first.charge, means);
    return { ...plan, loss: plan.loss - first.loss };
  }
  const least = charge > first.refunded ? charge : first.refunded;
  const taken = least < first.charge ? least - first.charge : 0n;
  return { taken, bought: 0n, sold: 0n, loss: -first.loss };
}
