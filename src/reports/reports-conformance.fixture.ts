/** The tests of reports that every engine must pass. */

import { expect, test } from 'bun:test';
import {
  AT_MS,
  adjust,
  credit,
  exchange,
  refund,
  USD_CNY,
} from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { formatAmount, nano } from '../money/amount.ts';
import { DAY_MS } from '../money/calendar.ts';
import type { SqlExecutor } from '../store/sql.ts';
import { booksMonthsConformance, type World } from './books-months-conformance.fixture.ts';
import { BooksReport } from './books-report.ts';
import { operatorSummaryConformance } from './operator/operator-summary-conformance.fixture.ts';
import { pricePreviewConformance } from './operator/price-preview-conformance.fixture.ts';
import { applied, DAYS, OWNERS, tradeAtRandom } from './reports.fixture.ts';
import { RequestCosts } from './request-cost.ts';
import type { RequestFilter, RequestPlace } from './request-filter.ts';
import { type LoggedRequest, RequestLog } from './request-log.ts';
import {
  type Movement,
  type MovementFilter,
  type MovementPlace,
  Statements,
} from './statements.ts';
import { type UsageFilter, type UsageGroup, UsageReport } from './usage-report.ts';

const SEED = 20_261_121;
const REQUESTS = 1_000;
const SLOW_MS = 180_000;

const SPAN = { fromMs: AT_MS - DAY_MS, toMs: AT_MS + (DAYS + 1) * DAY_MS };
const OF_ALICE: RequestFilter = {
  accountId: 'alice',
  ...SPAN,
  keyId: null,
  model: null,
  channel: null,
  upstream: null,
  outcomes: null,
  currency: null,
  minCost: null,
  status: null,
  idPrefix: null,
};
const ALICES: MovementFilter = { accountId: 'alice', currency: null, kind: null, ...SPAN };
const USED: UsageFilter = {
  accountId: 'alice',
  fromDay: Math.floor(AT_MS / DAY_MS),
  toDay: Math.floor(AT_MS / DAY_MS) + DAYS,
  keyId: null,
  model: null,
  channel: null,
  currency: null,
};

/** @param database an empty database, which the caller opens before the tests run. */
export function reportsConformance(engine: string, database: () => Database): void {
  const sql = (): SqlExecutor => database().sql;
  const count = async (text: string): Promise<bigint> => {
    const [row] = await sql().query({ sql: text, params: [] });
    return BigInt(String(row?.['n'] ?? 0));
  };
  const world = { database, sql, count, named: (rule: string) => `${engine}: ${rule}` };
  recomputed(world);
  linesAddUp(world);
  scoped(world);
  filtered(world);
  usageAddsUp(world);
  statementFollows(world);
  pagesHold(world);
  booksBalance(world);
  booksMonthsConformance(world);
  operatorSummaryConformance(world);
  pricePreviewConformance(world);
}

function recomputed({ database, count, named }: World): void {
  test(
    named('computes the same charge in SQL for a thousand requests'),
    async () => {
      console.info(`reports: seed ${SEED}`);
      await tradeAtRandom(database(), REQUESTS, SEED);
      // A charge may differ from the exact cost by at most half a nano-unit. The query compares
      // twice the charge with twice the cost, so that it needs only integers.
      const wrong = await count(`SELECT COUNT(*) AS n FROM (
        SELECT r.request_id, CAST(r.charge AS NUMERIC) AS charge, ${EXACT} AS exact, ${UNIT} AS unit
        FROM receipt r JOIN card c ON c.id = r.card_id
          LEFT JOIN card_image i ON i.card_id = r.card_id AND i.price_key = r.image_price_key
          LEFT JOIN fx_rate f ON f.id = r.fx_rate_id) AS priced
        WHERE 2 * exact > (2 * charge + 1) * unit OR 2 * exact < (2 * charge - 1) * unit`);
      expect(wrong).toBe(0n);
      expect(await count('SELECT COUNT(*) AS n FROM receipt')).toBe(BigInt(REQUESTS));
      expect(await database().ledger.verify()).toEqual([]);
    },
    SLOW_MS,
  );
}

