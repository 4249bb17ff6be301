/** Sums by month what was charged and lost for requests, and what was paid in. */
import { CURRENCIES, type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { DAY_MS, dayOf, firstOfMonth } from '../money/calendar.ts';
import { currencyOf, integer } from '../store/row.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';
import type { UsageReport } from './usage-report.ts';

/** A month is given by its first day, counted from 1970 (UTC). */
export type BooksMonth = {
  readonly month: number;
  readonly currency: Currency;
  /** The charges for requests, before refunds. */
  readonly charged: NanoAmount;
  /** What no wallet could pay for. */
  readonly loss: NanoAmount;
  /** Credits by administrators, redeem codes and card payments, less what was taken back. */
  readonly paid: NanoAmount;
};

/** The most transactions that one statement sums: 5 ms of the store's time. */
const STEP_PLACES = 5_000n;
const ANY = { keyId: null, model: null, channel: null, currency: null } as const;

export class BooksByMonth {
  readonly #sql: SqlExecutor;
  readonly #usage: Pick<UsageReport, 'page'>;
  readonly #stepPlaces: bigint;

  constructor(sql: SqlExecutor, usage: Pick<UsageReport, 'page'>, stepPlaces = STEP_PLACES) {
    this.#sql = sql;
    this.#usage = usage;
    this.#stepPlaces = stepPlaces;
  }

  /**
   * Returns the last `count` months up to that of `nowMs`, oldest first, each in every currency.
   * @throws GatewayError `store_unavailable`.
   */
  async last(count: number, nowMs: number): Promise<readonly BooksMonth[]> {
    const months = Array.from({ length: count }, (_, at) => firstOfMonth(nowMs, at + 1 - count));
    const paid = await this.#paidSince(months[0] ?? dayOf(nowMs));
    const all: BooksMonth[] = [];
    for (const month of months) {
      const toDay = firstOfMonth(month * DAY_MS, 1) - 1;
      const filter = { accountId: null, fromDay: month, toDay, ...ANY };
      const { total } = await this.#usage.page(filter, [], 1, null);
      for (const currency of CURRENCIES) {
        const use = total.find((it) => it.currency === currency);
        all.push({
          ...{ month, currency, charged: use?.charge ?? nano(0n), loss: use?.loss ?? nano(0n) },
          paid: nano(paid.get(`${month} ${currency}`) ?? 0n),
        });
      }
    }
    return all;
  }

  /** Sums the payments by month and currency. Their accounts' entries are negative. */
  async #paidSince(firstDay: number): Promise<ReadonlyMap<string, bigint>> {
    const [newest] = await this.#sql.query(NEWEST);
    const upTo = newest === undefined ? 0n : integer(newest, 'id');
    const paid = new Map<string, bigint>();
    for (let from = 0n; from < upTo; from += this.#stepPlaces) {
      for (const row of await this.#sql.query(paidIn(from, from + this.#stepPlaces, firstDay))) {
        const month = firstOfMonth(Number(integer(row, 'day')) * DAY_MS);
        const key = `${month} ${currencyOf(row)}`;
        paid.set(key, (paid.get(key) ?? 0n) - integer(row, 'amount'));
      }
    }
    return paid;
  }
}

const NEWEST = statement`SELECT COALESCE(MAX(id), 0) AS id FROM money_transaction`;

const paidIn = (from: bigint, to: bigint, firstDay: number): SqlStatement =>
  statement`SELECT t.at_ms / ${DAY_MS} AS day, e.currency AS currency,
      CAST(SUM(e.amount) AS BIGINT) AS amount
    FROM entry e JOIN money_transaction t ON t.id = e.transaction_id
    WHERE e.transaction_id > ${from} AND e.transaction_id <= ${to}
      AND e.account_id IN ('top_up', 'redeem_code', 'card_payment')
      AND t.at_ms >= ${firstDay * DAY_MS}
    GROUP BY 1, 2`;
