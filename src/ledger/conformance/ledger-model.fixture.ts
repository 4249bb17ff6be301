/** A simple ledger in memory, with which the tests compare the engines. */
import { type Currency, divideHalfEven, nano } from '../../money/amount.ts';
import type {
  Applied,
  CapWindow,
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

export type ModelHold = {
  readonly currency: Currency;
  readonly scaled: bigint | null;
  readonly priced: bigint | null;
  readonly epoch: string;
  readonly expiresAtMs: number;
  own: bigint;
  reserve: bigint;
  amount: bigint;
  checkpoint: bigint | null;
  /** Whether the reaper has resolved the hold and no late settlement has corrected it yet. */
  isReaped: boolean;
  state: 'pending' | 'void' | 'settled';
  /** The charge and loss of all settlements together. `settled` is the last settlement. */
  charge: bigint;
  loss: bigint;
  refunded: bigint;
  /** What was bought of the other wallet to pay, and what that cost there. */
  bought: bigint;
  sold: bigint;
  /** The time of the first charge. */
  chargedMs: number;
  settled: { readonly asked: bigint; readonly result: Applied } | null;
  givenBack: Applied | null;
};

const SCALE = 100_000_000n;
const WINDOWS = ['day', 'week', 'month', 'total'] as const;

/** The caps and spending of a key or an account, and the latest time of any charge. */
type ModelMeter = {
  readonly caps: Record<CapWindow, bigint | null>;
  readonly spent: Record<CapWindow, bigint>;
  latestMs: number;
};

const newMeter = (): ModelMeter => ({
  caps: { day: null, week: null, month: null, total: null },
  spent: { day: 0n, week: 0n, month: 0n, total: 0n },
  latestMs: Number.NEGATIVE_INFINITY,
});

/** Returns the start of the window at a time, as text that sorts by time. */
function windowOf(window: CapWindow, atMs: number): string {
  if (window === 'total') return '';
  const at = new Date(atMs);
  if (window === 'week') at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  return at.toISOString().slice(0, window === 'month' ? 7 : 10);
}

/** One account with one key and two wallets. */
export class LedgerModel {
  readonly balance: Record<Currency, bigint> = { USD: 0n, CNY: 0n };
  readonly held: Record<Currency, bigint> = { USD: 0n, CNY: 0n };
  readonly credit: Record<Currency, bigint> = { USD: 0n, CNY: 0n };
  readonly meters = { key: newMeter(), account: newMeter() };
  isActive = true;
  isKeyActive = true;
  /** How many answers must stay within their holds before the account may have two holds again. */
  careful = 0;
  /** The epochs that have a lease. */
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
   * Resolves expired holds and those of epochs that have ended: charges those with a checkpoint,
   * releases others.
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

  /** Whether the receipt of a hold is priced in USD and charged in CNY. */
  isPriced(holdId: string): boolean {
    return (this.holds.get(holdId)?.priced ?? null) !== null;
  }

  /** Whether a hold of this id is running. */
  isRunning(holdId: string): boolean {
    return this.holds.get(holdId)?.state === 'pending';
  }

  /** Whether a hold of this id was ever made. */
  isKnown(holdId: string): boolean {
    return this.holds.has(holdId);
  }

  /** Whether a hold may draw on the other wallet. */
  isExchanging(holdId: string): boolean {
    return (this.holds.get(holdId)?.scaled ?? null) !== null;
  }

  /** What a request was charged by all its settlements together; null without any. */
  charged(id: string): Pick<ModelHold, 'charge' | 'loss' | 'isReaped'> | null {
    const hold = this.holds.get(id);
    return hold?.state === 'settled' ? hold : null;
  }

  /** Makes a hold that a node has made in memory one of the store. Its money is held already. */
  move(command: HoldCommand, amount: bigint): void {
    const hold = holdOf(command);
    hold.amount = amount;
    hold.own = amount;
    this.holds.set(command.id, hold);
    const { result } = done(amount, 0n);
    this.#first.set(command.id, { body: body({ ...command, amount: nano(amount) }), result });
  }

  /** Charges a hold that only a node has. It has paid with money that is held already. */
  take(command: HoldCommand, { charge, atMs }: SettleCommand): Outcome {
    this.move(command, charge);
    const hold = this.holds.get(command.id);
    if (hold === undefined) throw new Error('a hold that was just made');
    return { status: 'applied', result: this.#charge(hold, charge, atMs) };
  }

  /** What a wallet has free. */
  free(currency: Currency): bigint {
    return this.#left(currency);
  }

  /** Returns the amount of a hold; zero when the hold does not exist. */
  amountOf(holdId: string): bigint {
    return this.holds.get(holdId)?.amount ?? 0n;
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
    if (isCareful && this.#pending().some((each) => each.amount > 0n)) {
      return { status: 'one_at_a_time' };
    }
    const amount = isCareful ? command.worstCase : command.amount;
    const atLeast = isCareful ? command.worstCase : command.atLeast;
    const hold = holdOf(command);
    const most = this.#affordable(hold);
    const { room, refusal } = this.#caps(hold, command.atMs, atLeast);
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
    const { refusal } = this.#caps(hold, atMs, amount);
    if (refusal !== null) return refusal;
    this.#reserve(hold, amount);
    hold.checkpoint = checkpoint?.charge ?? hold.checkpoint;
    return done(hold.amount, this.#affordable(hold));
  }

  #void({ id, currency }: VoidCommand): Outcome {
    const known = this.holds.get(id);
    // Memory knows only running holds, so it has nothing to release and remembers nothing.
    if (!this.#isStored && known?.state !== 'pending') {
      const nothing = { amount: nano(0n), available: nano(0n), loss: nano(0n) };
      return { status: 'applied', result: nothing };
    }
    if (known === undefined) {
      if (this.#first.has(id)) return { status: 'id_reused' };
      const tomb = newHold({ currency, scaled: null, priced: null, epoch: '', expiresAtMs: 0 });
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
    // A settlement whose hold is no longer in memory stands by itself.
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

  /** Returns a hold that only a node knew, and that ended with its lease. */
  #late({ id, held, exchangeId, receipt }: SettleCommand): ModelHold | null {
    if (held === null) return null;
    const { currency, fxRateId } = receipt;
    const rate = (of: string | null) => (of === USD_CNY.id ? USD_CNY.scaled : null);
    const rates = { scaled: rate(exchangeId), priced: rate(fxRateId) };
    const hold = newHold({ currency, ...rates, epoch: '', expiresAtMs: 0 });
    Object.assign(hold, { amount: held, state: 'void', isReaped: true });
    this.holds.set(id, hold);
    return hold;
  }

  #pending(): readonly ModelHold[] {
    return [...this.holds.values()].filter(({ state }) => state === 'pending');
  }

  /**
   * Sets a request's charge to `charge`: takes the missing part, or returns the excess that was not
   * already refunded.
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
    this.#spend(metered, hold.chargedMs, isFirst);
    hold.state = 'settled';
    const result = {
      amount: nano(hold.charge),
      available: nano(this.#affordable(hold)),
      loss: nano(hold.loss),
    };
    hold.settled = { asked: charge, result };
    return result;
  }

  #spend(metered: bigint, atMs: number, isFirst: boolean): void {
    for (const meter of [this.meters.key, this.meters.account]) {
      for (const window of WINDOWS) {
        const [then, latest] = [windowOf(window, atMs), windowIn(window, meter.latestMs)];
        // A first charge in a later window starts that window at zero. In an earlier window, a
        // first charge counts in the current window, but a correction does not count.
        if (isFirst && then > latest) meter.spent[window] = 0n;
        if (isFirst || then >= latest) meter.spent[window] += metered;
      }
      if (isFirst && atMs > meter.latestMs) meter.latestMs = atMs;
    }
  }

  /**
   * Returns the amount that the caps still allow, in the hold's currency, and the first cap that
   * allows less than `atLeast`.
   */
  #caps(hold: ModelHold, atMs: number, atLeast: bigint) {
    const held = this.#pending().reduce(
      (sum, hold) => sum + countsHeld(hold.amount, hold.priced),
      0n,
    );
    let room = 1n << 100n;
    let first: { owner: 'key' | 'account'; window: CapWindow } | null = null;
    for (const owner of ['key', 'account'] as const) {
      const { caps, spent, latestMs } = this.meters[owner];
      for (const window of WINDOWS) {
        const cap = caps[window];
        if (cap === null) continue;
        const isOver = windowOf(window, atMs) > windowIn(window, latestMs);
        const left = cap - held - (isOver ? 0n : spent[window]);
        const usd = left < 0n ? 0n : left;
        const own = hold.priced === null ? usd : (usd * hold.priced) / SCALE;
        if (own < atLeast) first ??= { owner, window };
        if (own < room) room = own;
      }
    }
    const refusal: Outcome | null =
      first === null ? null : { status: 'cap_reached', ...first, available: nano(room) };
    return { room, refusal };
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

/** Returns the latest charge's window; '' before the first charge, which sorts before all. */
const windowIn = (window: CapWindow, latestMs: number): string =>
  latestMs === Number.NEGATIVE_INFINITY ? '' : windowOf(window, latestMs);

/** Returns what a charge counts against caps: its value in USD, rounded half to even. */
const counts = (charge: bigint, priced: bigint | null): bigint =>
  priced === null ? charge : divideHalfEven(charge * SCALE, priced);

/** Returns what a hold counts against caps: its value in USD, rounded up. */
function countsHeld(amount: bigint, priced: bigint | null): bigint {
  if (priced === null) return amount;
  const down = (amount * SCALE) / priced;
  return down * priced === amount * SCALE ? down : down + 1n;
}

type Terms = Pick<ModelHold, 'currency' | 'scaled' | 'priced' | 'epoch' | 'expiresAtMs'>;

function newHold(terms: Terms): ModelHold {
  const nothing = { own: 0n, reserve: 0n, amount: 0n, charge: 0n, loss: 0n, refunded: 0n };
  const exchanged = { bought: 0n, sold: 0n };
  const open = { state: 'pending', isReaped: false, checkpoint: null, chargedMs: 0 } as const;
  return { ...terms, ...nothing, ...exchanged, ...open, settled: null, givenBack: null };
}

function holdOf({ currency, exchange, priceRate, epoch, expiresAtMs }: HoldCommand): ModelHold {
  const rates = { scaled: exchange?.scaled ?? null, priced: priceRate?.scaled ?? null };
  return newHold({ currency, ...rates, epoch, expiresAtMs });
}

const NOT_OF_THE_BODY = ['atMs', 'expiresAtMs', 'checkpoint', 'worstCase'];

/** Returns the fields of a command that must be the same when its id is repeated. */
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