function linesAddUp({ sql, named }: World): void {
  test(
    named('adds the lines of every request up to its cost, and its cost to its charge'),
    async () => {
      const log = new RequestLog(sql());
      const costs = new RequestCosts(sql());
      const requests = await allRequests(log, { ...OF_ALICE, accountId: null }, 300);
      expect(requests).toHaveLength(REQUESTS);
      for (const request of requests.slice(0, 200)) {
        const cost = await costs.of(request);
        expect(cost.lines.reduce((sum, line) => sum + line.costPico, 0n)).toBe(request.costPico);
        expect(cost.costPico).toBe(request.costPico);
        expect(cost.price).toBe(request.charge);
        expect(cost.rate).toEqual(request.currency === 'CNY' ? USD_CNY : null);
      }
    },
  );
}

function scoped({ sql, count, named }: World): void {
  test(named('shows an account only its own requests, under every filter'), async () => {
    const log = new RequestLog(sql());
    const own = await allRequests(log, OF_ALICE, 70);
    expect(new Set(own.map(({ accountId }) => accountId))).toEqual(new Set(['alice']));
    expect(BigInt(own.length)).toBe(
      await count(`SELECT COUNT(*) AS n FROM receipt WHERE account_id = 'alice'`),
    );
    expect(await allRequests(log, { ...OF_ALICE, keyId: 'key_bob' }, 70)).toEqual([]);
    const bobs = (await allRequests(log, { ...OF_ALICE, accountId: 'bob' }, 1))[0];
    expect(await log.one(bobs?.requestId ?? '', 'alice')).toBeNull();
    expect(await log.one(bobs?.requestId ?? '', 'bob')).toEqual(bobs ?? null);
  });
}

function filtered({ sql, named }: World): void {
  test(named('applies each filter, newest first'), async () => {
    const log = new RequestLog(sql());
    const every = await allRequests(log, OF_ALICE, 70);
    const filters: [Partial<RequestFilter>, (it: LoggedRequest) => boolean][] = [
      [{ model: 'gen-v4-pro' }, (it) => it.model === 'gen-v4-pro'],
      [{ channel: 'economical' }, (it) => it.channel === 'economical'],
      [{ outcomes: ['caller_left'] }, (it) => it.outcome === 'caller_left'],
      [{ outcomes: ['completed', 'length'] }, (it) => it.outcome !== 'caller_left'],
      [{ status: 'ok' }, (it) => it.outcome === 'completed'],
      [{ status: 'failed' }, (it) => it.outcome !== 'completed'],
      [{ currency: 'CNY' }, (it) => it.currency === 'CNY'],
      [{ minCost: nano(900_000_000n) }, (it) => it.charge >= 900_000_000n],
      [{ fromMs: AT_MS + 3 * DAY_MS }, (it) => it.settledAtMs >= AT_MS + 3 * DAY_MS],
      [{ toMs: AT_MS + 3 * DAY_MS }, (it) => it.settledAtMs < AT_MS + 3 * DAY_MS],
    ];
    for (const [filter, passes] of filters) {
      const passed = await allRequests(log, { ...OF_ALICE, ...filter }, 7);
      expect(passed).toEqual(every.filter(passes));
      expect(passed.length).toBeGreaterThan(0);
      expect(passed.length).toBeLessThan(every.length);
    }
    const times = every.map(({ settledAtMs }) => settledAtMs);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
  });
}

