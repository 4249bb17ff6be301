/** Tests of `BooksByMonth` on random requests, which every engine must pass. */
import { expect, test } from 'bun:test';
import { AT_MS, USD_CNY } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { CURRENCIES, nano } from '../money/amount.ts';
import { firstOfMonth } from '../money/calendar.ts';
import { flatTerms } from '../money/card-terms.ts';
import { NO_RATES, picoRate } from '../money/price.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { BooksByMonth } from './books-by-month.ts';
import { MonthCosts } from './month-costs.ts';
import { ImageSums } from './operator/image-sums.ts';
import { inCurrency, type OperatorPrices, picoOf } from './operator-cost.ts';
import { PRICE_KEY } from './reports.fixture.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import { UsageReport } from './usage-report.ts';

const RATES = { ...NO_RATES, input: picoRate(1_000_003n), output: picoRate(3_000_007n) };
/**
 * The configured costs. One model has a flat price, one has a price per image, and a third has no
 * cost.
 */
export const COSTS: Readonly<Record<string, OperatorPrices>> = {
  'gen-v4-pro': { unit: 'token', currency: 'USD', rates: RATES, terms: flatTerms(RATES) },
  'gen-opus-4-8': {
    unit: 'image',
    currency: 'USD',
    perImage: new Map([[PRICE_KEY, nano(7_000_001n)]]),
  },
};
const CONDITIONED: OperatorPrices = {
  ...{ unit: 'token', currency: 'USD', rates: RATES },
  terms: {
    ...flatTerms(RATES),
    rows: [
      { when: {}, rates: RATES, unlisted: [] },
      { when: { promptOver: 400_000 }, rates: RATES, unlisted: [] },
    ],
  },
};
const FX = new Map([['USD/CNY' as const, USD_CNY]]);
const NOW_MS = Date.UTC(2060, 0);
const MONTHS = 1_200;
const EVERYTHING = {
  ...{ accountId: null, keyId: null, model: null, channel: null, upstream: null, outcomes: null },
  ...{ currency: null, minCost: null, status: null, idPrefix: null, fromMs: 0, toMs: NOW_MS },
} as const;

export type World = {
  readonly database: () => Database;
  readonly sql: () => SqlExecutor;
  /** Returns the column `n` of a query that returns one row. */
  readonly count: (text: string) => Promise<bigint>;
  readonly named: (rule: string) => string;
};

export const costsOf = (sql: SqlExecutor) => ({
  usage: new UsageReport(sql),
  requests: new RequestLog(sql),
  images: new ImageSums(sql),
  costOf: (model: string) => COSTS[model] ?? null,
  fx: () => FX,
});

export function booksMonthsConformance(world: World): void {
  paymentsAddUp(world);
  costsAddUp(world);
  tooManyToPrice(world);
}

function paymentsAddUp({ sql, count, named }: World): void {
  test(named('sums charges, refunds and payments by month to those of the ledger'), async () => {
    const report = new BooksByMonth(sql(), costsOf(sql()), 7n);
    const months = await report.last(MONTHS, NOW_MS);
    for (const currency of CURRENCIES) {
      const own = months.filter((it) => it.currency === currency);
      const sum = (of: 'charged' | 'refunded' | 'paid') =>
        nano(own.reduce((all, month) => all + month[of], 0n));
      const where = `WHERE currency = '${currency}'`;
      const charged = await count(`SELECT COALESCE(SUM(charge), 0) AS n FROM charged ${where}`);
      expect(sum('charged')).toBe(nano(charged));
      const refunded = await count(`SELECT COALESCE(SUM(f.amount), 0) AS n FROM refund f
        JOIN receipt r ON r.request_id = f.request_id ${where}`);
      expect(sum('refunded')).toBe(nano(refunded));
      const paid = await count(`SELECT COALESCE(SUM(amount), 0) AS n FROM entry ${where}
        AND account_id IN ('top_up', 'redeem_code', 'card_payment')`);
      expect(sum('paid')).toBe(nano(-paid));
    }
    expect(months.some(({ paid }) => paid > 0n)).toBe(true);
    expect((await report.last(1, 0)).map(({ month, charged }) => [month, charged])).toEqual([
      [0, nano(0n)],
      [0, nano(0n)],
    ]);
  });
}

