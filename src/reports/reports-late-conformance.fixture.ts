/** Tests of reports on a request whose process died and whose settlement arrived late. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import {
  AT_MS,
  checkpoint,
  credit,
  EPOCH,
  extend,
  furnish,
  hold,
  LEASE_MS,
  settle,
} from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import type { RequestOutcome } from '../ledger/ledger.ts';
import { nano } from '../money/amount.ts';
import { DAY_MS } from '../money/calendar.ts';
import { BooksReport } from './books-report.ts';
import { applied } from './reports.fixture.ts';
import { RequestCosts } from './request-cost.ts';
import { RequestLog } from './request-log.ts';
import { Spending } from './spending.ts';
import { Statements } from './statements.ts';
import { UsageReport } from './usage-report.ts';

/**
 * A range that includes all times: the reaper settles at the store's time, which is not the time of
 * the test clock.
 */
const SPAN = { fromMs: 0, toMs: Number.MAX_SAFE_INTEGER };
const SLOW_MS = 180_000;

export function lateReportsConformance(engine: string, open: () => Promise<Database>): void {
  let database: Database;
  const named = (rule: string): string => `${engine}: ${rule}`;
  beforeAll(async () => {
    database = await open();
    await furnish(database);
    await chargedLate(database);
  }, SLOW_MS);
  afterAll(async () => {
    await database.close();
  });

  test(named('shows a corrected request with its late receipt and its whole charge'), async () => {
    const log = new RequestLog(database.sql);
    const request = await log.one('req_1', 'alice');
    expect(request).toMatchObject({
      outcome: 'completed',
      channel: 'economical',
      charge: nano(29n),
      costPico: 29_000n,
    });
    if (request === null) throw new Error('no such request');
    const cost = await new RequestCosts(database.sql).of(request);
    expect([cost.costPico, cost.price]).toEqual([29_000n, nano(29n)]);
    const found = async (outcome: RequestOutcome) => {
      const filter = { accountId: 'alice', ...SPAN, outcomes: [outcome], ...ANY };
      return (await log.page(filter, 9, null)).rows.map(({ requestId }) => requestId);
    };
    expect([await found('completed'), await found('node_lost')]).toEqual([['req_1'], []]);
  });

  test(named('lists the charge and its correction, both with the id of the request'), async () => {
    const filter = { accountId: 'alice', currency: null, ...SPAN };
    const statements = new Statements(database.sql);
    const { rows } = await statements.page({ ...filter, kind: null }, 9, null);
    expect(rows.map((it) => [it.kind, it.amount, it.balanceAfter, it.requestId])).toEqual([
      ['late', nano(-9n), nano(71n), 'req_1'],
      ['settle', nano(-20n), nano(80n), 'req_1'],
      ['credit', nano(100n), nano(100n), null],
    ]);
    const late = await statements.page({ ...filter, kind: 'late' }, 9, null);
    expect(late.rows).toEqual(rows.slice(0, 1));
  });

  test(
    named('counts usage once, by the late receipt, on the day of the first charge'),
    async () => {
      const filter = {
        accountId: 'alice',
        keyId: null,
        model: null,
        channel: null,
        currency: null,
      };
      const usage = new UsageReport(database.sql);
      const chargedAtMs = (await new RequestLog(database.sql).one('req_1', null))?.settledAtMs ?? 0;
      const day = Math.floor(chargedAtMs / DAY_MS);
      // Reads the report of this day alone, and then of a range that includes whole months.
      for (const span of [0, 60]) {
        const days = { fromDay: day - span, toDay: day + span };
        const { rows, total } = await usage.page({ ...filter, ...days }, ['channel'], 9, null);
        const use = {
          requests: 1n,
          incomplete: 0n,
          output: 29n,
          charge: nano(29n),
          loss: nano(0n),
        };
        expect(rows).toEqual([expect.objectContaining({ ...use, channel: 'economical' })]);
        expect(total).toEqual([expect.objectContaining({ ...use, channel: null })]);
      }
      const [spent] = await new Spending(database.sql, { nowMs: () => chargedAtMs }).ofKey(
        'key_alice',
      );
      expect(spent).toMatchObject({ total: nano(29n), today: nano(29n), thisMonth: nano(29n) });
    },
  );

  test(named('books the whole charge as revenue'), async () => {
    const balances = await new BooksReport(database.sql).balances();
    const revenue = balances.find((it) => it.account === 'revenue' && it.currency === 'USD');
    expect(revenue?.balance).toBe(nano(29n));
    expect(await database.ledger.verify()).toEqual([]);
  });
}

const ANY = {
  keyId: null,
  model: null,
  channel: null,
  upstream: null,
  currency: null,
  minCost: null,
  status: null,
  idPrefix: null,
};

/**
 * Makes a request whose process dies. The reaper settles it from its checkpoint and charges 20. Its
 * late settlement, two days later, raises the charge to 29.
 */
async function chargedLate(database: Database): Promise<void> {
  const { ledger } = database;
  const first = checkpoint('req_1', 20n);
  await applied(database, [credit('crd_1', 100n), hold('req_1', 30n)]);
  await applied(database, [{ ...extend('ext_1', 'req_1', 10n, first), atMs: AT_MS }]);
  await ledger.leave(EPOCH);
  await ledger.join({ epoch: 'epoch_2', name: 'second' }, LEASE_MS);
  expect(await ledger.reap()).toEqual({ settled: 1, voided: 0 });
  await applied(database, [
    { ...settle('req_1', 29n, { channel: 'economical' }), atMs: AT_MS + 2 * DAY_MS },
  ]);
}
