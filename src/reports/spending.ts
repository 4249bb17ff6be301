/** What keys and accounts have spent, by UTC calendar: read from the totals that settling keeps. */
import type { Kysely } from 'kysely';
import { queryBuilder } from '../accounts/sql-dialect.ts';
import type { Clock } from '../clock.ts';
import type { SqlExecutor } from '../ledger/database.ts';
import { guardedExecutor } from '../ledger/guarded-executor.ts';
import { type Currency, type NanoAmount, nano } from '../money/amount.ts';

const DAY_MS = 86_400_000;

/** Charges in one currency. Days, weeks (from Monday) and months are UTC and include today. */
export type Spent = {
  readonly currency: Currency;
  readonly total: NanoAmount;
  readonly today: NanoAmount;
  readonly thisWeek: NanoAmount;
  readonly thisMonth: NanoAmount;
};

/** `day` and `month` (its first day) count days since 1970, UTC; `charge` is nano-units of `currency`. */
type Charged = {
  readonly account_id: string;
  readonly key_id: string;
  readonly currency: Currency;
  readonly charge: bigint;
};
type Tables = {
  usage_day: Charged & { readonly day: bigint };
  usage_month: Charged & { readonly month: bigint };
};
type Owner = 'key_id' | 'account_id';

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
    return await this.#of('key_id', keyId);
  }

  /** As `ofKey`, over all keys the account ever had. */
  async ofAccount(accountId: string): Promise<readonly Spent[]> {
    return await this.#of('account_id', accountId);
  }

  /** All time is summed by months; days are read since the week or the month began, no further back. */
  async #of(owner: Owner, id: string): Promise<readonly Spent[]> {
    const from = calendarStarts(this.#clock.nowMs());
    const [totals, recent] = await Promise.all([
      this.#totals(owner, id),
      this.#days(owner, id, from),
    ]);
    return totals.map(({ currency, charged }) => {
      const days = recent.filter((it) => it.currency === currency);
      const since = (first: bigint): NanoAmount =>
        nano(days.reduce((sum, it) => (it.day >= first ? sum + BigInt(it.charged) : sum), 0n));
      return {
        currency,
        total: nano(BigInt(charged)),
        today: since(from.today),
        thisWeek: since(from.thisWeek),
        thisMonth: since(from.thisMonth),
      };
    });
  }

  #totals(owner: Owner, id: string) {
    return this.#db
      .selectFrom('usage_month')
      .where(owner, '=', id)
      .groupBy('currency')
      .orderBy('currency')
      .select(({ fn }) => ['currency', fn.sum<bigint>('charge').as('charged')])
      .execute();
  }

  #days(owner: Owner, id: string, { thisWeek, thisMonth }: CalendarStarts) {
    return this.#db
      .selectFrom('usage_day')
      .where(owner, '=', id)
      .where('day', '>=', thisWeek < thisMonth ? thisWeek : thisMonth)
      .groupBy(['day', 'currency'])
      .select(({ fn }) => ['day', 'currency', fn.sum<bigint>('charge').as('charged')])
      .execute();
  }
}

/** As days since 1970. */
export type CalendarStarts = {
  readonly today: bigint;
  readonly thisWeek: bigint;
  readonly thisMonth: bigint;
};

/** The first day of today, this week and this month. */
export function calendarStarts(nowMs: number): CalendarStarts {
  const day = Math.floor(nowMs / DAY_MS);
  const now = new Date(nowMs);
  // Day 0 was a Thursday, three days after a Monday.
  const monday = day - ((day + 3) % 7);
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1) / DAY_MS;
  return { today: BigInt(day), thisWeek: BigInt(monday), thisMonth: BigInt(first) };
}