function usageAddsUp({ sql, named }: World): void {
  test(named('sums usage to the receipts, for every grouping and page size'), async () => {
    const report = new UsageReport(sql());
    const requests = await allRequests(new RequestLog(sql()), OF_ALICE, 500);
    for (const by of [[], ['model'], ['day'], ['day', 'model', 'key', 'channel']] as const) {
      const { rows, total } = await allUsage(report, USED, by, 13);
      for (const currency of ['USD', 'CNY'] as const) {
        const receipts = requests.filter((it) => it.currency === currency);
        const charge = receipts.reduce((sum, it) => sum + it.charge, 0n);
        const groups = rows.filter((it) => it.currency === currency);
        expect(groups.reduce((sum, it) => sum + it.charge, 0n)).toBe(nano(charge));
        const whole = total.find((it) => it.currency === currency);
        expect(whole?.charge).toBe(nano(charge));
        expect(whole?.requests).toBe(BigInt(receipts.length));
        expect(whole?.output).toBe(receipts.reduce((sum, it) => sum + BigInt(it.usage.output), 0n));
        expect(whole?.incomplete).toBe(
          BigInt(receipts.filter((it) => it.outcome !== 'completed').length),
        );
      }
      const names = rows.map((it) =>
        JSON.stringify([it.day, it.model, it.key, it.channel, it.currency]),
      );
      expect(new Set(names).size).toBe(names.length);
    }
    const [model] = (await allUsage(report, { ...USED, model: 'gen-v4-pro' }, ['model'], 10)).rows;
    expect(model?.model).toBe('gen-v4-pro');
    expect((await allUsage(report, { ...USED, keyId: 'key_bob' }, [], 10)).rows).toEqual([]);
    const accounts = await allUsage(report, { ...USED, accountId: null }, ['account'], 10);
    expect(new Set(accounts.rows.map(({ account }) => account))).toEqual(new Set(OWNERS));
  });
}

function statementFollows({ database, sql, count, named }: World): void {
  test(named('lists every movement once, with consecutive balances'), async () => {
    await applied(database(), [
      exchange('exc_1', 7_100_000_000n),
      adjust('adj_1', -5n),
      refund('ref_1', await charged(sql, 'alice'), 1n),
    ]);
    const statements = new Statements(sql());
    const movements = await allMovements(statements, ALICES, 37);
    expect(BigInt(movements.length)).toBe(
      await count(`SELECT COUNT(*) AS n FROM movement WHERE account_id = 'alice'`),
    );
    for (const currency of ['USD', 'CNY'] as const) {
      let balance = 0n;
      for (const it of movements.filter((each) => each.currency === currency).toReversed()) {
        balance += it.amount;
        expect(it.balanceAfter).toBe(nano(balance));
      }
      const wallets = await database().ledger.wallets('alice');
      expect(wallets.find((it) => it.currency === currency)?.balance).toBe(nano(balance));
    }
    const ordered = movements.filter(({ id }) => id.startsWith('exc_1'));
    expect(ordered.map(({ kind, rate }) => [kind, rate])).toEqual([
      ['exchange', USD_CNY],
      ['exchange', USD_CNY],
    ]);
    expect(movements.find(({ id }) => id === 'ref_1/1')?.requestId).toBe(
      await charged(sql, 'alice'),
    );
    const bought = movements.find((it) => it.kind === 'exchange' && it.requestId !== null);
    expect(bought?.rate).toEqual(USD_CNY);
    for (const kind of ['credit', 'settle', 'adjust', 'refund', 'exchange'] as const) {
      const only = await allMovements(statements, { ...ALICES, kind }, 7);
      expect(only).toEqual(movements.filter((it) => it.kind === kind));
    }
    const yuan = await allMovements(statements, { ...ALICES, currency: 'CNY' }, 11);
    expect(yuan).toEqual(movements.filter((it) => it.currency === 'CNY'));
  });
}

function pagesHold({ database, sql, named }: World): void {
  test(named('neither skips nor repeats rows when requests settle between pages'), async () => {
    const statements = new Statements(sql());
    const before = await allMovements(statements, ALICES, 500);
    const seen: string[] = [];
    let after: MovementPlace | null = null;
    let booked = 0;
    do {
      const page: Awaited<ReturnType<Statements['page']>> = await statements.page(
        ALICES,
        41,
        after,
      );
      seen.push(...page.rows.map(({ id }) => id));
      after = page.next;
      booked += 1;
      await applied(database(), [credit(`crd_between_${booked}`, 1n)]);
    } while (after !== null);
    expect(seen).toEqual(before.map(({ id }) => id));
    expect(booked).toBeGreaterThan(5);
  });
}

