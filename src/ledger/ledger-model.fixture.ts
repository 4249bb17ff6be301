/** The ledger as anyone would write it in memory: what the engines are held against. */
import { type Currency, divideHalfEven, nano } from '../money/amount.ts';
import type { Applied, Command, HoldCommand, Outcome, SettleCommand } from './ledger.ts';

type ModelHold = {
  readonly currency: Currency;
  readonly scaled: bigint | null;
  own: bigint;
  reserve: bigint;
  amount: bigint;
  settled: { readonly charge: bigint; readonly result: Applied } | null;
};

const SCALE = 100_000_000n;

/** One account with an active key and two wallets. */
export class LedgerModel {
  readonly balance: Record<Currency, bigint> = { USD: 0n, CNY: 0n };
  readonly held: Record<Currency, bigint> = { USD: 0n, CNY: 0n };
  readonly #holds = new Map<string, ModelHold>();
  readonly #first = new Map<string, { readonly body: string; readonly result: Applied }>();

  apply(command: Command): Outcome {
    if (command.kind === 'settle') return this.#settle(command);
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

  /** Of a hold; USD where there is none. */
  currencyOf(holdId: string): Currency {
    return this.#holds.get(holdId)?.currency ?? 'USD';
  }

  #new(command: Exclude<Command, SettleCommand>): Outcome {
    switch (command.kind) {
      case 'credit':
      case 'adjust': {
        const { currency, amount } = command;
        if (this.#free(currency) + amount < 0n) return tooLow(this.#free(currency));
        this.balance[currency] += amount;
        return done(amount, this.#free(currency));
      }
      case 'hold':
        return this.#hold(command);
      case 'extend': {
        const hold = this.#holds.get(command.holdId);
        if (hold === undefined) return { status: 'hold_unknown' };
        if (hold.settled !== null) return { status: 'hold_resolved' };
        const most = this.#affordable(hold);
        if (command.amount > most) return tooLow(most);
        this.#setAside(hold, command.amount);
        return done(hold.amount, this.#affordable(hold));
      }
      default:
        throw new Error(`the model does not know ${command.kind}`);
    }
  }

  #hold(command: HoldCommand): Outcome {
    const { id, currency, amount, atLeast, exchange } = command;
    const hold: ModelHold = {
      currency,
      scaled: exchange?.scaled ?? null,
      own: 0n,
      reserve: 0n,
      amount: 0n,
      settled: null,
    };
    const most = this.#affordable(hold);
    if (most < atLeast) return tooLow(most);
    this.#setAside(hold, amount < most ? amount : most);
    this.#holds.set(id, hold);
    return done(hold.amount, this.#affordable(hold));
  }

  #settle({ id, charge }: SettleCommand): Outcome {
    const hold = this.#holds.get(id);
    if (hold === undefined) return { status: 'hold_unknown' };
    if (hold.settled !== null) {
      return hold.settled.charge === charge
        ? { status: 'already_applied', result: hold.settled.result }
        : { status: 'hold_resolved' };
    }
    const { currency, scaled } = hold;
    const other = otherThan(currency);
    this.held[currency] -= hold.own;
    this.held[other] -= hold.reserve;
    const missing = charge > this.#free(currency) ? charge - this.#free(currency) : 0n;
    const buyable = scaled === null ? 0n : (this.#free(other) * scaled) / SCALE;
    const bought = missing < buyable ? missing : buyable;
    if (scaled !== null) this.balance[other] -= divideHalfEven(bought * SCALE, scaled);
    const taken = charge - missing + bought;
    this.balance[currency] += bought - taken;
    const result = {
      amount: nano(taken),
      available: nano(this.#affordable(hold)),
      loss: nano(charge - taken),
    };
    hold.settled = { charge, result };
    return { status: 'applied', result };
  }

  #setAside(hold: ModelHold, amount: bigint): void {
    const free = this.#free(hold.currency);
    const own = amount < free ? amount : free;
    let reserve = 0n;
    // The least of the other currency that buys what is missing, found by its meaning.
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
    const other = this.#free(otherThan(currency));
    return this.#free(currency) + (scaled === null ? 0n : (other * scaled) / SCALE);
  }

  #free(currency: Currency): bigint {
    return this.balance[currency] - this.held[currency];
  }
}

const otherThan = (currency: Currency): Currency => (currency === 'USD' ? 'CNY' : 'USD');

/** What a command asks for: everything but when. */
function body(command: Command): string {
  return JSON.stringify(command, (key, value: unknown) => {
    if (key === 'atMs' || key === 'expiresAtMs') return null;
    return typeof value === 'bigint' ? value.toString() : value;
  });
}

function done(amount: bigint, available: bigint): Outcome {
  const result = { amount: nano(amount), available: nano(available), loss: nano(0n) };
  return { status: 'applied', result };
}

function tooLow(available: bigint): Outcome {
  return { status: 'balance_too_low', available: nano(available) };
}
