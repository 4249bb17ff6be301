/**
 * Tests that all reports on a random history agree with each other and with the verified ledger, to
 * the nano-unit. The reports are overview, usage, histogram, requests, movements, statements and
 * ledger accounts.
 */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { systemClock } from '../clock.ts';
import { AT_MS, adjust, refund } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { openPostgresForTest } from '../ledger/postgres/postgres.fixture.ts';
import { newFile, openFile, removeFiles } from '../ledger/sqlite/sqlite.fixture.ts';
import { CURRENCIES, type Currency, type NanoAmount, nano } from '../money/amount.ts';
import { DAY_MS } from '../money/calendar.ts';
import { BooksReport } from './books-report.ts';
import { StatementsByMonth } from './monthly-statements.ts';
import { recentUse } from './recent-use.ts';
import { applied, DAYS, OWNERS, tradeAtRandom } from './reports.fixture.ts';
import { RequestCosts } from './request-cost.ts';
import { RequestHistogram } from './request-histogram.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import { Spending } from './spending.ts';
import { Statements } from './statements.ts';
import { UsageReport } from './usage-report.ts';

const SEED = systemClock.nowMs() % 1_000_000;
const REQUESTS = 250;
/** A page size that is large enough for all rows. */
const ALL = 2_000;
const SLOW_MS = 180_000;
const FIRST_DAY = Math.floor(AT_MS / DAY_MS);
const NOW_MS = AT_MS + (DAYS - 1) * DAY_MS;
const WEEK_AGO_MS = (FIRST_DAY + DAYS - 7) * DAY_MS;
const SPAN = { fromMs: FIRST_DAY * DAY_MS, toMs: (FIRST_DAY + DAYS) * DAY_MS };
const ANY = { keyId: null, model: null, channel: null, currency: null };
const ANY_REQUEST = { ...ANY, upstream: null, outcomes: null, status: null, idPrefix: null };

afterAll(removeFiles);
describe('SQLite', () => figuresAgree(() => openFile(newFile())));
describe('PostgreSQL', () => figuresAgree(openPostgresForTest));

