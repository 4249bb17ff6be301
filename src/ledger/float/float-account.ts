/**
 * The money of one account in memory: the amounts that it can spend, the holds of running requests,
 * and the charges that the store has not confirmed yet.
 *
 * Every method is synchronous, so nothing happens between a decision and its effect.
 */
import { type Currency, nano, ZERO } from '../../money/amount.ts';
import type { FxRate } from '../../money/price.ts';
import { fault } from '../../store/store-fault.ts';
import type {
  Applied,
  Checkpoint,
  ExtendCommand,
  HoldCommand,
  Outcome,
  SettleCommand,
} from '../ledger.ts';
import { type Meter, meteredCharge, meteredHold, meterRate } from '../meter.ts';
import {
  affordable,
  type HoldPlan,
  type Means,
  planSettle,
  type SettlePlan,
} from '../settlement-plan.ts';
import {
  type AccountSheet,
  AccountState,
  type FloatWallet,
  grant,
  type KeySheet,
  worstCaseTooLow,
} from './account-state.ts';

/** A running hold. The amounts grow with each extension. */
export type FloatHold = {
  /** The command that made the hold. */
  readonly by: HoldCommand;
  /** The reply to the command `by`. */
  result: Applied;
  amount: bigint;
  /** The part of `amount` that is held in the wallet of the hold's currency. */
  own: bigint;
  /** The amount held in the other wallet, in its currency, to buy the rest of `amount`. */
  reserve: bigint;
  /** The amount, in nano-USD, by which the hold counts against the caps. */
  metered: bigint;
  lastExtension: { readonly by: ExtendCommand; readonly result: Applied } | null;
  checkpoint: Checkpoint | null;
  /** Whether the newest checkpoint is not in the store yet. */
  isUnsaved: boolean;
  /** Whether a charge of this hold was sent without a reply, so the store may already have it. */
  isInDoubt: boolean;
};

/** A charge that was planned and deducted in memory. The store has not confirmed it yet. */
export type Charge = {
  readonly by: SettleCommand;
  readonly hold: FloatHold;
  readonly plan: SettlePlan;
  available: bigint;
  readonly metered: bigint;
  /**
   * How many more answers must stay within their holds before the account is no longer careful (see
   * `HoldCommand`); null when the charge does not change this number.
   */
  readonly careful: number | null;
  /**
   * Whether the charge has been handed to the store and has not failed since. After a failure it is
   * false: the charge waits on disk to be sent again.
   */
  isSent: boolean;
};

export class FloatAccount {
  readonly id: string;
  /** The unconfirmed charges, by request id. */
  readonly charges = new Map<string, Charge>();
  /** The number of running holds. */
  running = 0;
  /** Whether the account was used since it was last considered for removal from memory. */
  isUsed = true;
  readonly state = new AccountState();

  constructor(id: string) {
    this.id = id;
  }

  /** Whether the store knows the complete state: no hold runs, and no charge is unconfirmed. */
  get isIdle(): boolean {
    return this.running === 0 && this.charges.size === 0;
  }

  /** The wallets. `held` is the amount that running holds reserve. */
  get wallets(): { readonly [Unit in Currency]: Readonly<FloatWallet> } {
    return this.state.wallets;
  }

  /** Returns the meter of the account, or of the key `keyId`; null if that key is not in memory. */
  meter(keyId: string | null): Readonly<Meter> | null {
    return this.state.meter(keyId);
  }

  /** Whether a hold or an extension by this key can be decided without asking the store. */
  isLoadedFor(keyId: string): boolean {
    return this.state.isLoadedFor(keyId);
  }

  /** Marks the store's reports as outdated, so that the next use loads the account again. */
  markStale(): void {
    this.state.markStale(this.isIdle);
  }

