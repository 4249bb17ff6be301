/** Sums by month the earnings, costs and losses of requests, and the payments of customers. */
import { CURRENCIES, type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { DAY_MS, dayOf, firstOfMonth } from '../money/calendar.ts';
import { currencyOf, integer, text } from '../store/row.ts';
import { type SqlExecutor, type SqlStatement, statement } from '../store/sql.ts';
import { type CostedGroup, MonthCosts, type MonthCostsDeps } from './month-costs.ts';

/** The earnings and the cost of a period's requests, in one currency. */
export type Books = {
  readonly requests: bigint;
  /** The charges for requests, before refunds. */
  readonly charged: NanoAmount;
  /** The refunds made in this period, including those for earlier requests. */
  readonly refunded: NanoAmount;
  /** The parts of charges that no wallet could pay. */
  readonly loss: NanoAmount;
  /** The number of requests whose cost is unknown. `earned` and `cost` exclude them. */
  readonly uncosted: bigint;
  /** The charges, less refunds, of the models and channels whose cost is known. */
  readonly earned: NanoAmount;
  readonly cost: NanoAmount;
};

/**
 * The earnings and the cost of one month's requests, and the month's payments, in one currency.
 * `month` is the day number of the month's first day: the days since 1970-01-01 (UTC).
 */
export type BooksMonth = Books & {
  readonly month: number;
  readonly currency: Currency;
  /** The credits by administrators, redeem codes and card payments. Reversals are not deducted. */
  readonly paid: NanoAmount;
};

/** Maximum transactions that one statement sums, which takes the store 5 ms. */
const STEP_PLACES = 5_000n;

export class BooksByMonth {
  readonly #sql: SqlExecutor;
  readonly #costs: MonthCostsDeps;
  readonly #stepPlaces: bigint;

  constructor(sql: SqlExecutor, costs: MonthCostsDeps, stepPlaces = STEP_PLACES) {
    this.#sql = sql;
    this.#costs = costs;
    this.#stepPlaces = stepPlaces;
  }

  /**
   * Returns the sums of the last `count` months, oldest first, in each currency. The last month is
   * that of `nowMs`.
   * @throws GatewayError `store_unavailable`.
   */
  async last(count: number, nowMs: number): Promise<readonly BooksMonth[]> {
    const months = Array.from({ length: count }, (_, at) => firstOfMonth(nowMs, at + 1 - count));
    const first = months[0] ?? dayOf(nowMs);
    const paid = await this.#sums((from, to) => paidIn(from, to, first));
    const refunds = await this.#sums((from, to) => refundedIn(from, to, first));
    const costs = new MonthCosts(this.#costs);
    const byMonth = new Map<number, readonly CostedGroup[]>();
    // The newest months are computed first, because only a limited number of requests may be priced
    // one by one.
    for (const month of months.toReversed()) {
      byMonth.set(month, await costs.of(month, firstOfMonth(month * DAY_MS, 1) - 1));
    }
    return months.flatMap((month) =>
      CURRENCIES.map((currency) => {
        const of = (sum: Sum): boolean => sum.month === month && sum.currency === currency;
        const groups = (byMonth.get(month) ?? []).filter((group) => group.currency === currency);
        const [in_, back] = [paid.filter(of), refunds.filter(of)];
        return { month, currency, paid: total(in_), ...booksOf(groups, back, this.#costs.costOf) };
      }),
    );
  }

  /**
   * Runs a statement over all transactions, one range of ids at a time, and collects the sums that
   * it returns.
   */
  async #sums(step: (from: bigint, to: bigint) => SqlStatement): Promise<readonly Sum[]> {
    const [newest] = await this.#sql.query(NEWEST);
    const upTo = newest === undefined ? 0n : integer(newest, 'id');
    const sums: Sum[] = [];
    for (let from = 0n; from < upTo; from += this.#stepPlaces) {
      for (const row of await this.#sql.query(step(from, from + this.#stepPlaces))) {
        sums.push({
          month: firstOfMonth(Number(integer(row, 'day')) * DAY_MS),
          ...{ currency: currencyOf(row), model: text(row, 'model') },
          ...{ channel: text(row, 'channel'), amount: integer(row, 'amount') },
        });
      }
    }
    return sums;
  }
}

/**
 * The refunds for requests of a model on a channel. The type is also used for payments into
 * wallets, for which `model` and `channel` are empty.
 */
export type Part = {
  readonly currency: Currency;
  readonly model: string;
  readonly channel: string;
  readonly amount: bigint;
};
type Sum = Part & { readonly month: number };
type Costed = Pick<CostedGroup, 'model' | 'channel' | 'requests' | 'charge' | 'loss' | 'cost'>;

const total = (sums: readonly Part[]): NanoAmount =>
  nano(sums.reduce((sum, { amount }) => sum + amount, 0n));

/**
 * Returns the earnings and the cost of a period in one currency. `earned` counts only groups whose
 * cost is known, and refunds of models and channels whose cost is known.
 */
export function booksOf(
  groups: readonly Costed[],
  refunds: readonly Part[],
  costOf: MonthCostsDeps['costOf'],
): Books {
  const known = groups.filter(({ cost }) => cost !== null);
  const isKnown = ({ model, channel }: Part): boolean => {
    const own = groups.find((group) => group.model === model && group.channel === channel);
    // A refund may be for an earlier request of a model without requests in this period.
    return own === undefined ? costOf(model, channel) !== null : own.cost !== null;
  };
  const sum = (of: readonly Costed[], value: (group: Costed) => bigint): bigint =>
    of.reduce((all, group) => all + value(group), 0n);
  const requests = sum(groups, (group) => group.requests);
  return {
    requests,
    charged: nano(sum(groups, ({ charge }) => charge)),
    refunded: total(refunds),
    loss: nano(sum(groups, ({ loss }) => loss)),
    uncosted: requests - sum(known, (group) => group.requests),
    earned: nano(sum(known, ({ charge }) => charge) - total(refunds.filter(isKnown))),
    cost: nano(sum(known, ({ cost }) => cost ?? 0n)),
  };
}

const NEWEST = statement`SELECT COALESCE(MAX(id), 0) AS id FROM money_transaction`;

/**
 * Sums payments. The internal accounts that money comes from have negative entries, so the sum is
 * negated.
 */
const paidIn = (from: bigint, to: bigint, firstDay: number): SqlStatement =>
  statement`SELECT t.at_ms / ${DAY_MS} AS day, e.currency AS currency, '' AS model, '' AS channel,
      CAST(-SUM(e.amount) AS BIGINT) AS amount
    FROM entry e JOIN money_transaction t ON t.id = e.transaction_id
    WHERE e.transaction_id > ${from} AND e.transaction_id <= ${to}
      AND e.account_id IN ('top_up', 'redeem_code', 'card_payment')
      AND t.at_ms >= ${firstDay * DAY_MS}
    GROUP BY 1, 2`;

const refundedIn = (from: bigint, to: bigint, firstDay: number): SqlStatement =>
  statement`SELECT t.at_ms / ${DAY_MS} AS day, r.currency AS currency, r.model AS model,
      r.channel AS channel, CAST(SUM(f.amount) AS BIGINT) AS amount
    FROM refund f JOIN money_transaction t ON t.id = f.transaction_id
    JOIN receipt r ON r.request_id = f.request_id
    WHERE f.transaction_id > ${from} AND f.transaction_id <= ${to}
      AND t.at_ms >= ${firstDay * DAY_MS}
    GROUP BY 1, 2, 3, 4`;
