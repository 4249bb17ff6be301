/** Reports the balances of the ledger's internal accounts: where all money came from and went. */

import { CURRENCIES, type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { integer } from '../store/row.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';
import { all, equal } from './report-walk.ts';

/** The ledger's internal accounts: sources of money, then its uses, then currency exchange. */
export const BOOK_ACCOUNTS = [
  'top_up',
  'redeem_code',
  'card_payment',
  'demo',
  'goodwill',
  'adjustment',
  'revenue',
  'operator_loss',
  'fx:USD',
  'fx:CNY',
] as const;
export type BookAccount = (typeof BOOK_ACCOUNTS)[number];

/** A source of money has a negative balance. With the wallets, each currency sums to zero. */
export type BookBalance = {
  readonly account: BookAccount;
  readonly currency: Currency;
  readonly balance: NanoAmount;
};

/** The most entries that one statement sums: about 5 ms of the embedded store's time. */
const STEP_ENTRIES = 5_000;

/** Sums each account's entries in short steps, for the reason in `report-walk.ts`. */
export class BooksReport {
  readonly #sql: SqlExecutor;
  readonly #stepEntries: number;

  constructor(sql: SqlExecutor, stepEntries = STEP_ENTRIES) {
    this.#sql = sql;
    this.#stepEntries = stepEntries;
  }

  /** Returns a consistent snapshot. @throws GatewayError `store_unavailable`. */
  async balances(): Promise<readonly BookBalance[]> {
    const [newest] = await this.#sql.query(
      statement`SELECT COALESCE(MAX(id), 0) AS id FROM money_transaction`,
    );
    const upTo = newest === undefined ? 0n : integer(newest, 'id');
    const balances: BookBalance[] = [];
    for (const account of BOOK_ACCOUNTS) {
      for (const currency of CURRENCIES) {
        const balance = nano(await this.#balance(account, currency, upTo));
        balances.push({ account, currency, balance });
      }
    }
    return balances;
  }

  async #balance(account: BookAccount, currency: Currency, upTo: bigint): Promise<bigint> {
    let balance = 0n;
    let from = 0n;
    while (from < upTo) {
      const own = equal({ account_id: account, currency });
      const rest = all([...own, statement`transaction_id > ${from}`]);
      const [last] = await this.#sql.query(statement`SELECT transaction_id FROM entry
        WHERE ${rest} AND transaction_id <= ${upTo}
        ORDER BY transaction_id LIMIT 1 OFFSET ${this.#stepEntries - 1}`);
      // A step ends at the end of a transaction, so that no transaction is split between two steps.
      const to = last === undefined ? upTo : integer(last, 'transaction_id');
      const [sum] = await this.#sql.query(sumOf(statement`${rest} AND transaction_id <= ${to}`));
      if (sum !== undefined) balance += integer(sum, 'balance');
      from = to;
    }
    return balance;
  }
}

/** Sums a step. Its subquery uses only the index, so that no planner scans all entries. */
const sumOf = (step: SqlStatement): SqlStatement =>
  statement`SELECT CAST(COALESCE(SUM(e.amount), 0) AS BIGINT) AS balance FROM (
      SELECT transaction_id, line FROM entry WHERE ${step}
    ) AS p CROSS JOIN entry e WHERE e.transaction_id = p.transaction_id AND e.line = p.line`;
