/** A simple ledger in memory. The tests compare every engine with it. */
import { type Currency, divideHalfEven, nano } from '../../money/amount.ts';
import type {
  Applied,
  Command,
  ExtendCommand,
  HoldCommand,
  Outcome,
  Reaped,
  RefundCommand,
  SettleCommand,
  VoidCommand,
} from '../ledger.ts';
import type { Holds } from '../verify.ts';
import { USD_CNY } from './ledger.fixture.ts';
import {
  capsOf,
  counts,
  keyIn,
  type ModelKey,
  newMeter,
  newMeters,
  SCALE,
  spend,
} from './model-caps.fixture.ts';

export type ModelHold = {
  readonly key: ModelKey;
  readonly currency: Currency;
  readonly scaled: bigint | null;
  readonly priced: bigint | null;
  readonly epoch: string;
  readonly expiresAtMs: number;
  own: bigint;
  reserve: bigint;
  amount: bigint;
  checkpoint: bigint | null;
  /** True after the reaper has resolved the hold, until a late settlement corrects its charge. */
  isReaped: boolean;
  state: 'pending' | 'void' | 'settled';
  /** `charge` and `loss` sum over all settlements. `settled` is the last of them. */
  charge: bigint;
  loss: bigint;
  refunded: bigint;
  /** The amount that was bought from the other wallet to pay the charge. */
  bought: bigint;
  /** The price of `bought`, in the other wallet's currency. */
  sold: bigint;
  /** The time of the first charge. */
  chargedMs: number;
  settled: { readonly asked: bigint; readonly result: Applied } | null;
  givenBack: Applied | null;
};

/** One account with two wallets and three keys, two of which a member created. */
export class LedgerModel {
  readonly balance: Record<Currency, bigint> = { USD: 0n, CNY: 0n };
  readonly held: Record<Currency, bigint> = { USD: 0n, CNY: 0n };
  readonly credit: Record<Currency, bigint> = { USD: 0n, CNY: 0n };
  readonly meters = newMeters();
  readonly memberCaps = newMeter().caps;
  isActive = true;
  isKeyActive = true;
  /**
   * How many more answers must stay within their holds before the account may again have several
   * holds at a time; 0 if it may (see `HoldCommand`).
   */
  careful = 0;
  /** The epochs (starts of a node) that have a live lease, so they may make holds. */
  live: { readonly has: (epoch: string) => boolean };
  readonly #isStored: boolean;
  readonly holds = new Map<string, ModelHold>();
  readonly #first = new Map<string, { readonly body: string; readonly result: Applied }>();

  constructor(live: LedgerModel['live'], holds: Holds) {
    this.live = live;
    this.#isStored = holds === 'stored';
  }

  apply(command: Command): Outcome {
    if (command.kind === 'settle') return this.#settle(command);
    if (command.kind === 'void') return this.#void(command);
    const first = this.#first.get(command.id);
    if (first !== undefined) {
      const isSame = first.body === body(command);
      return isSame ? { status: 'already_applied', result: first.result } : { status: 'id_reused' };
    }
    const outcome = this.#new(command);
    if (outcome.status === 'applied') {
      this.#first.set(command.id, { body: body(command), result: outcome.result });
    }
    return outcome;
  }

  /**
   * Resolves pending holds that have expired or whose epoch has ended. If a hold has a checkpoint,
   * charges the cost in it. Otherwise releases the hold.
   */
  reap(atMs: number): Reaped {
    let [settled, voided] = [0, 0];
    for (const [, hold] of [...this.holds].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const isRunning = this.live.has(hold.epoch) && hold.expiresAtMs > atMs;
      if (hold.state !== 'pending' || isRunning) continue;
      if (hold.checkpoint === null) {
        this.#free(hold);
        hold.state = 'void';
        voided += 1;
      } else {
        this.#charge(hold, hold.checkpoint, atMs);
        settled += 1;
      }
      hold.isReaped = true;
    }
    return { settled, voided };
  }

  /** Whether the hold's request is priced in USD but charged in CNY. */
  isPriced(holdId: string): boolean {
    return (this.holds.get(holdId)?.priced ?? null) !== null;
  }

  isRunning(holdId: string): boolean {
    return this.holds.get(holdId)?.state === 'pending';
  }

  /** Whether a hold with this id was ever made. */
  isKnown(holdId: string): boolean {
    return this.holds.has(holdId);
  }

  /** Whether a hold may use money of the other wallet. */
  isExchanging(holdId: string): boolean {
    return (this.holds.get(holdId)?.scaled ?? null) !== null;
  }