function figuresAgree(open: () => Promise<Database>): void {
  let database: Database;
  const requestsOf = async (accountId: string): Promise<readonly LoggedRequest[]> => {
    const filter = { accountId, ...SPAN, ...ANY_REQUEST, minCost: null };
    return (await new RequestLog(database.sql).page(filter, ALL, null)).rows;
  };
  beforeAll(async () => {
    console.info(`figures: seed ${SEED}`);
    database = await open();
    await tradeAtRandom(database, REQUESTS, SEED);
    for (const owner of OWNERS) {
      const expensive = (await requestsOf(owner)).filter(({ charge }) => charge > 9n);
      const refunds = expensive
        .slice(0, 9)
        .map(({ requestId, charge }, at) =>
          refund(`ref_${owner}_${at}`, requestId, at === 0 ? charge : charge / 3n),
        );
      await applied(database, [...refunds, adjust(`adj_${owner}`, -7n, { accountId: owner })]);
    }
  }, SLOW_MS);
  afterAll(async () => {
    await database.close();
  });

  test(
    'every report shows the same spending of an account',
    async () => {
      const { sql } = database;
      for (const accountId of OWNERS) {
        const requests = await requestsOf(accountId);
        const days = { fromDay: FIRST_DAY, toDay: FIRST_DAY + DAYS - 1 };
        const usage = await new UsageReport(sql).page(
          { accountId, ...days, ...ANY },
          [],
          ALL,
          null,
        );
        const use = await recentUse(sql, accountId, NOW_MS);
        const spending = await new Spending(sql, { nowMs: () => NOW_MS }).ofAccount(accountId);
        const movements = {
          accountId,
          currency: null,
          kind: 'settle',
          fromMs: 0,
          toMs: NEVER,
        } as const;
        const settled = await new Statements(sql).page(movements, ALL, null);
        const months = (await new StatementsByMonth(sql).of(accountId)).statements;
        for (const currency of CURRENCIES) {
          const of = inCurrency(currency);
          const charged = sum(requests.filter(of), ({ charge }) => charge);
          expect(charged).toBeGreaterThan(0n);
          const shown = {
            usage: usage.total.find(of)?.charge,
            overview: use.spend.find(of)?.last30Days,
            spending: spending.find(of)?.total,
            movements: nano(-sum(settled.rows.filter(of), ({ amount }) => amount)),
            statements: nano(-sum(months.filter(of), ({ moved }) => moved.settle)),
          };
          expect([currency, shown]).toEqual([
            currency,
            {
              usage: charged,
              overview: charged,
              spending: charged,
              movements: charged,
              statements: charged,
            },
          ]);
        }
      }
    },
    SLOW_MS,
  );

  test(
    'the overview counts the same week as the list and the histogram',
    async () => {
      const { sql } = database;
      for (const accountId of OWNERS) {
        const { last7Days, pace, spend } = await recentUse(sql, accountId, NOW_MS);
        const week = (await requestsOf(accountId)).filter((it) => it.settledAtMs >= WEEK_AGO_MS);
        const failed = week.filter(({ outcome }) => outcome !== 'completed');
        expect(last7Days).toEqual({ requests: week.length, failed: failed.length });
        const filter = { accountId, ...SPAN, fromMs: WEEK_AGO_MS, ...ANY_REQUEST, minCost: null };
        const { bars } = await new RequestHistogram(sql, new UsageReport(sql)).of(filter);
        expect(Number(sum(bars, (bar) => BigInt(bar.requests)))).toBe(week.length);
        expect(Number(sum(bars, (bar) => BigInt(bar.failed)))).toBe(failed.length);
        for (const currency of CURRENCIES) {
          const charged = sum(week.filter(inCurrency(currency)), ({ charge }) => charge);
          expect(pace.spent.get(currency)).toBe(charged);
          expect(spend.find(inCurrency(currency))?.last7Days).toBe(charged);
          const before = await recentUse(sql, accountId, WEEK_AGO_MS - 1);
          expect(spend.find(inCurrency(currency))?.previous7Days).toBe(
            before.spend.find(inCurrency(currency))?.last7Days ?? nano(0n),
          );
        }
      }
    },
    SLOW_MS,
  );

  test(
    'refunds, balances and revenue are consistent',
    async () => {
      const { sql, ledger } = database;
      const books = await new BooksReport(sql).balances();
      const everybodys = await Promise.all(OWNERS.map(requestsOf));
      for (const currency of CURRENCIES) {
        const requests = everybodys.flat().filter(inCurrency(currency));
        const kept = sum(requests, ({ charge, refunded }) => charge - refunded);
        const revenue = books.find((it) => it.account === 'revenue' && it.currency === currency);
        expect(revenue?.balance).toBe(kept);
      }
      for (const [at, accountId] of OWNERS.entries()) {
        const months = (await new StatementsByMonth(sql).of(accountId)).statements;
        for (const wallet of await ledger.wallets(accountId)) {
          const own = months.filter(inCurrency(wallet.currency));
          expect(own[0]?.closing).toBe(wallet.balance);
          const requests = everybodys[at]?.filter(inCurrency(wallet.currency)) ?? [];
          const refunded = sum(requests, (it) => it.refunded);
          expect(sum(own, ({ moved }) => moved.refund)).toBe(refunded);
        }
      }
      expect(await ledger.verify()).toEqual([]);
    },
    SLOW_MS,
  );

  test(
    'the lines of every request add up to its charge',
    async () => {
      const costs = new RequestCosts(database.sql);
      for (const request of (await Promise.all(OWNERS.map(requestsOf))).flat()) {
        const { price, costPico } = await costs.of(request);
        expect([request.requestId, price]).toEqual([
          request.requestId,
          nano(request.charge + request.loss),
        ]);
        expect(costPico).toBe(request.costPico);
      }
    },
    SLOW_MS,
  );
}

const NEVER = Number.MAX_SAFE_INTEGER;

const inCurrency =
  (currency: Currency) =>
  (it: { readonly currency: Currency }): boolean =>
    it.currency === currency;

const sum = <Item>(items: readonly Item[], of: (item: Item) => bigint): NanoAmount =>
  nano(items.reduce((total, item) => total + of(item), 0n));
