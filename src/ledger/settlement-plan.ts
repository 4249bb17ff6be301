/**
 * The arithmetic of holds and charges, the same for every engine. It is not SQL, because an amount
 * times an exchange rate does not fit in 64 bits.
 */
import { divideHalfEven } from '../money/amount.ts';
import { FX_SCALE, type FxRate } from '../money/price.ts';

/**
 * Maximum nano-units of one command: a billion units of currency. Nine times it fits in an int64.
 */
export const MAX_AMOUNT = 1_000_000_000_000_000_000n;
/** Maximum nano-units in one wallet, and the most that is ever reported as available. */
export const MAX_BALANCE = 4n * MAX_AMOUNT;

/** Holds that one reap resolves: a transaction of a few milliseconds. */
export const REAP_BATCH = 200;

/**
 * What may be spent. `own` is free in the paying wallet. `other` is free in the other wallet, in
 * that wallet's currency, and usable only at `rate` (base = the other currency); null: not usable.
 */
export type Means = {
  readonly own: bigint;
  readonly other: bigint;
  readonly rate: Pick<FxRate, 'scaled'> | null;
};

/** The most that could be held now, in the currency of the paying wallet. */
export function affordable({ own, other, rate }: Means): bigint {
  // Rounded down because `reserveFor` rounds up: what counts as affordable can then be reserved.
  const exchanged = rate === null ? 0n : (other * rate.scaled) / FX_SCALE;
  const sum = own + exchanged;
  return sum > MAX_BALANCE ? MAX_BALANCE : sum;
}

/** What to reserve in the other wallet to buy `missing`. Rounded up, so it is never short. */
function reserveFor(missing: bigint, scaled: bigint): bigint {
  return (missing * FX_SCALE + scaled - 1n) / scaled;
}

export type HoldPlan = {
  /** The whole hold, in the currency of the paying wallet: `own` plus what `reserve` buys. */
  readonly amount: bigint;
  readonly own: bigint;
  /** In the other wallet's currency. */
  readonly reserve: bigint;
};

/** A hold of `amount`, or of all there is when that is at least `atLeast`; otherwise null. */
export function planHold(amount: bigint, atLeast: bigint, means: Means): HoldPlan | null {
  const most = affordable(means);
  const granted = amount < most ? amount : most;
  if (granted < atLeast) return null;
  const own = granted < means.own ? granted : means.own;
  const missing = granted - own;
  const reserve = means.rate === null ? 0n : reserveFor(missing, means.rate.scaled);
  return { amount: granted, own, reserve };
}

/** The price of `bought` in the other currency, to the nearest nano-unit, half to even. */
export function sellFor(bought: bigint, scaled: bigint): bigint {
  return divideHalfEven(bought * FX_SCALE, scaled);
}

export type SettlePlan = {
  /** What the wallet pays in the end: its own money and what was bought for it. */
  readonly taken: bigint;
  /** The bought part of it, in the wallet's currency. */
  readonly bought: bigint;
  /** The price of that part, in the other wallet's currency. */
  readonly sold: bigint;
  /** The part of the charge that could not be paid. */
  readonly loss: bigint;
};

/**
 * Splits a charge over `means`, which include what the hold reserved. The wallet's own money goes
 * first. Only the missing part is exchanged, at the pinned rate, rounded half to even.
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

/** What a request was charged by its checkpoint, and what was refunded of it. */
export type FirstCharge = {
  readonly charge: bigint;
  readonly loss: bigint;
  readonly refunded: bigint;
};

/**
 * What to add to a first charge so that it becomes `charge`. `means` contain nothing reserved.
 * `taken` and `loss` are negative when the first charge was too high; refunded money is not
 * returned a second time.
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
