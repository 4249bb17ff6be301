/** The tests of the operator's summary that every engine must pass, on random requests. */
import { expect, test } from 'bun:test';
import { AT_MS } from '../../ledger/conformance/ledger.fixture.ts';
import { CURRENCIES } from '../../money/amount.ts';
import { DAY_MS, dayOf } from '../../money/calendar.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import { BooksByMonth } from '../books-by-month.ts';
import { COSTS, costsOf, type World } from '../books-months-conformance.fixture.ts';
import { MAX_GROUPS, UsageReport } from '../usage-report.ts';
import { OperatorSummary } from './operator-summary.ts';

/** The first and the last day of a range that contains all requests. */
const FIRST = dayOf(AT_MS) - 1;
const LAST = dayOf(AT_MS) + 400;
/**
 * The number of refunds that one statement reads, so that every refund is read by a statement of
 * its own.
 */
const ONE = 1;

const summaryOf = (sql: SqlExecutor, refundRows?: number) =>
  new OperatorSummary(sql, costsOf(sql), refundRows);

export function operatorSummaryConformance(world: World): void {
  booksAgree(world);
  partsAddUp(world);
  ranked(world);
  counted(world);
}

function booksAgree({ sql, named }: World): void {
  test(named('the summary of all days has the sums of all months'), async () => {
    const { books } = await summaryOf(sql()).of(FIRST, LAST);
    const months = await new BooksByMonth(sql(), costsOf(sql())).last(24, LAST * DAY_MS);
    expect(books.map(({ currency }) => currency)).toEqual([...CURRENCIES]);
    for (const { currency, ...sums } of books) {
      const own = months.filter((month) => month.currency === currency);
      const sum = (of: keyof typeof sums) => own.reduce((all, month) => all + month[of], 0n);
      for (const name of ['requests', 'charged', 'refunded', 'loss', 'uncosted'] as const) {
        expect([currency, name, BigInt(sums[name])]).toEqual([currency, name, sum(name)]);
      }
      expect(BigInt(sums.earned)).toBe(sum('earned'));
      expect(sums.cost > 0n && sums.uncosted > 0n).toBe(true);
    }
    expect(books.some(({ refunded }) => refunded > 0n)).toBe(true);
  });
}

function partsAddUp({ sql, named }: World): void {
  test(named('refunds count in the days of their refund, however they are read'), async () => {
    const whole = await summaryOf(sql()).of(FIRST, LAST);
    expect((await summaryOf(sql(), ONE).of(FIRST, LAST)).books).toEqual(whole.books);
    const middle = dayOf(AT_MS) + 10;
    const parts = [
      await summaryOf(sql(), ONE).of(FIRST, middle),
      await summaryOf(sql(), ONE).of(middle + 1, LAST),
    ];
    for (const { currency, requests, refunded } of whole.books) {
      const own = parts.flatMap(({ books }) => books.filter((it) => it.currency === currency));
      expect(own.reduce((sum, it) => sum + it.requests, 0n)).toBe(requests);
      expect(own.reduce((sum, it) => sum + it.refunded, 0n)).toBe(BigInt(refunded) as never);
    }
    const day = whole.days.reduce((sum, { requests }) => sum + requests, 0n);
    expect(day).toBe(whole.books.reduce((sum, { requests }) => sum + requests, 0n));
  });
  test(named('days without requests have no books'), async () => {
    const { books, days, models, accounts } = await summaryOf(sql()).of(0, 1);
    expect([books, days, models, accounts]).toEqual([[], [], [], []]);
  });
}

function ranked({ sql, named }: World): void {
  test(named('ranks accounts and models by their charges in dollars'), async () => {
    const { accounts, models } = await summaryOf(sql()).of(FIRST, LAST);
    const filter = {
      ...{ accountId: null, keyId: null, model: null, channel: null, currency: null },
      ...{ fromDay: FIRST, toDay: LAST },
    };
    for (const [by, shown] of [
      ['account', accounts],
      ['model', models],
    ] as const) {
      const { rows } = await new UsageReport(sql()).page(filter, [by], MAX_GROUPS, null);
      const sums = new Map<string, bigint>();
      for (const row of rows) {
        sums.set(String(row[by]), (sums.get(String(row[by])) ?? 0n) + row.metered);
      }
      const wanted = [...sums].toSorted(([, a], [, b]) => (a > b ? -1 : 1));
      expect(shown?.map(({ id, metered }) => [id, metered])).toEqual(wanted as never);
    }
    expect(accounts?.map(({ name }) => name).toSorted()).toEqual(['alice', 'bob']);
    expect(models.some(({ id }) => COSTS[id] !== undefined)).toBe(true);
  });
}

function counted({ sql, count, named }: World): void {
  test(named('counts overruns, low wallets and who is new'), async () => {
    const before = await summaryOf(sql()).of(FIRST, LAST);
    expect(BigInt(before.overruns)).toBe(await count('SELECT COUNT(*) AS n FROM overrun'));
    expect(before.low).toEqual({ count: 0, first: [] });
    const low = "INSERT INTO low_balance (account_id, currency, is_low) VALUES ('bob', 'CNY', 1)";
    await sql().query({ sql: `${low} RETURNING account_id`, params: [] });
    const { low: wallets } = await summaryOf(sql()).of(FIRST, LAST);
    expect(wallets).toEqual({
      count: 1,
      first: [{ accountId: 'bob', name: 'bob', currency: 'CNY' }],
    });
    const drop = "DELETE FROM low_balance WHERE account_id = 'bob' RETURNING account_id";
    await sql().query({ sql: drop, params: [] });
    const made = await count('SELECT MIN(created_at_ms) AS n FROM account');
    const day = dayOf(Number(made));
    const on = async (first: number, last: number) =>
      (await summaryOf(sql()).of(first, last)).newAccounts;
    const all = Number(await count('SELECT COUNT(*) AS n FROM account'));
    expect([await on(day, LAST + 10_000), await on(day - 2, day - 1)]).toEqual([all, 0]);
  });
}
