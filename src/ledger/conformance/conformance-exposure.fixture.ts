/** The tests that every engine must pass, for answers that cost more than their hold. */
import { expect } from 'bun:test';
import { nano } from '../../money/amount.ts';
import type { SqlExecutor } from '../../store/sql.ts';
import type { Outcome, SettleCommand } from '../ledger.ts';
import { type Open, rule } from './conformance-rule.fixture.ts';
import {
  applied,
  checkpoint,
  credit,
  EPOCH,
  extend,
  hold,
  LEASE_MS,
  repeated,
  settle,
  tooLow,
  USD_CNY,
  voided,
} from './ledger.fixture.ts';

/**
 * The number of answers that must stay within their holds before a careful account, which may have
 * only one hold at a time, may have several again.
 */
const ANSWERS = 2;
const watched = (id: string, charge: bigint): SettleCommand => ({
  ...settle(id, charge),
  carefulAnswers: ANSWERS,
});

const ONE_AT_A_TIME: Outcome = { status: 'one_at_a_time' };
const worstTooLow = (available: bigint): Outcome => ({
  status: 'worst_case_too_low',
  available: nano(available),
});

/** Returns the request id, held amount and price of each overrun, sorted by id. */
async function overruns(sql: SqlExecutor): Promise<unknown> {
  const rows = await sql.query({
    sql: 'SELECT request_id, held, price FROM overrun ORDER BY request_id',
    params: [],
  });
  return rows.map((row) => Object.values(row));
}

export function exposureConformance(open: Open): void {
  carefulConformance(open);
  worstCaseConformance(open);
  countConformance(open);
  overrunConformance(open);
}

function carefulConformance(open: Open): void {
  rule(open, 'after an overrun, holds are made one at a time, of the worst case', async (store) => {
    const { ledger } = store;
    const worst = { atLeast: 5n, worstCase: 100n };
    await ledger.apply([credit('c1', 1_000n), hold('h1', 10n), watched('h1', 30n)]);
    expect(
      await ledger.apply([
        hold('h2', 10n, worst),
        hold('h3', 10n, worst),
        watched('h2', 60n),
        hold('h4', 10n, worst),
        watched('h4', 60n),
        hold('h5', 10n, worst),
        hold('h6', 10n, worst),
      ]),
    ).toEqual([
      applied(100n, 870n),
      ONE_AT_A_TIME,
      applied(60n, 910n),
      applied(100n, 810n),
      applied(60n, 850n),
      applied(10n, 840n),
      applied(10n, 830n),
    ]);
  });

  rule(open, 'another overrun starts the count again', async ({ ledger }) => {
    const worst = { worstCase: 20n };
    await ledger.apply([credit('c1', 1_000n), hold('h1', 10n), watched('h1', 30n)]);
    await ledger.apply([hold('h2', 10n, worst), watched('h2', 20n)]);
    await ledger.apply([hold('h3', 10n, worst), watched('h3', 21n)]);
    await ledger.apply([hold('h4', 10n, worst), watched('h4', 20n)]);
    expect(await ledger.apply([hold('h5', 10n, worst), hold('h6', 10n, worst)])).toEqual([
      applied(20n, 889n),
      ONE_AT_A_TIME,
    ]);
    await ledger.apply([watched('h5', 1n)]);
    const after = await ledger.apply([hold('h7', 10n, worst), hold('h8', 10n, worst)]);
    expect(after.map(({ status }) => status)).toEqual(['applied', 'applied']);
  });

  rule(open, 'of 200 concurrent holds, a careful account gets one', async ({ ledger }) => {
    await ledger.apply([credit('c1', 1_000_000n), hold('h', 1n), watched('h', 2n)]);
    const calls = Array.from({ length: 200 }, (_, at) => hold(`h${at}`, 10n, { worstCase: 40n }));
    const together = await Promise.all(calls.map((call) => ledger.apply([call])));
    const statuses = together.flat().map(({ status }) => status);
    expect(statuses.filter((status) => status === 'applied')).toHaveLength(1);
    expect(statuses.filter((status) => status === 'one_at_a_time')).toHaveLength(199);
  });
}

function worstCaseConformance(open: Open): void {
  rule(open, 'a worst case that wallet or caps do not cover is refused', async (store) => {
    const { ledger, sql } = store;
    const cap = (amount: number) =>
      sql.query({
        sql: `UPDATE spend_meter SET cap_day = ${amount} WHERE owner_id = 'key_alice'`,
        params: [],
      });
    await cap(1_000);
    await ledger.apply([credit('c1', 100n), hold('h1', 10n), watched('h1', 30n)]);
    expect(
      await ledger.apply([
        hold('h2', 10n, { worstCase: 71n }),
        hold('h3', 10n, { worstCase: 70n }),
        voided('h3'),
      ]),
    ).toEqual([worstTooLow(70n), applied(70n, 0n), applied(70n, 70n)]);
    await cap(80);
    expect(
      await ledger.apply([
        hold('h4', 10n, { worstCase: 51n }),
        hold('h5', 10n, { worstCase: 50n }),
      ]),
    ).toEqual([worstTooLow(50n), applied(50n, 20n)]);
  });

  rule(open, 'the other wallet counts toward the worst case', async ({ ledger }) => {
    const yuan = { currency: 'CNY', exchange: USD_CNY, priceRate: USD_CNY } as const;
    await ledger.apply([credit('c1', 100n), hold('h1', 10n), watched('h1', 30n)]);
    expect(
      await ledger.apply([
        hold('h2', 7n, { ...yuan, worstCase: 498n }),
        hold('h3', 7n, { ...yuan, worstCase: 497n }),
        hold('h4', 1n),
      ]),
    ).toEqual([worstTooLow(497n), applied(497n, 0n), ONE_AT_A_TIME]);
  });

  rule(open, 'a careful account can repeat a hold, and others are not affected', async (store) => {
    const { ledger } = store;
    await ledger.apply([
      ...[credit('c1', 100n), hold('h1', 10n), watched('h1', 30n)],
      credit('c2', 100n, { accountId: 'bob' }),
    ]);
    const call = hold('h2', 10n, { worstCase: 50n });
    expect(
      await ledger.apply([
        call,
        call,
        hold('b1', 10n, { accountId: 'bob', worstCase: 50n }),
        hold('b2', 10n, { accountId: 'bob', worstCase: 50n }),
        hold('h3', 200n, { worstCase: 200n }),
      ]),
    ).toEqual([
      applied(50n, 20n),
      repeated(50n, 20n),
      applied(10n, 90n),
      applied(10n, 80n),
      ONE_AT_A_TIME,
    ]);
  });
}

