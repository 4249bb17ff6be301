/**
 * The tests of monthly statements that every engine must pass. They run after `reportsConformance`
 * and use its data.
 */

import { expect, test } from 'bun:test';
import { AT_MS, credit } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import { DAY_MS } from '../money/calendar.ts';
import { type MonthlyStatement, StatementsByMonth } from './monthly-statements.ts';
import { applied } from './reports.fixture.ts';
import { type Movement, Statements } from './statements.ts';

const ALL = {
  accountId: 'alice',
  currency: null,
  kind: null,
  fromMs: 0,
  toMs: AT_MS + 400 * DAY_MS,
};
const MAX_MOVEMENTS = 1_000_000;

/** @param database a database with requests of `alice`. */
export function monthsConformance(engine: string, database: () => Database): void {
  const named = (rule: string): string => `${engine}: ${rule}`;
  const movements = async (): Promise<readonly Movement[]> =>
    (await new Statements(database().sql).page(ALL, MAX_MOVEMENTS, null)).rows;

  test(
    named("a month's statement is the sum of its movements, and follows the month before"),
    async () => {
      // Each SQL statement reads only 7 transactions or receipts. So the test fails if an entry at
      // the boundary of two statements is skipped or repeated.
      const { statements, isWhole } = await new StatementsByMonth(database().sql, 7).of('alice');
      expect(isWhole).toBe(true);
      const all = await movements();
      expect(all.length).toBeGreaterThan(100);
      for (const statement of statements) expectSumsOf(all, statement);
      for (const currency of ['USD', 'CNY'] as const) {
        const months = statements.filter((it) => it.currency === currency).toReversed();
        let balance = 0n;
        for (const { opening, closing } of months) {
          expect(opening as bigint).toBe(balance);
          balance = closing;
        }
        const wallets = await database().ledger.wallets('alice');
        expect(wallets.find((it) => it.currency === currency)?.balance as bigint).toBe(balance);
      }
    },
  );

  test(named('continues cached sums where they ended, without repeats'), async () => {
    const byMonth = new StatementsByMonth(database().sql, 7);
    const before = await byMonth.of('alice');
    const month = { accountId: 'alice', atMs: AT_MS + 100 * DAY_MS };
    await applied(database(), [credit('crd_of_a_later_month', 5n, month)]);
    const [first, second] = await Promise.all([byMonth.of('alice'), byMonth.of('alice')]);
    expect(second).toEqual(first);
    const [newest, ...others] = first.statements;
    expect(newest).toMatchObject({ currency: 'USD', cameIn: 5n, wentOut: 0n });
    expect(newest?.moved.credit as bigint).toBe(5n);
    expect(others).toEqual([...before.statements]);
    expect(first).toEqual(await new StatementsByMonth(database().sql).of('alice'));
  });

  test(named('shows an account only its own months'), async () => {
    const { statements } = await new StatementsByMonth(database().sql).of('nobody');
    expect(statements).toEqual([]);
  });
}

function expectSumsOf(all: readonly Movement[], statement: MonthlyStatement): void {
  const { month, currency, opening, cameIn, wentOut, moved, closing } = statement;
  const its = all.filter(
    (it) => it.currency === currency && new Date(it.atMs).toISOString().startsWith(month),
  );
  const sum = (amounts: readonly Movement[]): bigint =>
    amounts.reduce((total, { amount }) => total + amount, 0n);
  expect(its.length).toBeGreaterThan(0);
  expect(cameIn as bigint).toBe(sum(its.filter(({ amount }) => amount > 0n)));
  expect(wentOut as bigint).toBe(sum(its.filter(({ amount }) => amount < 0n)));
  expect(closing as bigint).toBe(opening + sum(its));
  for (const [kind, amount] of Object.entries(moved)) {
    expect(amount as bigint).toBe(sum(its.filter((it) => it.kind === kind)));
  }
}