function booksBalance({ sql, count, named }: World): void {
  test(named('sums every currency over ledger accounts and wallets to zero'), async () => {
    const balances = await new BooksReport(sql()).balances();
    expect(await new BooksReport(sql(), 7n).balances()).toEqual(balances);
    for (const currency of ['USD', 'CNY'] as const) {
      const books = balances
        .filter((it) => it.currency === currency)
        .reduce((sum, it) => sum + it.balance, 0n);
      const wallets = await count(
        `SELECT SUM(balance) AS n FROM wallet WHERE currency = '${currency}'`,
      );
      expect(formatAmount(nano(books + wallets))).toBe('0.000000000');
    }
    const [revenue] = balances.filter((it) => it.account === 'revenue' && it.currency === 'USD');
    expect(revenue?.balance).toBe(
      nano(
        (await count(`SELECT SUM(charge) AS n FROM receipt WHERE currency = 'USD'`)) -
          (await count(`SELECT COALESCE(SUM(f.amount), 0) AS n FROM refund f
            JOIN receipt r ON r.request_id = f.request_id WHERE r.currency = 'USD'`)),
      ),
    );
  });
}

/**
 * Returns SQL that converts a column to NUMERIC, whose products may exceed 64 bits in PostgreSQL.
 * `EXACT` is a request's exact cost and `UNIT` is a nano-unit. Both are counted in hundredths of a
 * pico-unit, so that they are integers.
 */
const wide = (column: string): string => `CAST(${column} AS NUMERIC)`;
const EXACT = `(CASE WHEN i.price IS NOT NULL THEN ${wide('r.image_count')} * i.price * 1000 ELSE
  ${wide('r.input')} * c.input + ${wide('r.cache_read')} * c.cache_read +
  ${wide('r.cache_write_5m')} * c.cache_write_5m + ${wide('r.cache_write_1h')} * c.cache_write_1h +
  ${wide('r.output')} * c.output + ${wide('r.reasoning')} * c.reasoning +
  ${wide('r.audio_input')} * c.audio_input + ${wide('r.audio_output')} * c.audio_output +
  ${wide('r.image_input')} * c.image_input + ${wide('r.image_output')} * c.image_output END) * COALESCE(f.scaled / 1000000, 100)`;
const UNIT = '100000';

async function charged(sql: () => SqlExecutor, accountId: string): Promise<string> {
  const [row] = await sql().query({
    sql: `SELECT request_id FROM receipt WHERE account_id = ? AND charge > 10 ORDER BY request_id LIMIT 1`,
    params: [accountId],
  });
  return String(row?.['request_id']);
}

async function allRequests(
  log: RequestLog,
  filter: RequestFilter,
  limit: number,
): Promise<LoggedRequest[]> {
  const rows: LoggedRequest[] = [];
  let after: RequestPlace | null = null;
  do {
    const page: Awaited<ReturnType<RequestLog['page']>> = await log.page(filter, limit, after);
    rows.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return rows;
}

async function allMovements(
  statements: Statements,
  filter: MovementFilter,
  limit: number,
): Promise<Movement[]> {
  const rows: Movement[] = [];
  let after: MovementPlace | null = null;
  do {
    const page: Awaited<ReturnType<Statements['page']>> = await statements.page(
      filter,
      limit,
      after,
    );
    rows.push(...page.rows);
    after = page.next;
  } while (after !== null);
  return rows;
}

async function allUsage(
  report: UsageReport,
  filter: UsageFilter,
  by: Parameters<UsageReport['page']>[1],
  limit: number,
): Promise<{ readonly rows: readonly UsageGroup[]; readonly total: readonly UsageGroup[] }> {
  const rows: UsageGroup[] = [];
  let after: readonly string[] | null = null;
  for (;;) {
    const page: Awaited<ReturnType<UsageReport['page']>> = await report.page(
      filter,
      by,
      limit,
      after,
    );
    rows.push(...page.rows);
    if (page.next === null) return { rows, total: page.total };
    after = page.next;
  }
}