function countConformance(open: Open): void {
  rule(open, 'free answers, releases and extensions are not counted', async ({ ledger }) => {
    const worst = { worstCase: 20n };
    await ledger.apply([credit('c1', 1_000n), hold('h1', 10n), watched('h1', 30n)]);
    for (const id of ['f1', 'f2', 'f3']) {
      await ledger.apply([hold(id, 10n, worst), watched(id, 0n)]);
      await ledger.apply([hold(`v${id}`, 10n, worst), voided(`v${id}`)]);
    }
    expect(await ledger.apply([hold('h2', 10n, worst), extend('x1', 'h2', 5n)])).toEqual([
      applied(20n, 950n),
      applied(25n, 945n),
    ]);
    // The answer must stay within the extended hold, not within the original one.
    await ledger.apply([watched('h2', 25n)]);
    await ledger.apply([hold('h3', 10n, worst), watched('h3', 1n)]);
    const after = await ledger.apply([hold('h4', 10n, worst), hold('h5', 10n, worst)]);
    expect(after.map(({ status }) => status)).toEqual(['applied', 'applied']);
  });

  rule(open, 'with zero careful answers, an overrun has no consequence', async ({ ledger }) => {
    await ledger.apply([credit('c1', 100n), hold('h1', 10n), settle('h1', 30n)]);
    expect(
      await ledger.apply([hold('h2', 10n, { worstCase: 90n }), hold('h3', 10n), hold('h4', 70n)]),
    ).toEqual([applied(10n, 60n), applied(10n, 50n), tooLow(50n)]);
  });
}

function overrunConformance(open: Open): void {
  rule(open, 'an overrun is listed with its held amount and its price', async (store) => {
    const { ledger, sql } = store;
    await ledger.apply([credit('c1', 100n), hold('h1', 10n), hold('h2', 10n), hold('h3', 10n)]);
    expect(
      await ledger.apply([watched('h1', 10n), watched('h2', 11n), watched('h3', 200n)]),
    ).toEqual([applied(10n, 70n), applied(11n, 69n), applied(79n, 0n, 121n)]);
    expect(await overruns(sql)).toEqual([
      ['h2', 10n, 11n],
      ['h3', 10n, 200n],
    ]);
    await ledger.apply([watched('h2', 11n)]);
    expect(await overruns(sql)).toHaveLength(2);
  });

  rule(
    open,
    'the price of a late settlement is compared with the hold that was reaped',
    async (store) => {
      const { ledger, sql } = store;
      await ledger.apply([credit('c1', 1_000n), hold('h1', 10n), hold('h2', 10n), hold('h3', 10n)]);
      await ledger.apply([
        extend('x1', 'h2', 10n, checkpoint('h2', 25n)),
        extend('x2', 'h3', 10n, checkpoint('h3', 25n)),
      ]);
      await ledger.leave(EPOCH);
      await ledger.join({ epoch: 'epoch_2', name: 'second' }, LEASE_MS);
      expect(await ledger.reap()).toEqual({ settled: 2, voided: 1 });
      expect(await overruns(sql)).toEqual([
        ['h2', 20n, 25n],
        ['h3', 20n, 25n],
      ]);
      // A charge by the reaper does not make the account careful, so it may have two holds.
      const next = { epoch: 'epoch_2', worstCase: 20n };
      await ledger.apply([hold('n1', 1n, next), hold('n2', 1n, next), voided('n1'), voided('n2')]);
      // Both a correction and a late settlement above the hold do.
      await ledger.apply([watched('h2', 20n), watched('h3', 26n)]);
      const careful = "SELECT careful FROM account WHERE id = 'alice'";
      expect(await sql.query({ sql: careful, params: [] })).toEqual([{ careful: BigInt(ANSWERS) }]);
      await ledger.apply([{ ...watched('h1', 11n), held: nano(10n) }]);
      expect(await overruns(sql)).toEqual([
        ['h1', 10n, 11n],
        ['h3', 20n, 26n],
      ]);
      expect(await ledger.apply([hold('n3', 1n, next), hold('n4', 1n, next)])).toEqual([
        applied(20n, 923n),
        ONE_AT_A_TIME,
      ]);
    },
  );
}