/**
 * Computes the sums that a `BooksMonth` must have, from its requests. The cost is rounded once for
 * each model and channel.
 */
function sumsOf(requests: readonly LoggedRequest[]) {
  const known = requests.filter(({ model }) => COSTS[model] !== undefined);
  const groups = Map.groupBy(known, ({ model, channel }) => `${model} ${channel}`);
  const costs = [...groups.values()].map((group) => {
    const [{ model, currency }] = group as [LoggedRequest];
    const cost = COSTS[model] as OperatorPrices;
    const pico = group.reduce((sum, request) => sum + (picoOf(cost, request) ?? 0n), 0n);
    return inCurrency({ pico, currency: cost.currency }, currency, FX) ?? 0n;
  });
  return {
    requests: BigInt(requests.length),
    uncosted: BigInt(requests.length - known.length),
    cost: nano(costs.reduce<bigint>((sum, cost) => sum + cost, 0n)),
    charges: known.reduce((sum, { charge }) => sum + charge, 0n),
  };
}

function costsAddUp({ sql, named }: World): void {
  test(named('counts the cost of every request once, and unknown costs apart'), async () => {
    const months = await new BooksByMonth(sql(), costsOf(sql())).last(MONTHS, NOW_MS);
    const { rows } = await new RequestLog(sql()).page(EVERYTHING, 100_000, null);
    const byMonth = Map.groupBy(
      rows,
      ({ settledAtMs, currency }) => `${firstOfMonth(settledAtMs)} ${currency}`,
    );
    let known = 0n;
    for (const { month, currency, ...shown } of months) {
      const { charges, ...sums } = sumsOf(byMonth.get(`${month} ${currency}`) ?? []);
      expect(shown).toMatchObject(sums);
      expect(shown.earned).toBeLessThanOrEqual(charges);
      known += shown.cost;
    }
    expect(known).toBeGreaterThan(0n);
    expect(months.some(({ uncosted, requests }) => uncosted > 0n && uncosted < requests)).toBe(
      true,
    );
    const lost = months.reduce((sum, { earned, refunded }) => sum + earned + refunded, 0n);
    const charged = rows.filter(({ model }) => COSTS[model] !== undefined);
    const elsewhere = rows.filter(({ model }) => COSTS[model] === undefined);
    // `refunded` includes refunds of requests without a known cost, but these do not lower
    // `earned`.
    expect(lost).toBe(
      charged.reduce((sum, { charge }) => sum + charge, 0n) +
        elsewhere.reduce((sum, { refunded }) => sum + refunded, 0n),
    );
  });
}

function tooManyToPrice({ sql, named }: World): void {
  test(named('counts a cost as unknown if too many requests would have to be priced'), async () => {
    const [first, last] = [firstOfMonth(AT_MS), firstOfMonth(AT_MS, 2) - 1];
    const costOf = (model: string) =>
      model === 'gen-v4-flash' ? CONDITIONED : (COSTS[model] ?? null);
    const groups = await new MonthCosts({ ...costsOf(sql()), costOf }, 1).of(first, last);
    const isKnown = (model: string) =>
      new Set(groups.filter((group) => group.model === model).map(({ cost }) => cost !== null));
    expect(isKnown('gen-v4-flash')).toEqual(new Set([false]));
    // These costs are known, because they can be computed from sums without reading each request.
    expect(isKnown('gen-v4-pro')).toEqual(new Set([true]));
    expect(isKnown('gen-opus-4-8')).toEqual(new Set([true]));
  });
}
