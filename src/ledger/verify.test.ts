import { afterAll, describe, expect, test } from 'bun:test';
import { credit, furnish, hold, settle, USD_CNY } from './books.fixture.ts';
import type { Database } from './database.ts';
import { newFile, openFile, removeFiles } from './sqlite.fixture.ts';
import { EXCHANGE_LAW, LAWS, PRICE_LAW } from './verify.ts';

afterAll(removeFiles);

/**
 * What a fault could do to sound books, and the laws that must then be reported, each with its row. The
 * books hold: h1 settled for 24 USD of 100, h2 pending for 30, h3 settled for 71 CNY bought with 10 USD.
 */
const CORRUPTIONS: readonly {
  readonly fault: string;
  readonly sql: string;
  readonly breaches: readonly (readonly [law: string, subject: string])[];
}[] = [
  {
    fault: 'a balance is raised by hand',
    sql: "UPDATE wallet SET balance = balance + 1 WHERE account_id = 'alice' AND currency = 'USD'",
    breaches: [["a wallet's balance is the sum of its entries", 'alice USD']],
  },
  {
    fault: 'an entry forgets the balance it left',
    sql: "UPDATE entry SET balance_after = 7 WHERE transaction_id = 1 AND account_id = 'alice'",
    breaches: [
      ["a wallet's entries are an unbroken chain of balances", 'alice USD transaction 1 line 1'],
      ["a wallet's entries are an unbroken chain of balances", 'alice USD transaction 2 line 5'],
    ],
  },
  {
    fault: 'an entry goes to an account that does not exist',
    sql: "UPDATE entry SET account_id = 'pocket' WHERE transaction_id = 1 AND line = 2",
    breaches: [
      ['an entry belongs to a wallet or to an account of the books', 'pocket USD transaction 1'],
    ],
  },
  {
    fault: 'a hold is freed without its money',
    sql: "UPDATE hold SET state = 'void' WHERE id = 'h2'",
    breaches: [['what a wallet holds is the sum of its pending holds', 'alice USD']],
  },
  {
    fault: 'more is held than there is',
    sql: "UPDATE wallet SET held = 100 WHERE account_id = 'alice' AND currency = 'USD'",
    breaches: [
      ['what a wallet holds is the sum of its pending holds', 'alice USD'],
      ['no wallet is below its floor', 'alice USD'],
    ],
  },
  {
    fault: 'one side of a transaction is lost',
    sql: "DELETE FROM entry WHERE transaction_id = 1 AND account_id = 'top_up'",
    breaches: [["a transaction's entries sum to zero in each currency", 'transaction 1 USD']],
  },
  {
    fault: 'a request is settled twice',
    sql: `INSERT INTO money_transaction (kind, command_id, available_after, at_ms)
          VALUES ('settle', 'h1', 0, 1)`,
    breaches: [['a request is settled at most once', 'h1']],
  },
  {
    fault: 'a receipt is lost',
    sql: "DELETE FROM receipt WHERE request_id = 'h1'",
    breaches: [
      ['a hold is settled exactly when it has a receipt', 'h1'],
      [
        'what was used on a day is the sum of its receipts',
        'alice key_alice gen-opus-4-8 direct USD day 20717',
      ],
    ],
  },
  {
    fault: 'a settled hold is pending again',
    sql: "UPDATE hold SET state = 'pending', own = 0 WHERE id = 'h1'",
    breaches: [['a hold is settled exactly when it has a receipt', 'h1']],
  },
  {
    fault: 'a receipt says less than was taken',
    sql: "UPDATE receipt SET charge = 23, loss = 1 WHERE request_id = 'h1'",
    breaches: [
      ['a receipt states what its entries moved', 'h1'],
      [
        'what was used on a day is the sum of its receipts',
        'alice key_alice gen-opus-4-8 direct USD day 20717',
      ],
    ],
  },
  {
    fault: 'a count is changed after the fact',
    sql: "UPDATE receipt SET output = 25 WHERE request_id = 'h1'",
    breaches: [["a receipt's cost is its counts times the published card", 'h1']],
  },
  {
    fault: 'a published price is changed',
    sql: "UPDATE card SET output = 999 WHERE id = 'card_cny'",
    breaches: [["a receipt's cost is its counts times the published card", 'h3']],
  },
  {
    fault: 'a receipt is in another currency than its card, at no rate',
    sql: "UPDATE receipt SET card_id = 'card_cny' WHERE request_id = 'h1'",
    breaches: [
      ["a receipt without exchange rate is in its card's currency, with one in the rate's", 'h1'],
    ],
  },
  {
    fault: 'a spending total is reset',
    sql: "UPDATE usage_day SET charge = 0 WHERE currency = 'CNY'",
    breaches: [
      [
        'what was used on a day is the sum of its receipts',
        'alice key_alice gen-opus-4-8 direct CNY day 20717',
      ],
    ],
  },
  {
    fault: 'a cost is not what was charged',
    sql: "UPDATE receipt SET cost_pico = 24501, output = 24 WHERE request_id = 'h1'",
    breaches: [
      ["a receipt's cost is its counts times the published card", 'h1'],
      [PRICE_LAW, 'h1'],
    ],
  },
  {
    fault: 'an estimate is charged for more than it comes to',
    sql: "UPDATE receipt SET cost_pico = 23000, output = 23, estimated = 1 WHERE request_id = 'h1'",
    breaches: [[PRICE_LAW, 'h1']],
  },
  {
    fault: 'an exchange is at another rate',
    sql: "UPDATE fx_rate SET scaled = 500000000 WHERE id = 'fx_usd_cny'",
    breaches: [[EXCHANGE_LAW, 'h3']],
  },
];

async function soundBooks(): Promise<Database> {
  const database = await openFile(newFile());
  await furnish(database);
  const yuan = { currency: 'CNY' } as const;
  await database.ledger.apply([
    credit('c1', 100n),
    hold('h1', 60n),
    settle('h1', 24n),
    hold('h2', 30n),
    hold('h3', 71n, { ...yuan, exchange: USD_CNY }),
    settle('h3', 71n, yuan),
  ]);
  return database;
}

describe('verify', () => {
  for (const { fault, sql, breaches } of CORRUPTIONS) {
    test(`finds it when ${fault}`, async () => {
      const database = await soundBooks();
      expect(await database.ledger.verify()).toEqual([]);
      for (const guard of [
        'PRAGMA foreign_keys = OFF',
        'PRAGMA ignore_check_constraints = ON',
        'DROP INDEX money_transaction_of_command',
        sql,
      ]) {
        await database.sql.query({ sql: guard, params: [] });
      }
      const found = (await database.ledger.verify()).map((breach) => [
        breach.invariant,
        breach.subject,
      ]);
      expect(found).toEqual(breaches.map((breach) => [...breach]));
      await database.close();
    });
  }

  test('has a planted fault for every law', () => {
    const planted = new Set(CORRUPTIONS.flatMap(({ breaches }) => breaches.map(([law]) => law)));
    const laws = [...LAWS.map(({ name }) => name), PRICE_LAW, EXCHANGE_LAW];
    expect(laws.filter((law) => !planted.has(law))).toEqual([]);
  });
});
