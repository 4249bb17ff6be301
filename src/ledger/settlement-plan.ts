/**
 * How a hold is put together and how a charge is taken apart, as pure arithmetic for every engine. It is
 * not SQL because an amount times an exchange rate does not fit in 64 bits.
 */
import { divideHalfEven } from '../money/amount.ts';
import { FX_SCALE, type FxRate } from '../money/price.ts';

/** Nano-units that one command may move: a thousand million of a currency. Ten times it fits in an int64. */
export const MAX_AMOUNT = 1_000_000_000_000_000_000n;
/** Nano-units that one wallet may have, and the most that is ever called available. */
export const MAX_BALANCE = 4n * MAX_AMOUNT;

/** Holds that one call of the reaper resolves: a transaction of some milliseconds. */
export const REAP_BATCH = 200;

/**
 * What may be spent. `own` is free in the wallet that pays; `other` is free in the other wallet, in that
 * wallet's currency, and can be had only by `rate` (base = the other currency); null: not at all.
 */
export type Means = {
  readonly own: bigint;
  readonly other: bigint;
  readonly rate: Pick<FxRate, 'scaled'> | null;
};

/** All that could be held now, in the currency of the wallet that pays. */
export function affordable({ own, other, rate }: Means): bigint {
  // Rounded down, as `reserveFor` rounds up: what is called affordable can then be reserved.
  const exchanged = rate === null ? 0n : (other * rate.scaled) / FX_SCALE;
  const sum = own + exchanged;
  return sum > MAX_BALANCE ? MAX_BALANCE : sum;
}

/** What to set aside in the other wallet so that `missing` can be bought: rounded up, never short. */
function reserveFor(missing: bigint, scaled: bigint): bigint {
  return (missing * FX_SCALE + scaled - 1n) / scaled;
}

export type HoldPlan = {
  /** The whole hold, in the currency of the wallet that pays: `own` + what `reserve` buys. */
  readonly amount: bigint;
  readonly own: bigint;
  /** In the other wallet's currency. */
  readonly reserve: bigint;
};

/** A hold of `amount`, or of all there is if that is at least `atLeast`; null when it is not. */
export function planHold(amount: bigint, atLeast: bigint, means: Means): HoldPlan | null {
  const most = affordable(means);
  const granted = amount < most ? amount : most;
  if (granted < atLeast) return null;
  const own = granted < means.own ? granted : means.own;
  const missing = granted - own;
  const reserve = means.rate === null ? 0n : reserveFor(missing, means.rate.scaled);
  return { amount: granted, own, reserve };
}

/** What `bought` costs in the other currency: to the nearest nano-unit, halves to even. */
export function sellFor(bought: bigint, scaled: bigint): bigint {
  return divideHalfEven(bought * FX_SCALE, scaled);
}

export type SettlePlan = {
  /** What the wallet pays in the end: its own money and what was bought for it. */
  readonly taken: bigint;
  /** What of it was bought, in the wallet's currency. */
  readonly bought: bigint;
  /** What was paid for that, in the other wallet's currency. */
  readonly sold: bigint;
  /** The part of the charge that nobody could pay. */
  readonly loss: bigint;
};

/**
 * A charge against `means`, which include what the hold had set aside. The wallet's own money goes
 * first; only what is missing is exchanged, at the pinned rate, rounded half to even.
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

/** What a request was charged by its checkpoint, and what of that has been given back as a refund. */
export type FirstCharge = {
  readonly charge: bigint;
  readonly loss: bigint;
  readonly refunded: bigint;
};

/**
 * What must be added to a first charge so that it comes to `charge`, in `means`, which have nothing set
 * aside. `taken` and `loss` are less than zero when the first were too high; what a refund gave back is
 * not given back again.
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
