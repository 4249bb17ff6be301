/** Any history of commands, repeated ids included, leaves an engine where the model is. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import type { Currency } from '../money/amount.ts';
import {
  addAccount,
  adjust,
  credit,
  extend,
  furnish,
  hold,
  settle,
  USD_CNY,
} from './books.fixture.ts';
import type { Open } from './conformance-rule.ts';
import type { Database } from './database.ts';
import type { Command, Outcome } from './ledger.ts';
import { LedgerModel } from './ledger-model.fixture.ts';

const RUNS = 100;
/** Small, so that wallets run dry and roundings show. */
const amount = fc.bigInt({ min: 1n, max: 60n });
const currency = fc.constantFrom<Currency>('USD', 'CNY');
/** Few, so that ids meet again, in commands of the same kind and of others. */
const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h');

/** A command on the account of a run, whose names and ids are its own. */
type Draft = (run: string, model: LedgerModel) => Command;

const drafts: fc.Arbitrary<Draft> = fc.oneof(
  fc.tuple(name, amount, currency).map(
    ([id, sum, of]): Draft =>
      (run) =>
        credit(`${run}_${id}`, sum, { accountId: run, currency: of }),
  ),
  fc.tuple(name, amount, currency, fc.boolean()).map(
    ([id, sum, of, isUp]): Draft =>
      (run) =>
        adjust(`${run}_${id}`, isUp ? sum : -sum, { accountId: run, currency: of }),
  ),
  fc
    .record({ id: name, sum: amount, least: amount, of: currency, exchange: fc.boolean() })
    .map(({ id, sum, least, of, exchange }): Draft => {
      const atLeast = least < sum ? least : sum;
      const terms = exchange && of === 'CNY' ? { exchange: USD_CNY } : {};
      return (run) =>
        hold(`${run}_${id}`, sum, { accountId: run, currency: of, atLeast, ...terms });
    }),
  fc.tuple(name, name, amount).map(
    ([id, holdId, sum]): Draft =>
      (run) =>
        extend(`${run}_${id}`, `${run}_${holdId}`, sum),
  ),
  fc.tuple(name, fc.bigInt({ min: 0n, max: 90n })).map(
    ([id, sum]): Draft =>
      (run, model) =>
        // In another currency than its hold's it is a fault of the caller, not a history.
        settle(`${run}_${id}`, sum, { accountId: run, currency: model.currencyOf(`${run}_${id}`) }),
  ),
);
/** Batches: what is in one list is applied in one call. */
const histories = fc.array(fc.array(drafts, { maxLength: 8 }), { maxLength: 12 });

export function propertyConformance(open: Open): void {
  let database: Database;
  beforeAll(async () => {
    database = await open();
    await furnish(database);
  });
  afterAll(() => database.close());

  test('an engine and the model agree on every outcome and every wallet', async () => {
    const { ledger, sql } = database;
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(histories, async (batches) => {
        const run = `run${++runs}`;
        await addAccount(sql, run);
        const model = new LedgerModel();
        for (const drafted of batches) {
          const expected: Outcome[] = [];
          const batch = drafted.map((draft) => {
            const command = draft(run, model);
            expected.push(model.apply(command));
            return command;
          });
          expect(await ledger.apply(batch)).toEqual(expected);
        }
        for (const { currency: of, balance, held } of await ledger.wallets(run)) {
          expect<bigint>(balance).toBe(model.balance[of]);
          expect<bigint>(held).toBe(model.held[of]);
        }
        expect(await ledger.verify()).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
}
