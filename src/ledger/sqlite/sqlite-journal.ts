/**
 * Reads and writes wallets, transactions, entries and overruns in SQLite. Settlements and wallet
 * commands share this code.
 */
import type { Currency } from '../../money/amount.ts';
import type { FxRate } from '../../money/price.ts';
import type { Reserved } from '../float/float-wire.ts';
import type { Means, SettlePlan } from '../settlement-plan.ts';
import type { WalletCommand } from '../wallet-command.ts';
import type { HeldTerms, RateRow, Statements, WalletRow } from './sqlite-statements.ts';

/** The first of two opposite ledger entries. `balance` is the balance of its wallet afterwards. */
export type Side = {
  readonly account: string;
  readonly amount: bigint;
  readonly balance: bigint;
};

/** A wallet command, which is one row of `money_transaction`. */
export type Movement = {
  readonly kind: WalletCommand['kind'];
  readonly commandId: string;
  readonly reason: string;
  readonly available: bigint;
  readonly atMs: number;
  /** The command as text, from `commandBody`. */
  readonly body: string;
};

export type WalletPair = {
  readonly wallet: WalletRow;
  /** Reads the account's wallet in the other currency. */
  readonly other: () => WalletRow;
  readonly means: Means;
};

/** Maximum cached exchange rates, more than an operator publishes in years. */
const MAX_RATES = 1_000;

export class SqliteJournal {
  readonly #sql: Statements;
  /**
   * Published exchange rates by id. A rate never changes, so a cached one never becomes outdated.
   */
  readonly #rates = new Map<string, RateRow>();
  /**
   * The last sequence number of a receipt or wallet command. A rolled-back transaction leaves a
   * gap.
   */
  #lastPlace: bigint;
  /** The money that the current command must not spend: holds and unconfirmed charges in memory. */
  #reserved: Reserved | null = null;

  constructor(sql: Statements) {
    this.#sql = sql;
    this.#lastPlace = sql.lastPlace.get()?.seq ?? 0n;
  }

  /** Returns the next sequence number. Receipts and transactions share the sequence. */
  nextPlace(): bigint {
    this.#lastPlace += 1n;
    return this.#lastPlace;
  }

  /** @throws Error when no exchange rate has this id. */
  rate(id: string): RateRow {
    const known = this.#rates.get(id);
    if (known !== undefined) return known;
    const rate = this.#sql.rate.get(id);
    if (rate === null) throw new Error(`exchange rate ${id} was never published`);
    if (this.#rates.size >= MAX_RATES) this.#rates.clear();
    this.#rates.set(id, rate);
    return rate;
  }

  /** @throws Error when the exchange rate is not published, or was published with another value. */
  mustBePublished(rate: FxRate): void {
    const { base, quote, scaled } = this.rate(rate.id);
    if (scaled === rate.scaled && base === rate.base && quote === rate.quote) return;
    throw new Error(`exchange rate ${rate.id} was published with another number`);
  }

  /**
   * Sets the money that the next command must not spend: holds and unconfirmed charges in memory.
   * Null if there is no such money.
   */
  reserve(reserved: Reserved | null): void {
    this.#reserved = reserved;
  }

  /** @throws Error when the wallet is missing. Every account must have one wallet per currency. */
  wallet(accountId: string, currency: Currency): WalletRow {
    const wallet = this.walletOrNull(accountId, currency);
    if (wallet === null) throw new Error(`account ${accountId} has no ${currency} wallet`);
    return wallet;
  }

  walletOrNull(accountId: string, currency: Currency): WalletRow | null {
    const wallet = this.#sql.wallet.get(accountId, currency);
    if (wallet === null) return null;
    const reserved = this.#reserved;
    return { ...wallet, held: reserved?.accountId === accountId ? reserved[currency] : 0n };
  }

  /**
   * Returns the wallet of `currency`, which pays, and the amounts that it may spend. If `rateId` is
   * the id of an exchange rate, the account's other wallet may pay too.
   */
  walletPair({ account_id, currency }: HeldTerms, rateId: string | null): WalletPair {
    const wallet = this.wallet(account_id, currency);
    const other = () => this.wallet(account_id, currency === 'USD' ? 'CNY' : 'USD');
    const own = freeOf(wallet);
    if (rateId === null) return { wallet, other, means: { own, other: 0n, rate: null } };
    const rate = this.rate(rateId);
    return { wallet, other, means: { own, other: freeOf(other()), rate } };
  }

  move(accountId: string, currency: Currency, amount: bigint): void {
    if (amount !== 0n) this.#sql.move.run(accountId, currency, amount);
  }

  /**
   * Deducts a charge: `taken` minus `bought` from the paying wallet, `sold` from the other wallet.
   */
  pay({ account_id, currency }: HeldTerms, { taken, bought, sold }: SettlePlan): void {
    this.move(account_id, currency, bought - taken);
    this.move(account_id, currency === 'USD' ? 'CNY' : 'USD', -sold);
  }

  /** Records an overrun: a request whose price (charge and loss together) is above its hold. */
  overrun(id: string, { account_id, held }: HeldTerms, price: bigint, atMs: bigint): void {
    this.#sql.insertOverrun.run(id, account_id, held, price, atMs);
  }

  /**
   * Makes an account careful (see `HoldCommand`) if the price is above the hold. Otherwise counts
   * down the answers until the account is no longer careful.
   */
  watch({ account_id, held }: HeldTerms, price: bigint, carefulAnswers: number): void {
    if (price > held) {
      if (carefulAnswers > 0) this.#sql.setCareful.run(account_id, carefulAnswers);
      return;
    }
    const careful = this.#sql.account.get(account_id)?.careful ?? 0n;
    if (careful > 0n && price > 0n) this.#sql.setCareful.run(account_id, careful - 1n);
  }

  /** Writes a transaction and returns its id, to which its entries refer. */
  record({ kind, commandId, reason, available, atMs, body }: Movement): bigint {
    const id = this.nextPlace();
    this.#sql.insertTransaction.run(id, kind, commandId, reason, available, atMs, body);
    return id;
  }

  /** Posts two opposite entries as lines `line` and `line + 1`, unless the amount is zero. */
  post(transaction: bigint, line: number, currency: string, side: Side, opposite: string): void {
    if (side.amount === 0n) return;
    const { account, amount, balance } = side;
    this.#sql.insertEntry.run(account, currency, transaction, line, amount, balance);
    this.#sql.insertEntry.run(opposite, currency, transaction, line + 1, -amount, null);
  }
}

/**
 * Returns the amount that a wallet can spend: its balance above the floor, minus holds; at least 0.
 */
export function freeOf({ balance, held, floor }: WalletRow): bigint {
  const free = balance - held - floor;
  return free < 0n ? 0n : free;
}
