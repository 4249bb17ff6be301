/**
 * Reads the spending of keys and accounts (this day, week and month, and in total) from roll-ups.
 */
import type { Clock } from '../clock.ts';
import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { daysAt } from '../money/calendar.ts';
import { currencyOf, integer } from '../store/row.ts';
import { raw, type SqlExecutor, statement } from '../store/sql.ts';

/** Charges in one currency. Days, weeks (from Monday) and months are UTC and include today. */
export type Spent = {
  readonly currency: Currency;
  readonly total: NanoAmount;
  readonly today: NanoAmount;
  readonly thisWeek: NanoAmount;
  readonly thisMonth: NanoAmount;
};

type Owner = 'key_id' | 'account_id';

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
    return await this.#of('key_id', keyId);
  }

  /** Returns the spending of all keys that the account ever had, with one entry per currency. */
  async ofAccount(accountId: string): Promise<readonly Spent[]> {
    return await this.#of('account_id', accountId);
  }

  /**
   * Reads the totals from monthly roll-ups. Daily roll-ups are read only since the start of the
   * week or of the month, whichever is earlier.
   */
  async #of(owner: Owner, id: string): Promise<readonly Spent[]> {
    const { day: today, week, month } = daysAt(this.#clock.nowMs());
    const own = statement`${raw(owner)} = ${id}`;
    const start = week < month ? week : month;
    const [totals, days] = await Promise.all([
      this.#sql.query(statement`SELECT currency, CAST(SUM(charge) AS BIGINT) AS charge
        FROM usage_by_month WHERE ${own} GROUP BY currency ORDER BY currency`),
      this.#sql.query(statement`SELECT day, currency, CAST(SUM(charge) AS BIGINT) AS charge
        FROM usage_by_day WHERE ${own} AND day >= ${start} GROUP BY day, currency`),
    ]);
    return totals.map((row) => {
      const currency = currencyOf(row);
      const since = (first: bigint): NanoAmount => {
        const from = days.filter(
          (it) => it['currency'] === currency && integer(it, 'day') >= first,
        );
        return nano(from.reduce((sum, it) => sum + integer(it, 'charge'), 0n));
      };
      return {
        currency,
        total: nano(integer(row, 'charge')),
        today: since(today),
        thisWeek: since(week),
        thisMonth: since(month),
      };
    });
  }
}