  /**
   * Records the store's report (null for an unknown account or key), and deducts the unconfirmed
   * charges again. The report must contain exactly the charges confirmed to this process.
   */
  absorb(sheet: AccountSheet | null, keyId: string, keySheet: KeySheet | null): void {
    const replaced = this.state.absorb(sheet, keyId, keySheet);
    for (const charge of this.charges.values()) {
      const { keyId: by } = charge.hold.by;
      this.#take(charge, replaced.has(by) ? by : null);
    }
  }

  /** Makes a hold or returns the refusal. Only `live`, the epoch with the lease, may make holds. */
  hold(command: HoldCommand, live: string | null): FloatHold | Outcome {
    const { keyId, currency, exchange, priceRate, atMs, worstCase } = command;
    const state = this.state;
    const refusal = state.refusal(keyId, atMs);
    if (refusal !== null) return refusal;
    if (command.epoch !== live) return { status: 'epoch_over' };
    const isCareful = state.careful > 0;
    if (isCareful && state.meter(null)?.held !== 0n) return { status: 'one_at_a_time' };
    const means = state.means(currency, exchange);
    const amount = isCareful ? worstCase : command.amount;
    const atLeast = isCareful ? worstCase : command.atLeast;
    const caps = state.caps(keyId, atMs, priceRate, atLeast);
    const plan = grant(amount, atLeast, means, caps);
    if ('status' in plan) return isCareful ? worstCaseTooLow(means, caps) : plan;
    const available = nano(affordable(without(means, plan)));
    const held: FloatHold = {
      by: command,
      result: { amount: nano(plan.amount), available, loss: ZERO },
      amount: 0n,
      own: 0n,
      reserve: 0n,
      metered: 0n,
      lastExtension: null,
      checkpoint: null,
      isUnsaved: false,
      isInDoubt: false,
    };
    this.running += 1;
    this.#reserve(held, plan);
    return held;
  }

  /** Raises a running hold by the full amount, or returns the refusal. */
  extend(command: ExtendCommand, held: FloatHold): Outcome {
    const { amount, checkpoint, atMs } = command;
    const { keyId, currency, exchange, priceRate } = held.by;
    const refusal = this.state.refusal(keyId, atMs);
    if (refusal !== null) return refusal;
    const means = this.state.means(currency, exchange);
    const plan = grant(amount, amount, means, this.state.caps(keyId, atMs, priceRate, amount));
    if ('status' in plan) return plan;
    if (checkpoint !== null) keepCheckpoint(held, checkpoint);
    this.#reserve(held, plan);
    const available = nano(affordable(without(means, plan)));
    const result = { amount: nano(held.amount), available, loss: ZERO };
    held.lastExtension = { by: command, result };
    return { status: 'applied', result };
  }

  /** Releases a hold. Returns the amount that a new hold could then reserve. */
  release(held: FloatHold): bigint {
    const { keyId, currency, exchange } = held.by;
    this.running -= 1;
    const { own, reserve, metered } = held;
    this.state.hold({ keyId, currency, own: -own, other: -reserve, metered: -metered });
    return affordable(this.state.means(currency, exchange));
  }

  /**
   * Resolves a hold: deducts the charge, up to what the wallets can pay, and releases the rest.
   */
  charge(
    command: SettleCommand,
    held: FloatHold,
    rate: Pick<FxRate, 'base' | 'scaled'> | null,
  ): Charge {
    requireMatch(held, command);
    const { keyId, currency, exchange } = held.by;
    // The request may spend the money that its hold reserved, and all free money.
    const free = this.state.means(currency, exchange);
    const { rate: exchanged } = free;
    const means = { own: free.own + held.own, other: free.other + held.reserve, rate: exchanged };
    const plan = planSettle(command.charge, means);
    const own = means.own + plan.bought - plan.taken;
    const charge: Charge = {
      by: command,
      hold: held,
      plan,
      available: affordable({ own, other: means.other - plan.sold, rate: exchanged }),
      metered: meteredCharge(plan.taken, meterRate(rate)),
      careful: this.#carefulAfter(command, held),
      isSent: true,
    };
    this.release(held);
    this.charges.set(command.id, charge);
    this.#take(charge, keyId);
    return charge;
  }

