/** Tests of the list of overruns that every engine must pass. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { AT_MS, credit, furnish, hold, settle } from '../ledger/conformance/ledger.fixture.ts';
import type { Database } from '../ledger/database.ts';
import type { Receipt } from '../ledger/ledger.ts';
import { nano } from '../money/amount.ts';
import { NO_USAGE } from '../money/usage.ts';
import { Overruns } from './overruns.ts';
import { applied } from './reports.fixture.ts';
import { RequestCosts } from './request-cost.ts';

const SLOW_MS = 180_000;

/** @param surrendered waits until no node decides in memory on holds of the account `alice`. */
export function overrunsConformance(
  engine: string,
  open: () => Promise<Database>,
  surrendered: (database: Database) => Promise<unknown> = async () => {},
): void {
  let database: Database;
  let overruns: Overruns;
  const named = (rule: string): string => `${engine}: ${rule}`;

  beforeAll(async () => {
    database = await open();
    overruns = new Overruns(database.sql, new RequestCosts(database.sql));
    await furnish(database);
    await applied(database, [credit('c1', 100n), credit('c2', 100n, { accountId: 'bob' })]);
    const sell = async (id: string, held: bigint, price: bigint, given: Partial<Receipt> = {}) => {
      const { accountId = 'alice' } = given;
      await applied(database, [
        hold(id, held, { accountId }),
        {
          ...settle(id, price, given),
          carefulAnswers: 20,
          atMs: AT_MS + Number(id.slice(1)),
        },
      ]);
    };
    await sell('h1', 10n, 10n);
    await sell('h2', 10n, 11n, { usage: { ...NO_USAGE, input: 2, output: 4, reasoning: 5 } });
    await sell('h3', 10n, 120n, {
      accountId: 'bob',
      usage: { ...NO_USAGE, input: 90, output: 30 },
    });
    await surrendered(database);
    await sell('h4', 10n, 1n);
  }, SLOW_MS);
  afterAll(async () => {
    await database.close();
  });

  test(
    named('lists what was held, the price, its main cause and how careful the account is'),
    async () => {
      const { rows, next } = await overruns.page(null, 9, null);
      const shown = rows.map(({ request, ...row }) => ({ ...row, id: request.requestId }));
      expect([shown, next]).toEqual([
        [
          {
            ...{ id: 'h3', held: nano(10n), price: nano(120n) },
            ...{ cause: 'input', unpriced: [], carefulAnswers: 20 },
          },
          {
            ...{ id: 'h2', held: nano(10n), price: nano(11n) },
            ...{ cause: 'reasoning', unpriced: [], carefulAnswers: 19 },
          },
        ],
        null,
      ]);
      expect(rows[0]?.request).toMatchObject({
        accountId: 'bob',
        charge: nano(100n),
        loss: nano(20n),
      });
    },
  );

  test(named('lists the overruns of one account, page by page'), async () => {
    const idsOf = async (accountId: string | null) => {
      const ids: string[] = [];
      let after: Parameters<Overruns['page']>[2] = null;
      do {
        const { rows, next } = await overruns.page(accountId, 1, after);
        ids.push(...rows.map(({ request }) => request.requestId));
        after = next;
      } while (after !== null);
      return ids;
    };
    expect([await idsOf('alice'), await idsOf(null)]).toEqual([['h2'], ['h3', 'h2']]);
  });
}
