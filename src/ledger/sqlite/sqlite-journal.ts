/** Wallets, meters and entries of the ledger in one SQLite file: what every command reads and writes. */
import type { Currency } from '../../money/amount.ts';
import type { FxRate } from '../../money/price.ts';
import type { Means } from '../settlement-plan.ts';
import type { RateRow, Statements, WalletRow } from './sqlite-statements.ts';

/** The side of a pair of entries that is named first; `balance` is the wallet's once it is in. */
export type Side = {
  readonly account: string;
  readonly amount: bigint;
  readonly balance: bigint | null;
};

/** A movement of money, as it is told of. */
export type Movement = {
  readonly kind: 'settle' | 'late' | 'credit' | 'adjust' | 'exchange' | 'refund' | 'credit_limit';
  readonly commandId: string;
  readonly reason: string | null;
  readonly available: bigint;
  readonly atMs: number;
  /** See `commandBody`; null of a settlement. */
  readonly body: string | null;
};

export type WalletPair = {
  readonly wallet: WalletRow;
  readonly other: { readonly currency: Currency; readonly balance: bigint } | null;
  readonly means: Means;
};

/** Whose caps count a request. */
export type Spender = { readonly keyId: string; readonly accountId: string };

/** Rates known by heart: more than an operator pins in years, and each is small. */
const MAX_RATES = 1_000;

export class SqliteJournal {
  readonly #sql: Statements;
  /** A published rate never changes. */
  readonly #rates = new Map<string, RateRow>();

  constructor(sql: Statements) {
    this.#sql = sql;
  }

  /** @throws Error when no rate was published under that id. */
  rate(id: string): RateRow {
    const known = this.#rates.get(id);
    if (known !== undefined) return known;
    const rate = this.#sql.rate.get(id);
    if (rate === null) throw new Error(`exchange rate ${id} was never published`);
    if (this.#rates.size >= MAX_RATES) this.#rates.clear();
    this.#rates.set(id, rate);
    return rate;
  }

  /** @throws Error when a command's rate is not the one that was published under its id. */
  mustBePublished(rate: FxRate): void {
    const { base, quote, scaled } = this.rate(rate.id);
    if (scaled === rate.scaled && base === rate.base && quote === rate.quote) return;
    throw new Error(`exchange rate ${rate.id} was published with another number`);
  }

  /** @throws Error when there is none: an account is born with both. */
  wallet(accountId: string, currency: Currency): WalletRow {
    const wallet = this.#sql.wallet.get(accountId, currency);
    if (wallet === null) throw new Error(`account ${accountId} has no ${currency} wallet`);
    return wallet;
  }

  /** The wallet of `currency`, and the other one when the rate leads there. */
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

  /** Changes a wallet's balance and what is held of it. */
  move(accountId: string, currency: string, balance: bigint, held: bigint): void {
    if (balance !== 0n || held !== 0n) this.#sql.move.run(accountId, currency, balance, held);
  }

  /** Changes what pending holds may come to, of the caps of a key and its account. */
  meterHold({ keyId, accountId }: Spender, metered: bigint): void {
    for (const owner of [keyId, accountId]) this.#sql.meterHeld.run(owner, metered);
  }

  /** Opens a movement; returns its number, under which its entries are posted. */
  record({ kind, commandId, reason, available, atMs, body }: Movement): bigint {
    const insert = this.#sql.insertTransaction;
    return BigInt(insert.run(kind, commandId, reason, available, atMs, body).lastInsertRowid);
  }

  /** A pair of entries, one the other's opposite, as lines `line` and the next; none when nothing moves. */
  post(transaction: bigint, line: number, currency: string, side: Side, opposite: string): void {
    if (side.amount === 0n) return;
    const { account, amount, balance } = side;
    this.#sql.insertEntry.run(account, currency, transaction, line, amount, balance);
    this.#sql.insertEntry.run(opposite, currency, transaction, line + 1, -amount, null);
  }
}

/** What the wallet could part with: nothing when an operator has raised the floor above it. */
export function freeOf({ balance, held, floor }: WalletRow): bigint {
  const free = balance - held - floor;
  return free < 0n ? 0n : free;
}
