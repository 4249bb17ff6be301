/** What keys and accounts have spent, by UTC calendar: read from the day totals that settling keeps. */
import type { Kysely } from 'kysely';
import type { Clock } from '../clock.ts';
import type { SqlExecutor } from '../ledger/database.ts';
import { type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { guardedExecutor } from './guarded-executor.ts';
import { queryBuilder } from './sql-dialect.ts';

const DAY_MS = 86_400_000;

/** Charges in one currency. Days, weeks (from Monday) and months are UTC and include today. */
export type Spent = {
  readonly currency: Currency;
  readonly total: NanoAmount;
  readonly today: NanoAmount;
  readonly thisWeek: NanoAmount;
  readonly thisMonth: NanoAmount;
};

/** `day` counts days since 1970, UTC; `charge` is nano-units of `currency`. */
type Tables = {
  usage_day: {
    account_id: string;
    key_id: string;
    currency: Currency;
    day: bigint;
    charge: bigint;
  };
};

/** Every method @throws GatewayError `store_unavailable` when the store gives no answer. */
export class Spending {
  readonly #clock: Pick<Clock, 'nowMs'>;
  readonly #db: Kysely<Tables>;

  constructor(sql: SqlExecutor, clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock;
    this.#db = queryBuilder<Tables>(guardedExecutor(sql));
  }

  /** One entry a currency in which the key was ever charged, by currency code. */
  async ofKey(keyId: string): Promise<readonly Spent[]> {
    const rows = await this.#sums().where('usage_day.key_id', '=', keyId).execute();
    return rows.map(spentOf);
  }

  /** As `ofKey`, over all keys the account ever had. */
  async ofAccount(accountId: string): Promise<readonly Spent[]> {
    const rows = await this.#sums().where('usage_day.account_id', '=', accountId).execute();
    return rows.map(spentOf);
  }

  #sums() {
    const from = calendarStarts(this.#clock.nowMs());
    return this.#db
      .selectFrom('usage_day')
      .groupBy('usage_day.currency')
      .orderBy('usage_day.currency')
      .select(({ fn }) => {
        const charged = fn.sum<bigint>('usage_day.charge');
        return [
          'usage_day.currency',
          charged.as('total'),
          charged.filterWhere('usage_day.day', '>=', from.today).as('today'),
          charged.filterWhere('usage_day.day', '>=', from.thisWeek).as('this_week'),
          charged.filterWhere('usage_day.day', '>=', from.thisMonth).as('this_month'),
        ];
      });
  }
}

/** A sum over no rows is null. */
type Sums = {
  readonly currency: Currency;
  readonly total: bigint | null;
  readonly today: bigint | null;
  readonly this_week: bigint | null;
  readonly this_month: bigint | null;
};

function spentOf(row: Sums): Spent {
  return {
    currency: row.currency,
    total: nano(row.total ?? 0n),
    today: nano(row.today ?? 0n),
    thisWeek: nano(row.this_week ?? 0n),
    thisMonth: nano(row.this_month ?? 0n),
  };
}

/** The first day of today, this week and this month, as days since 1970. */
export function calendarStarts(nowMs: number): {
  readonly today: bigint;
  readonly thisWeek: bigint;
  readonly thisMonth: bigint;
} {
  const day = Math.floor(nowMs / DAY_MS);
  const now = new Date(nowMs);
  // Day 0 was a Thursday, three days after a Monday.
  const monday = day - ((day + 3) % 7);
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / DAY_MS;
  return { today: BigInt(day), thisWeek: BigInt(monday), thisMonth: BigInt(first) };
}
