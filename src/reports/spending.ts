/**
 * Reads the spending of keys and accounts (this day, week and month, and in total) from roll-ups.
 * The roll-ups of an account are read with short statements, because it may have many keys.
 */
import type { Clock } from '../clock.ts';
import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { daysAt, firstOfMonth } from '../money/calendar.ts';
import { currencyOf, integer, numberOrNull } from '../store/row.ts';
import { type SqlExecutor, type SqlRow, statement } from '../store/sql.ts';
import { UsageReport } from './usage-report.ts';

/** Charges in one currency. Days, weeks (from Monday) and months are UTC and include today. */
export type Spent = {
  readonly currency: Currency;
  readonly total: NanoAmount;
  readonly today: NanoAmount;
  readonly thisWeek: NanoAmount;
  readonly thisMonth: NanoAmount;
};

/** A charge in one currency, in total or on a day. */
type Sum = { readonly currency: Currency; readonly charge: bigint };
type DaySum = Sum & { readonly day: bigint };

/** Maximum rows of the days since the start of the week or month: two currencies on each. */
const MAX_ROWS = 100;
const ANY = { keyId: null, model: null, channel: null, currency: null };

/** @throws GatewayError `store_unavailable`, from every method, when the store does not answer. */
export class Spending {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #sql: SqlExecutor;

  constructor(sql: SqlExecutor, clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
    this.#sql = sql;
  }

  /** Returns the spending of a key, with one entry per currency in which it was ever charged. */
  async ofKey(keyId: string): Promise<readonly Spent[]> {
    const [totals, days] = await Promise.all([
      this.#sql.query(statement`SELECT currency, CAST(SUM(charge) AS BIGINT) AS charge
        FROM usage_by_month WHERE key_id = ${keyId} GROUP BY currency ORDER BY currency`),
      this.#sql.query(statement`SELECT day, currency, CAST(SUM(charge) AS BIGINT) AS charge
        FROM usage_by_day WHERE key_id = ${keyId} AND day >= ${this.#start()}
        GROUP BY day, currency`),
    ]);
    const sumOf = (row: SqlRow): Sum => ({
      currency: currencyOf(row),
      charge: integer(row, 'charge'),
    });
    return this.#spent(
      totals.map(sumOf),
      days.map((row) => ({ ...sumOf(row), day: integer(row, 'day') })),
    );
  }

  /** Returns the spending of all keys that the account ever had, with one entry per currency. */
  async ofAccount(accountId: string): Promise<readonly Spent[]> {
    const [first] = await this.#sql.query(statement`SELECT MIN(month) AS month FROM usage_by_month
      WHERE account_id = ${accountId}`);
    const fromDay = first === undefined ? null : numberOrNull(first, 'month');
    if (fromDay === null) return [];
    // The end of the next month. A node whose clock is ahead may have counted requests there.
    const toDay = firstOfMonth(this.#clock.nowMs(), 2) - 1;
    const usage = new UsageReport(this.#sql);
    const totals = await usage.page({ accountId, ...ANY, fromDay, toDay }, [], MAX_ROWS, null);
    const since = { accountId, ...ANY, fromDay: Number(this.#start()), toDay };
    const days = await usage.page(since, ['day'], MAX_ROWS, null);
    return this.#spent(
      totals.rows,
      days.rows.map(({ day, ...row }) => ({ ...row, day: BigInt(day ?? 0) })),
    );
  }

  /** Returns the first day of this week or of this month, whichever is earlier. */
  #start(): bigint {
    const { week, month } = daysAt(this.#clock.nowMs());
    return week < month ? week : month;
  }

  #spent(totals: readonly Sum[], days: readonly DaySum[]): readonly Spent[] {
    const { day: today, week, month } = daysAt(this.#clock.nowMs());
    return totals.map(({ currency, charge }) => {
      const since = (first: bigint): NanoAmount => {
        const from = days.filter((it) => it.currency === currency && it.day >= first);
        return nano(from.reduce((sum, it) => sum + it.charge, 0n));
      };
      return {
        currency,
        total: nano(charge),
        today: since(today),
        thisWeek: since(week),
        thisMonth: since(month),
      };
    });
  }
}
