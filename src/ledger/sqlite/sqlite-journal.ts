/** Wallets, meters and entries in a SQLite file, as every command reads and writes them. */
import type { Currency } from '../../money/amount.ts';
import type { FxRate } from '../../money/price.ts';
import type { Means } from '../settlement-plan.ts';
import type { RateRow, Statements, WalletRow } from './sqlite-statements.ts';

/** The first of a pair of entries. `balance` is that of the wallet after it. */
export type Side = {
  readonly account: string;
  readonly amount: bigint;
  readonly balance: bigint | null;
};

/** A movement of money: the row of `money_transaction`. */
export type Movement = {
  readonly kind: 'settle' | 'late' | 'credit' | 'adjust' | 'exchange' | 'refund' | 'credit_limit';
  readonly commandId: string;
  readonly reason: string | null;
  readonly available: bigint;
  readonly atMs: number;
  /** See `commandBody`; null for a settlement. */
  readonly body: string | null;
};

export type WalletPair = {
  readonly wallet: WalletRow;
  readonly other: { readonly currency: Currency; readonly balance: bigint } | null;
  readonly means: Means;
};

/** The key and the account whose caps a request counts against. */
export type Spender = { readonly keyId: string; readonly accountId: string };

/** Cached rates: more than an operator pins in years, and each is small. */
const MAX_RATES = 1_000;

export class SqliteJournal {
  readonly #sql: Statements;
  /** A published rate never changes. */
  readonly #rates = new Map<string, RateRow>();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** @throws Error when no rate is published under that id. */
  rate(id: string): RateRow {
    const known = this.#rates.get(id);
    if (known !== undefined) return known;
    const rate = this.#sql.rate.get(id);
    if (rate === null) throw new Error(`exchange rate ${id} was never published`);
    if (this.#rates.size >= MAX_RATES) this.#rates.clear();
    this.#rates.set(id, rate);
    return rate;
  }

  /** @throws Error when a command's rate differs from the one published under its id. */
  mustBePublished(rate: FxRate): void {
    const { base, quote, scaled } = this.rate(rate.id);
    if (scaled === rate.scaled && base === rate.base && quote === rate.quote) return;
    throw new Error(`exchange rate ${rate.id} was published with another number`);
  }

  /** @throws Error when it is missing: every account has both wallets. */
  wallet(accountId: string, currency: Currency): WalletRow {
    const wallet = this.#sql.wallet.get(accountId, currency);
    if (wallet === null) throw new Error(`account ${accountId} has no ${currency} wallet`);
    return wallet;
  }

  /** The wallet of `currency`, and the other wallet when there is a rate. */
  walletPair(accountId: string, currency: Currency, rateId: string | null): WalletPair {
    const wallet = this.wallet(accountId, currency);
    const own = freeOf(wallet);
    if (rateId === null) return { wallet, other: null, means: { own, other: 0n, rate: null } };
    const rate = this.rate(rateId);
    const other = this.wallet(accountId, rate.base);
    return {
      wallet,
      other: { currency: rate.base, balance: other.balance },
      means: { own, other: freeOf(other), rate },
    };
  }

  /** Changes the balance and the held amount of a wallet. */
  move(accountId: string, currency: string, balance: bigint, held: bigint): void {
    if (balance !== 0n || held !== 0n) this.#sql.move.run(accountId, currency, balance, held);
  }

  /** Changes what pending holds count against the caps of a key and its account. */
  meterHold({ keyId, accountId }: Spender, metered: bigint): void {
    for (const owner of [keyId, accountId]) this.#sql.meterHeld.run(owner, metered);
  }

  /** Writes a movement. @returns its number, under which its entries are posted. */
  record({ kind, commandId, reason, available, atMs, body }: Movement): bigint {
    const insert = this.#sql.insertTransaction;
    return BigInt(insert.run(kind, commandId, reason, available, atMs, body).lastInsertRowid);
  }

  /** Posts two opposite entries as lines `line` and `line + 1`; none when the amount is zero. */
  post(transaction: bigint, line: number, currency: string, side: Side, opposite: string): void {
    if (side.amount === 0n) return;
    const { account, amount, balance } = side;
    this.#sql.insertEntry.run(account, currency, transaction, line, amount, balance);
    this.#sql.insertEntry.run(opposite, currency, transaction, line + 1, -amount, null);
  }
}

/** What the wallet can spend: nothing when an operator has raised the floor above its balance. */
export function freeOf({ balance, held, floor }: WalletRow): bigint {
  const free = balance - held - floor;
  return free < 0n ? 0n : free;
}
