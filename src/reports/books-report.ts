/**
 * Reports the balances of the ledger's internal accounts: where all money came from and where it
 * went.
 */

import { CURRENCIES, type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { currencyOf, integer, text } from '../store/row.ts';
import { type SqlExecutor, type SqlRow, type SqlStatement, statement } from '../store/sql.ts';

/** The ledger's internal accounts: sources of money, then its uses, then currency exchange. */
export const BOOK_ACCOUNTS = [
  'top_up',
  'redeem_code',
  'card_payment',
  'demo',
  'goodwill',
  'bonus',
  'adjustment',
  'revenue',
  'operator_loss',
  'fx:USD',
  'fx:CNY',
] as const;
export type BookAccount = (typeof BOOK_ACCOUNTS)[number];

/**
 * The balance of an internal account. A source of money has a negative balance, so that internal
 * accounts and wallets together sum to zero in each currency.
 */
export type BookBalance = {
  readonly account: BookAccount;
  readonly currency: Currency;
  readonly balance: NanoAmount;
};

/** Maximum transactions and receipts that one statement sums, which takes the store 5 ms. */
const STEP_PLACES = 5_000n;

/**
 * Sums entries and receipts with short statements, because reports and settlements share the
 * embedded store's thread.
 */
export class BooksReport {
  readonly #sql: SqlExecutor;
  readonly #stepPlaces: bigint;

  constructor(sql: SqlExecutor, stepPlaces = STEP_PLACES) {
    this.#sql = sql;
    this.#stepPlaces = stepPlaces;
  }

  /** Returns a consistent snapshot. @throws GatewayError `store_unavailable`. */
  async balances(): Promise<readonly BookBalance[]> {
    const [newest] = await this.#sql.query(NEWEST_PLACE);
    const upTo = newest === undefined ? 0n : integer(newest, 'seq');
    const sums = new Sums();
    for (let from = 0n; from < upTo; from += this.#stepPlaces) {
      const end = from + this.#stepPlaces;
      const to = end < upTo ? end : upTo;
      for (const row of await this.#sql.query(entriesIn(from, to))) {
        sums.add(text(row, 'account_id'), currencyOf(row), integer(row, 'amount'));
      }
      for (const row of await this.#sql.query(requestsIn(from, to))) sums.addRequests(row);
    }
    for (const row of await this.#sql.query(ARCHIVED)) sums.addRequests(row);
    return BOOK_ACCOUNTS.flatMap((account) =>
      CURRENCIES.map((currency) => ({ account, currency, balance: sums.of(account, currency) })),
    );
  }
}

/** The balances of the internal accounts, over the rows summed so far. */
class Sums {
  readonly #sums = new Map<string, bigint>();

  add(account: string, currency: Currency, amount: bigint): void {
    const key = `${account} ${currency}`;
    this.#sums.set(key, (this.#sums.get(key) ?? 0n) + amount);
  }

  /**
   * Adds the sums of requests. The price goes to the revenue, the unpaid part of the price goes to
   * the operator's loss, and the money that was exchanged to pay the price goes to the exchange
   * accounts.
   */
  addRequests(row: SqlRow): void {
    const [currency, other] = [currencyOf(row), currencyOf(row, 'other_currency')];
    this.add('revenue', currency, integer(row, 'price'));
    this.add('operator_loss', currency, -integer(row, 'loss'));
    this.add(`fx:${currency}`, currency, -integer(row, 'bought'));
    this.add(`fx:${other}`, other, integer(row, 'sold'));
  }

  of(account: BookAccount, currency: Currency): NanoAmount {
    return nano(this.#sums.get(`${account} ${currency}`) ?? 0n);
  }
}

const NEWEST_PLACE = statement`SELECT COALESCE(MAX(seq), 0) AS seq FROM (
    SELECT MAX(seq) AS seq FROM receipt UNION ALL SELECT MAX(seq) FROM late_receipt
    UNION ALL SELECT MAX(id) FROM money_transaction
  ) AS places`;

/**
 * Sums the entries of internal accounts, over the transactions after `from` up to and including
 * `to`. Entries of wallets are those with a `balance_after`.
 */
const entriesIn = (from: bigint, to: bigint): SqlStatement =>
  statement`SELECT account_id, currency, CAST(SUM(amount) AS BIGINT) AS amount FROM entry
    WHERE transaction_id > ${from} AND transaction_id <= ${to} AND balance_after IS NULL
    GROUP BY account_id, currency`;

/** Selects the sums of archived receipts by currency. */
const ARCHIVED = statement`SELECT currency, CASE currency WHEN 'USD' THEN 'CNY' ELSE 'USD' END
      AS other_currency, CAST(SUM(charge + loss) AS BIGINT) AS price,
    CAST(SUM(loss) AS BIGINT) AS loss, CAST(SUM(bought) AS BIGINT) AS bought,
    CAST(SUM(sold) AS BIGINT) AS sold
  FROM archived_sum GROUP BY currency`;

const requestsIn = (from: bigint, to: bigint): SqlStatement =>
  statement`SELECT currency, other_currency, CAST(SUM(charge + loss) AS BIGINT) AS price,
      CAST(SUM(loss) AS BIGINT) AS loss, CAST(SUM(bought) AS BIGINT) AS bought,
      CAST(SUM(sold) AS BIGINT) AS sold
    FROM charged WHERE seq > ${from} AND seq <= ${to} GROUP BY currency, other_currency`;
