/** Reads an account's recent usage from the daily roll-ups, for the overview and the runway. */

import { CURRENCIES, type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { dayOf } from '../money/calendar.ts';
import { type SqlExecutor, statement } from '../store/sql.ts';
import { type UsageGroup, UsageReport } from './usage-report.ts';

const MONTH_DAYS = 30;
/** The number of days to read, including today: the last 30 days and the 30 days before them. */
const READ_DAYS = 2 * MONTH_DAYS;
/** The number of currencies, each of which has a row per day. */
const ROWS_A_DAY = CURRENCIES.length;
/**
 * The maximum number of days over which `pace` is measured. Seven days always include one weekend.
 */
const PACE_DAYS = 7;

/**
 * Charges in one currency. Days are UTC days and include today. Each period is compared with the
 * period of the same length before it.
 */
export type RecentSpend = {
  readonly currency: Currency;
  readonly today: NanoAmount;
  readonly last7Days: NanoAmount;
  readonly last30Days: NanoAmount;
  readonly yesterday: NanoAmount;
  readonly previous7Days: NanoAmount;
  readonly previous30Days: NanoAmount;
};

export type RecentUse = {
  /** One entry per currency with usage in the last 60 days. */
  readonly spend: readonly RecentSpend[];
  /**
   * The recent spending, over at most the last seven days. `days` is the number of days from the
   * first day with usage to today; 0 without usage. `spent` is the spending on these days.
   */
  readonly pace: {
    readonly days: number;
    readonly spent: ReadonlyMap<Currency, NanoAmount>;
  };
  readonly last7Days: { readonly requests: number; readonly failed: number };
};

/** @throws GatewayError `store_unavailable` when the store does not answer. */
export async function recentUse(
  sql: SqlExecutor,
  accountId: string,
  nowMs: number,
): Promise<RecentUse> {
  const today = dayOf(nowMs);
  const span = { fromDay: today - READ_DAYS + 1, toDay: today };
  const filter = { accountId, ...span, keyId: null, model: null, channel: null, currency: null };
  const usage = new UsageReport(sql);
  const { rows } = await usage.page(filter, ['day'], READ_DAYS * ROWS_A_DAY, null);
  const days = rows.map((row) => dayUseOf(row, today));
  const week = days.filter(({ daysAgo }) => daysAgo < PACE_DAYS);
  const currencies = [...new Set(days.map(({ currency }) => currency))].toSorted();
  return {
    spend: currencies.map((currency) => spendOf(days, currency)),
    pace: {
      days: week.reduce((most, { daysAgo }) => Math.max(most, daysAgo + 1), 0),
      spent: new Map(currencies.map((it) => [it, sum(inCurrency(week, it))])),
    },
    last7Days: {
      requests: week.reduce((all, { requests }) => all + requests, 0),
      failed: week.reduce((all, { failed }) => all + failed, 0),
    },
  };
}

/** Whether a request of this account ever completed. @throws GatewayError `store_unavailable`. */
export async function hasSucceeded(sql: SqlExecutor, accountId: string): Promise<boolean> {
  const rows = await sql.query(statement`SELECT 1 AS one FROM usage_by_month
    WHERE account_id = ${accountId} AND requests > incomplete LIMIT 1`);
  return rows.length > 0;
}

const dayUseOf = ({ day, currency, requests, incomplete, charge }: UsageGroup, today: number) => ({
  daysAgo: today - Number(day),
  currency,
  requests: Number(requests),
  failed: Number(incomplete),
  charge,
});
type Day = ReturnType<typeof dayUseOf>;

function spendOf(days: readonly Day[], currency: Currency): RecentSpend {
  const own = inCurrency(days, currency);
  /** Sums the charges of the `length` days that end `before` days ago. */
  const spent = (length: number, before = 0): NanoAmount =>
    sum(own.filter(({ daysAgo }) => daysAgo >= before && daysAgo < before + length));
  return {
    currency,
    today: spent(1),
    last7Days: spent(PACE_DAYS),
    last30Days: spent(MONTH_DAYS),
    yesterday: spent(1, 1),
    previous7Days: spent(PACE_DAYS, PACE_DAYS),
    previous30Days: spent(MONTH_DAYS, MONTH_DAYS),
  };
}

const inCurrency = (days: readonly Day[], currency: Currency): readonly Day[] =>
  days.filter((day) => day.currency === currency);

const sum = (days: readonly Day[]): NanoAmount =>
  nano(days.reduce((total, { charge }) => total + charge, 0n));
