/** What the books' own accounts stand at: where all money came from, and where it went. */
import type { SqlExecutor, SqlStatement } from '../ledger/database.ts';
import { integer } from '../ledger/receipt-row.ts';
import { CURRENCIES, type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { guardedExecutor } from './guarded-executor.ts';
import { all, clause, equal, STEP_ROWS } from './report-walk.ts';

/** In the order a reader follows money: in, out, between. */
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

/**
 * The sum of an account's entries in one currency. Money that came in stands below zero at its source;
 * what was earned stands above zero at `revenue`. Over all accounts and wallets a currency sums to zero.
 */
export type BookBalance = {
  readonly account: BookAccount;
  readonly currency: Currency;
  readonly balance: NanoAmount;
};

type Sum = { balance: bigint; transaction: bigint; line: bigint };

/** Sums each account in steps that are short each, as `report-walk.ts` says why. */
export class BooksReport {
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor) {
    this.#sql = guardedExecutor(sql);
  }

  /**
   * As of one moment: entries that are booked meanwhile are left out.
   * @throws GatewayError `store_unavailable` when the store gives no answer.
   */
  async balances(): Promise<readonly BookBalance[]> {
    const [newest] = await this.#sql.query({
      sql: 'SELECT COALESCE(MAX(id), 0) AS id FROM money_transaction',
      params: [],
    });
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
    const sum: Sum = { balance: 0n, transaction: 0n, line: 0n };
    for (;;) {
      const rows = await this.#sql.query(entriesAfter(account, currency, sum, upTo));
      for (const row of rows) sum.balance += integer(row, 'amount');
      const last = rows.at(-1);
      if (last === undefined || rows.length < STEP_ROWS) return sum.balance;
      sum.transaction = integer(last, 'transaction_id');
      sum.line = integer(last, 'line');
    }
  }
}

function entriesAfter(
  account: BookAccount,
  currency: Currency,
  place: Sum,
  upTo: bigint,
): SqlStatement {
  const where = all([
    ...equal([
      ['account_id', account],
      ['currency', currency],
    ]),
    clause('(transaction_id, line) > (?, ?)', place.transaction, place.line),
    clause('transaction_id <= ?', upTo),
  ]);
  return {
    sql: `SELECT transaction_id, line, amount FROM entry WHERE ${where.sql}
      ORDER BY transaction_id, line LIMIT ${STEP_ROWS}`,
    params: where.params,
  };
}