  /** Removes a charge that the store has confirmed and includes in its next report. */
  confirm(charge: Charge): void {
    this.charges.delete(charge.by.id);
  }

  /** Undoes a charge that the store did not write. The hold runs again, to be settled. */
  restore(charge: Charge): void {
    this.charges.delete(charge.by.id);
    this.running += 1;
    reserveAgain(this.state, charge);
    this.markStale();
  }

  /** Returns the money in holds and unconfirmed charges, which the store must not spend. */
  reserved(currency: Currency): bigint {
    let sum = this.wallets[currency].held;
    for (const { hold, plan } of this.charges.values()) {
      sum += hold.by.currency === currency ? plan.taken - plan.bought : plan.sold;
    }
    return sum;
  }

  /** Returns the nano-USD that holds and unconfirmed charges use of the key's or account's caps. */
  metered(keyId: string | null): bigint {
    let sum = this.meter(keyId)?.held ?? 0n;
    for (const { hold, metered } of this.charges.values()) {
      if (keyId === null || hold.by.keyId === keyId) sum += metered;
    }
    return sum;
  }

  #carefulAfter({ carefulAnswers, charge }: SettleCommand, { amount }: FloatHold): number | null {
    if (charge > amount) return carefulAnswers > 0 ? carefulAnswers : null;
    const { careful } = this.state;
    return careful > 0 && charge > 0n ? careful - 1 : null;
  }

  #reserve(held: FloatHold, plan: HoldPlan): void {
    const { keyId, currency, priceRate } = held.by;
    const metered = meteredHold(held.amount + plan.amount, priceRate) - held.metered;
    held.amount += plan.amount;
    held.own += plan.own;
    held.reserve += plan.reserve;
    held.metered += metered;
    this.state.hold({ keyId, currency, own: plan.own, other: plan.reserve, metered });
  }

  /** Deducts a charge, and counts it for the account's caps and, if `keyId` is given, the key's. */
  #take({ by, hold, plan, metered, careful }: Charge, keyId: string | null): void {
    const { currency } = hold.by;
    this.state.take({ currency, own: plan.taken - plan.bought, other: plan.sold });
    this.state.spend(metered, by.atMs, keyId);
    if (careful !== null) this.state.careful = careful;
  }
}

/**
 * Reserves the money of a hold again whose charge is undone: only what is still free, because other
 * requests may hold what the charge had released. Together they would otherwise spend more than the
 * wallet has, and the store could not book their charges.
 */
function reserveAgain(state: AccountState, { hold, plan }: Charge): void {
  const { keyId, currency } = hold.by;
  state.take({ currency, own: plan.bought - plan.taken, other: -plan.sold });
  hold.own = least(hold.own, state.free(currency));
  hold.reserve = least(hold.reserve, state.free(currency === 'USD' ? 'CNY' : 'USD'));
  state.hold({ ...hold, keyId, currency, other: hold.reserve });
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b);

const without = ({ own, other, rate }: Means, plan: HoldPlan): Means => ({
  own: own - plan.own,
  other: other - plan.reserve,
  rate,
});

/** Replaces a hold's checkpoint in memory; it is stored later. @throws as `requireMatch` */
export function keepCheckpoint(held: FloatHold, checkpoint: Checkpoint): void {
  requireMatch(held, checkpoint);
  held.checkpoint = checkpoint;
  held.isUnsaved = true;
}

/**
 * @throws GatewayError `internal_error` if the receipt has another account, key or currency than
 * the hold.
 */
function requireMatch({ by }: FloatHold, { receipt }: Pick<Checkpoint, 'receipt'>): void {
  const { accountId, keyId, currency } = receipt;
  if (by.accountId === accountId && by.keyId === keyId && by.currency === currency) return;
  throw fault(
    'internal_error',
    `the receipt of ${receipt.requestId} names another account, key or currency than its hold`,
  );
}