  /** Returns a request's charge and loss over all its settlements; null if it has none. */
  charged(id: string): Pick<ModelHold, 'charge' | 'loss' | 'isReaped'> | null {
    const hold = this.holds.get(id);
    return hold?.state === 'settled' ? hold : null;
  }

  /**
   * Adds a hold that a node made in memory. Does not reserve its money, which the node has already.
   */
  move(command: HoldCommand, amount: bigint): void {
    const hold = holdOf(command);
    hold.amount = amount;
    hold.own = amount;
    this.holds.set(command.id, hold);
    const { result } = done(amount, 0n);
    this.#first.set(command.id, { body: body({ ...command, amount: nano(amount) }), result });
  }

  /** Charges a hold that is only in a node's memory. Its money is reserved for the node already. */
  take(command: HoldCommand, { charge, atMs }: SettleCommand): Outcome {
    this.move(command, charge);
    const hold = this.holds.get(command.id);
    if (hold === undefined) throw new Error('the new hold is missing');
    return { status: 'applied', result: this.#charge(hold, charge, atMs) };
  }

  /** Returns the amount of a wallet that new holds can still reserve. */
  free(currency: Currency): bigint {
    return this.#left(currency);
  }

  /** Returns the amount of a hold; zero when the hold does not exist. */
  amountOf(holdId: string): bigint {
    return this.holds.get(holdId)?.amount ?? 0n;
  }

  /** Returns the id of a hold's key; the account's first key when the hold does not exist. */
  keyIdOf(holdId: string, accountId: string): string {
    return `${this.holds.get(holdId)?.key ?? 'key'}_${accountId}`;
  }

  /** Returns the currency of a hold; USD when the hold does not exist. */
  currencyOf(holdId: string): Currency {
    return this.holds.get(holdId)?.currency ?? 'USD';
  }

  #new(command: Exclude<Command, SettleCommand | VoidCommand>): Outcome {
    switch (command.kind) {
      case 'credit':
      case 'adjust': {
        const { currency, amount } = command;
        if (this.#left(currency) + amount < 0n) return tooLow(this.#left(currency));
        this.balance[currency] += amount;
        return done(amount, this.#left(currency));
      }
      case 'exchange': {
        const { base, quote, scaled } = command.rate;
        const sold = divideHalfEven(command.amount * SCALE, scaled);
        if (sold > this.#left(base)) return tooLow((this.#left(base) * scaled) / SCALE);
        this.balance[base] -= sold;
        this.balance[quote] += command.amount;
        return done(command.amount, this.#left(quote));
      }
      case 'credit_limit': {
        const { currency, amount } = command;
        if (this.balance[currency] - this.held[currency] + amount < 0n) {
          return tooLow(this.#left(currency));
        }
        this.credit[currency] = amount;
        return done(amount, this.#left(currency));
      }
      case 'refund':
        return this.#refund(command);
      case 'hold':
        return this.#hold(command);
      case 'extend':
        return this.#extend(command);
    }
  }

  #refund({ requestId, amount }: RefundCommand): Outcome {
    const hold = this.holds.get(requestId);
    if (hold?.state !== 'settled') return { status: 'hold_unknown' };
    if (amount > hold.charge - hold.refunded) return tooLow(hold.charge - hold.refunded);
    hold.refunded += amount;
    this.balance[hold.currency] += amount;
    return done(amount, this.#left(hold.currency));
  }

  #hold(command: HoldCommand): Outcome {
    const { id, epoch } = command;
    if (!this.isKeyActive) return { status: 'key_inactive' };
    if (!this.isActive) return { status: 'account_inactive' };
    if (!this.live.has(epoch)) return { status: 'epoch_over' };
    const isCareful = this.careful > 0;
    if (isCareful && this.pending().some((each) => each.amount > 0n)) {
      return { status: 'one_at_a_time' };
    }
    const amount = isCareful ? command.worstCase : command.amount;
    const atLeast = isCareful ? command.worstCase : command.atLeast;
    const hold = holdOf(command);
    const most = this.#affordable(hold);
    const { room, refusal } = capsOf(this, hold, command.atMs, atLeast);
    if (isCareful && (most < atLeast || refusal !== null)) {
      return { status: 'worst_case_too_low', available: nano(most < room ? most : room) };
    }
    if (most < atLeast) return tooLow(most);
    if (refusal !== null) return refusal;
    const within = amount < most ? amount : most;
    this.#reserve(hold, within < room ? within : room);
    this.holds.set(id, hold);
    return done(hold.amount, this.#affordable(hold));
  }

  #extend({ holdId, amount, checkpoint, atMs }: ExtendCommand): Outcome {
    const hold = this.holds.get(holdId);
    if (hold === undefined) return { status: 'hold_unknown' };
    if (!this.#isStored && hold.state !== 'pending') return { status: 'hold_unknown' };
    if (!this.isKeyActive) return { status: 'key_inactive' };
    if (!this.isActive) return { status: 'account_inactive' };
    if (hold.state !== 'pending') return { status: 'hold_resolved' };
    const most = this.#affordable(hold);
    if (amount > most) return tooLow(most);
    const { refusal } = capsOf(this, hold, atMs, amount);
    if (refusal !== null) return refusal;
    this.#reserve(hold, amount);
    hold.checkpoint = checkpoint?.charge ?? hold.checkpoint;
    return done(hold.amount, this.#affordable(hold));
  }

  #void({ id, currency }: VoidCommand): Outcome {
    const known = this.holds.get(id);
    // A ledger in memory does not remember ended holds, so it finds no hold to release.
    if (!this.#isStored && known?.state !== 'pending') {
      const nothing = { amount: nano(0n), available: nano(0n), loss: nano(0n) };
      return { status: 'applied', result: nothing };
    }
    if (known === undefined) {
      if (this.#first.has(id)) return { status: 'id_reused' };
      const rates = { scaled: null, priced: null };
      const tomb = newHold({ key: 'key', currency, ...rates, epoch: '', expiresAtMs: 0 });
      tomb.state = 'void';
      const outcome = done(0n, this.#left(currency));
      tomb.givenBack = outcome.result;
      this.holds.set(id, tomb);
      this.#first.set(id, { body: 'a hold that is never made', result: outcome.result });
      return outcome;
    }
    if (known.currency !== currency) return { status: 'id_reused' };
    if (known.givenBack !== null) return { status: 'already_applied', result: known.givenBack };
    if (known.state !== 'pending') return { status: 'hold_resolved' };
    this.#free(known);
    known.state = 'void';
    const outcome = done(known.amount, this.#affordable(known));
    known.givenBack = outcome.result;
    return outcome;
  }

  #settle(command: SettleCommand): Outcome {
    const { id, charge, atMs, carefulAnswers } = command;
    const hold = this.holds.get(id) ?? this.#late(command);
    if (hold === null) return { status: 'hold_unknown' };
    // A ledger in memory accepts a settlement without a hold, with the held amount that the
    // settlement states.
    const isOpen = hold.isReaped || (!this.#isStored && hold.state === 'void');
    if (hold.state !== 'pending' && !isOpen) {
      const isSame = hold.settled !== null && hold.settled.asked === charge;
      if (!isSame || hold.settled === null) return { status: 'hold_resolved' };
      return { status: 'already_applied', result: hold.settled.result };
    }
    hold.isReaped = false;
    const result = this.#charge(hold, charge, atMs);
    const price = hold.charge + hold.loss;
    if (price > hold.amount) {
      if (carefulAnswers > 0) this.careful = carefulAnswers;
    } else if (price > 0n && this.careful > 0) {
      this.careful -= 1;
    }
    return { status: 'applied', result };
  }

  /**
   * Rebuilds a hold from its settlement, because a ledger in memory has lost the hold at the end of
   * a lease. Returns null if the settlement does not state the held amount.
   */
  #late({ id, held, exchangeId, receipt }: SettleCommand): ModelHold | null {
    if (held === null) return null;
    const { currency, fxRateId, keyId } = receipt;
    const rate = (of: string | null) => (of === USD_CNY.id ? USD_CNY.scaled : null);
    const rates = { scaled: rate(exchangeId), priced: rate(fxRateId) };
    const hold = newHold({ key: keyIn(keyId), currency, ...rates, epoch: '', expiresAtMs: 0 });
    Object.assign(hold, { amount: held, state: 'void', isReaped: true });
    this.holds.set(id, hold);
    return hold;
  }

  pending(): readonly ModelHold[] {
    return [...this.holds.values()].filter(({ state }) => state === 'pending');
  }

  /**
   * Sets the total charge of a request to `charge`. If that is more than before, deducts the
   * difference from the wallets. If it is less, returns the difference, except what was refunded.
   */
  #charge(hold: ModelHold, charge: bigint, atMs: number): Applied {
    const { currency, scaled } = hold;
    const other = otherThan(currency);
    if (hold.state === 'pending') this.#free(hold);
    const isFirst = hold.state !== 'settled';
    const before = counts(hold.charge, hold.priced);
    const wanted = charge > hold.refunded ? charge : hold.refunded;
    if (wanted < hold.charge) {
      this.balance[currency] += hold.charge - wanted;
      hold.charge = wanted;
      hold.loss = 0n;
    } else {
      const due = charge > hold.charge ? charge - hold.charge : 0n;
      const missing = due > this.#left(currency) ? due - this.#left(currency) : 0n;
      const buyable = scaled === null ? 0n : (this.#left(other) * scaled) / SCALE;
      const bought = missing < buyable ? missing : buyable;
      const sold = scaled === null ? 0n : divideHalfEven(bought * SCALE, scaled);
      this.balance[other] -= sold;
      hold.bought += bought;
      hold.sold += sold;
      const taken = due - missing + bought;
      this.balance[currency] += bought - taken;
      hold.charge += taken;
      hold.loss = due - taken;
    }
    const metered = counts(hold.charge, hold.priced) - before;
    if (isFirst) hold.chargedMs = atMs;
    for (const meter of [this.meters[hold.key], this.meters.account]) {
      spend(meter, metered, hold.chargedMs, isFirst);
    }
    hold.state = 'settled';
    const result = {
      amount: nano(hold.charge),
      available: nano(this.#affordable(hold)),
      loss: nano(hold.loss),
    };
    hold.settled = { asked: charge, result };
    return result;
  }

  #free(hold: ModelHold): void {
    this.held[hold.currency] -= hold.own;
    this.held[otherThan(hold.currency)] -= hold.reserve;
  }

  #reserve(hold: ModelHold, amount: bigint): void {
    const free = this.#left(hold.currency);
    const own = amount < free ? amount : free;
    let reserve = 0n;
    // Searches for the smallest amount of the other currency that buys the missing part.
    if (hold.scaled !== null) {
      reserve = ((amount - own) * SCALE) / hold.scaled;
      while (reserve * hold.scaled < (amount - own) * SCALE) reserve += 1n;
    }
    hold.own += own;
    hold.reserve += reserve;
    hold.amount += amount;
    this.held[hold.currency] += own;
    this.held[otherThan(hold.currency)] += reserve;
  }

  #affordable({ currency, scaled }: ModelHold): bigint {
    const other = this.#left(otherThan(currency));
    return this.#left(currency) + (scaled === null ? 0n : (other * scaled) / SCALE);
  }

  #left(currency: Currency): bigint {
    return this.balance[currency] - this.held[currency] + this.credit[currency];
  }
}

const otherThan = (currency: Currency): Currency => (currency === 'USD' ? 'CNY' : 'USD');

type Terms = Pick<ModelHold, 'key' | 'currency' | 'scaled' | 'priced' | 'epoch' | 'expiresAtMs'>;

function newHold(terms: Terms): ModelHold {
  const nothing = { own: 0n, reserve: 0n, amount: 0n, charge: 0n, loss: 0n, refunded: 0n };
  const exchanged = { bought: 0n, sold: 0n };
  const open = { state: 'pending', isReaped: false, checkpoint: null, chargedMs: 0 } as const;
  return { ...terms, ...nothing, ...exchanged, ...open, settled: null, givenBack: null };
}

function holdOf(command: HoldCommand): ModelHold {
  const { keyId, currency, exchange, priceRate, epoch, expiresAtMs } = command;
  const rates = { scaled: exchange?.scaled ?? null, priced: priceRate?.scaled ?? null };
  return newHold({ key: keyIn(keyId), currency, ...rates, epoch, expiresAtMs });
}

const NOT_OF_THE_BODY = ['atMs', 'expiresAtMs', 'checkpoint', 'worstCase'];

/** Returns, as JSON, the fields of a command that a repeat with the same id must not change. */
function body(command: Command): string {
  return JSON.stringify(command, (key, value: unknown) => {
    if (NOT_OF_THE_BODY.includes(key)) return null;
    return typeof value === 'bigint' ? value.toString() : value;
  });
}

function done(amount: bigint, available: bigint): { status: 'applied'; result: Applied } {
  const result = { amount: nano(amount), available: nano(available), loss: nano(0n) };
  return { status: 'applied', result };
}

function tooLow(available: bigint): Outcome {
  return { status: 'balance_too_low', available: nano(available) };
}
