/** Reads what keys and accounts spent today, this week, this month and in all, from roll-ups. */
import type { Clock } from '../clock.ts';
import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { daysAt } from '../money/calendar.ts';
import { currencyOf, integer } from '../store/row.ts';
import type { SqlExecutor } from '../store/sql.ts';

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

  /** Returns the spending of all keys that the account ever had, as `ofKey` does for one key. */
  async ofAccount(accountId: string): Promise<readonly Spent[]> {
    return await this.#of('account_id', accountId);
  }

  /** Reads totals from monthly roll-ups, and days only since the start of the week or month. */
  async #of(owner: Owner, id: string): Promise<readonly Spent[]> {
    const { day: today, week, month } = daysAt(this.#clock.nowMs());
    const [totals, days] = await Promise.all([
      this.#sql.query({
        sql: `SELECT currency, CAST(SUM(charge) AS BIGINT) AS charge FROM usage_month
          WHERE ${owner} = $1 GROUP BY currency ORDER BY currency`,
        params: [id],
      }),
      this.#sql.query({
        sql: `SELECT day, currency, CAST(SUM(charge) AS BIGINT) AS charge FROM usage_day
          WHERE ${owner} = $1 AND day >= $2 GROUP BY day, currency`,
        params: [id, week < month ? week : month],
      }),
    ]);
    return totals.map((row) => {
      const currency = currencyOf(row);
      const own = days.filter((it) => it['currency'] === currency);
      const since = (first: bigint): NanoAmount =>
        nano(
          own.reduce(
            (sum, it) => (integer(it, 'day') >= first ? sum + integer(it, 'charge') : sum),
            0n,
          ),
        );
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
