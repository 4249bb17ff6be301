/** Faults to plant into a sound ledger, and the violations that `verify` must report for them. */
import { manualClock } from '../clock.fixture.ts';
import { flatTerms } from '../money/card-terms.ts';
import { picoRate } from '../money/price.ts';
import { NO_FACTS, PLAIN_FACTS } from '../money/price-of.ts';
import { factsJson, termsJson } from '../money/terms-json.ts';
import { perBucket } from '../money/usage.ts';
import {
  AT_MS,
  checkpoint,
  credit,
  creditLimit,
  exchange,
  extend,
  furnish,
  hold,
  receipt,
  refund,
  settle,
  USD_CNY,
} from './conformance/ledger.fixture.ts';
import type { Database } from './database.ts';
import { openSqlite } from './sqlite/open-sqlite.ts';
import { AUDIT_LAW, EXCHANGE_LAW, PRICE_LAW, TERMS_LAW } from './verify.ts';

const BALANCE_LAW = "a wallet's balance is the sum of its movements";
const CHAIN_LAW = "a wallet's movements are an unbroken chain of balances";
const NO_ROW_LAW = 'no row has a held amount';
const DAY_LAW = 'the usage of a day is the sum of its receipts';
const LATE_LAW = 'a late receipt corrects a charge by checkpoint of the same key and currency';
const MONTH_LAW = 'the usage of a month is the sum of its days';
const OVERRUN_LAW = 'an overrun is a request whose price is above its hold';

type Corruption = {
  readonly fault: string;
  readonly sql: string;
  readonly breaches: readonly (readonly [law: string, subject: string])[];
};

export const BALANCE_BY_HAND: Corruption = {
  fault: 'a balance is raised by hand',
  sql: "UPDATE wallet SET balance = balance + 1 WHERE account_id = 'alice' AND currency = 'USD'",
  breaches: [[BALANCE_LAW, 'alice USD']],
};

/**
 * Faults to plant into a sound ledger, each with the invariants and rows that `verify` must report.
 * All amounts are nano-units. In that ledger, alice has three holds, and 7 CNY that an exchange
 * command bought after them:
 * - h1 of 60 USD, settled for 24, of which 4 were refunded
 * - h2 of 30 USD, pending
 * - h3 of 70 CNY, settled for 71, for which 10 USD were exchanged
 *
 * Bob has a credit limit and two holds:
 * - h4, charged 20 at its checkpoint and corrected to 29 by a late settlement
 * - h5, whose 8 tokens cost double in the tier that served them
 */
export const CORRUPTIONS: readonly Corruption[] = [
  BALANCE_BY_HAND,
  {
    fault: 'an entry lacks its balance',
    sql: "UPDATE entry SET balance_after = 7 WHERE transaction_id = 1 AND account_id = 'alice'",
    breaches: [
      [CHAIN_LAW, 'alice USD movement 1 line 1'],
      [CHAIN_LAW, 'alice USD movement 2 line 5'],
    ],
  },
  {
    fault: 'an entry goes to an account that does not exist',
    sql: "UPDATE entry SET account_id = 'pocket' WHERE transaction_id = 1 AND line = 2",
    breaches: [
      ['an entry belongs to a wallet or to an account of the ledger', 'pocket USD transaction 1'],
    ],
  },
  {
    fault: 'more is held than there is',
    sql: "UPDATE wallet SET held = 100 WHERE account_id = 'alice' AND currency = 'USD'",
    breaches: [
      [NO_ROW_LAW, 'alice USD'],
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
    sql: "UPDATE receipt SET request_id = 'h1' WHERE request_id = 'h5'",
    breaches: [
      ['a request is settled at most once', 'h1'],
      [DAY_LAW, 'alice key_alice gen-opus-4-8 direct USD day 20717'],
      [DAY_LAW, 'bob key_bob gen-opus-4-8 direct USD day 20717'],
    ],
  },
  {
    fault: 'two movements have one place in the order',
    sql: "UPDATE money_transaction SET id = 8 WHERE kind = 'credit_limit'",
    breaches: [['each sequence number belongs to one movement', 'movement 8']],
  },
  {
    fault: 'sums of archived receipts appear',
    sql: "INSERT INTO archived_sum VALUES ('arc_1', 'USD', 1, 5, 0, 0, 0)",
    breaches: [
      ['the sums of archived receipts equal the movements that replace them', 'USD'],
      ['the sums of archived receipts equal their usage by day', 'USD'],
      ['an archived request has no receipt, and is in the sums of its archive', 'arc_1'],
      ['no more receipts are archived than the file has', 'arc_1'],
    ],
  },
  {
    fault: 'a receipt states another balance',
    sql: "UPDATE receipt SET balance_after = balance_after + 1 WHERE request_id = 'h5'",
    breaches: [[CHAIN_LAW, 'bob USD movement 10 line 5']],
  },
  {
    fault: 'a receipt states that its exchange was cheaper',
    sql: "UPDATE receipt SET sold = sold - 1 WHERE request_id = 'h3'",
    breaches: [
      [BALANCE_LAW, 'alice USD'],
      [CHAIN_LAW, 'alice USD movement 3 line 1'],
      [EXCHANGE_LAW, 'h3'],
    ],
  },
  {
    fault: 'a receipt is lost',
    sql: "DELETE FROM receipt WHERE request_id = 'h1'",
    breaches: [
      [BALANCE_LAW, 'alice USD'],
      [CHAIN_LAW, 'alice USD movement 3 line 1'],
      [DAY_LAW, 'alice key_alice gen-opus-4-8 direct USD day 20717'],
    ],
  },
  {
    fault: 'a receipt says less than was taken',
    sql: "UPDATE receipt SET charge = 23, loss = 1 WHERE request_id = 'h1'",
    breaches: [
      [BALANCE_LAW, 'alice USD'],
      [CHAIN_LAW, 'alice USD movement 2 line 5'],
      [DAY_LAW, 'alice key_alice gen-opus-4-8 direct USD day 20717'],
    ],
  },
  {
    fault: 'a count is changed after the fact',
    sql: "UPDATE receipt SET output = 25 WHERE request_id = 'h1'",
    breaches: [
      ["a receipt's cost is its counts times the rates of its published card", 'h1'],
      [DAY_LAW, 'alice key_alice gen-opus-4-8 direct USD day 20717'],
    ],
  },
  {
    fault: 'a published price is changed',
    sql: "UPDATE card SET output = 999 WHERE id = 'card_cny'",
    breaches: [["a receipt's cost is its counts times the rates of its published card", 'h3']],
  },
  {
    fault: 'a receipt is in another currency than its card, without a rate',
    sql: "UPDATE receipt SET card_id = 'card_cny' WHERE request_id = 'h1'",
    breaches: [
      [
        "a receipt is in its card's currency or, with an exchange rate, in the rate's quote currency",
        'h1',
      ],
    ],
  },
  {
    fault: 'a spending total is reset',
    sql: "UPDATE usage_day SET charge = 0 WHERE currency = 'CNY'",
    breaches: [[DAY_LAW, 'alice key_alice gen-opus-4-8 direct CNY day 20717']],
  },
  {
    fault: 'a cost differs from the charge',
    sql: "UPDATE receipt SET cost_pico = 24501, output = 24 WHERE request_id = 'h1'",
    breaches: [
      ["a receipt's cost is its counts times the rates of its published card", 'h1'],
      [PRICE_LAW, 'h1'],
    ],
  },
  {
    fault: 'an estimate is charged for more than its price',
    sql: "UPDATE receipt SET cost_pico = 23000, output = 23, estimated = 1 WHERE request_id = 'h1'",
    breaches: [
      [DAY_LAW, 'alice key_alice gen-opus-4-8 direct USD day 20717'],
      [PRICE_LAW, 'h1'],
    ],
  },
  {
    fault: 'an exchange is at another rate',
    sql: "UPDATE fx_rate SET scaled = 500000000 WHERE id = 'fx_usd_cny'",
    breaches: [[EXCHANGE_LAW, 'h3']],
  },
  {
    fault: 'a late receipt says less than was taken',
    sql: "UPDATE late_receipt SET charge = 8, loss = 1 WHERE request_id = 'h4'",
    breaches: [
      [BALANCE_LAW, 'bob USD'],
      [CHAIN_LAW, 'bob USD movement 9 line 5'],
      [DAY_LAW, 'bob key_bob gen-opus-4-8 direct USD day 20717'],
    ],
  },
  {
    fault: 'a correction follows an ordinary receipt',
    sql: "UPDATE receipt SET outcome = 'completed' WHERE request_id = 'h4'",
    breaches: [[LATE_LAW, 'h4']],
  },
  {
    fault: 'a correction is for another price',
    sql: `UPDATE late_receipt SET cost_pico = 30000, output = 30 WHERE request_id = 'h4'`,
    breaches: [
      [DAY_LAW, 'bob key_bob gen-opus-4-8 direct USD day 20717'],
      [PRICE_LAW, 'h4'],
    ],
  },
  {
    fault: 'a charge counts less than it is',
    sql: "UPDATE usage_day SET metered = metered - 1 WHERE account_id = 'bob'",
    breaches: [
      [DAY_LAW, 'bob key_bob gen-opus-4-8 direct USD day 20717'],
      ["a meter's total is the sum of its days", 'bob'],
      ["a meter's total is the sum of its days", 'key_bob'],
    ],
  },
  {
    fault: 'a month counts a charge that no day has',
    sql: "UPDATE usage_month SET charge = charge + 1 WHERE account_id = 'bob'",
    breaches: [[MONTH_LAW, 'bob key_bob gen-opus-4-8 direct USD month 20697']],
  },
  {
    fault: 'the spending of a key is reset',
    sql: `UPDATE spend_meter SET total = 0, in_day = 0, in_week = 0, in_month = 0
      WHERE owner_id = 'key_bob'`,
    breaches: [
      ["a meter's total is the sum of its days", 'key_bob'],
      ["a meter's period counts at least the sum of its days", 'key_bob'],
    ],
  },
  {
    fault: 'the spending and the caps of a key are lost',
    sql: "DELETE FROM spend_meter WHERE owner_id = 'key_bob'",
    breaches: [["a meter's total is the sum of its days", 'key_bob']],
  },
  {
    fault: 'the spending of a week is reset',
    sql: "UPDATE spend_meter SET in_week = in_week - 1 WHERE owner_id = 'alice'",
    breaches: [["a meter's period counts at least the sum of its days", 'alice']],
  },
  {
    fault: 'the spending of a month is reset',
    sql: "UPDATE spend_meter SET in_month = 0 WHERE owner_id = 'alice'",
    breaches: [["a meter's period counts at least the sum of its days", 'alice']],
  },
  {
    fault: 'a meter has a held amount',
    sql: "UPDATE spend_meter SET held = held + 1 WHERE owner_id = 'bob'",
    breaches: [[NO_ROW_LAW, 'bob']],
  },
  {
    fault: 'a settled request keeps its checkpoint',
    sql: `INSERT INTO checkpoint VALUES ('h1', 'alice', 'key_alice', 'USD', 'epoch_1', 60, NULL, 20,
      '[]')`,
    breaches: [['a checkpoint belongs to a request without a receipt', 'h1']],
  },
  {
    fault: 'a transaction loses all its entries',
    sql: 'DELETE FROM entry WHERE transaction_id = 7',
    breaches: [
      [BALANCE_LAW, 'bob USD'],
      [CHAIN_LAW, 'bob USD movement 8 line 5'],
      ['a transaction has entries, unless it sets a credit limit', 'transaction 7'],
    ],
  },
  {
    fault: 'more is refunded than was charged',
    sql: "UPDATE refund SET amount = 25 WHERE request_id = 'h1'",
    breaches: [
      ['refunds never exceed the charge', 'h1'],
      ['a refund equals the amount that its entries moved from revenue', 'transaction 4'],
    ],
  },
  {
    fault: 'a refund is lost',
    sql: "DELETE FROM refund WHERE request_id = 'h1'",
    breaches: [['a refund equals the amount that its entries moved from revenue', 'transaction 4']],
  },
  {
    fault: 'a floor is lowered by hand',
    sql: "UPDATE wallet SET floor = -6 WHERE account_id = 'bob' AND currency = 'USD'",
    breaches: [["a wallet's floor is the last credit limit that was set", 'bob USD']],
  },
  {
    fault: 'money is exchanged at an unpublished rate',
    sql: `UPDATE money_transaction SET body = REPLACE(body, 'fx_usd_cny', 'fx_of_his_own')
          WHERE command_id = 'e1'`,
    breaches: [[EXCHANGE_LAW, 'e1']],
  },
  {
    fault: 'an audit entry is changed',
    sql: "UPDATE audit SET actor = 'nobody' WHERE id = 6",
    breaches: [[AUDIT_LAW, 'entry 6']],
  },
  {
    fault: 'an audit entry is removed',
    sql: 'DELETE FROM audit WHERE id = 6',
    breaches: [
      ['every wallet command is in the audit log', 'audit log'],
      [AUDIT_LAW, 'entry 7'],
    ],
  },
  {
    fault: 'an overrun is not listed',
    sql: 'DELETE FROM overrun',
    breaches: [[OVERRUN_LAW, 'h3']],
  },
  {
    fault: 'an answer within its hold is listed as an overrun',
    sql: "INSERT INTO overrun VALUES ('h1', 'alice', 60, 24, 1)",
    breaches: [[OVERRUN_LAW, 'h1']],
  },
  {
    fault: 'a receipt states another tier than it was priced in',
    sql: `UPDATE receipt SET facts = REPLACE(facts, 'priority', 'flex') WHERE request_id = 'h5'`,
    breaches: [[TERMS_LAW, 'h5']],
  },
  {
    fault: 'published terms are changed',
    sql: `UPDATE card SET terms = REPLACE(terms, '"output":"2000"', '"output":"1999"')`,
    breaches: [[TERMS_LAW, 'h5']],
  },
  {
    fault: 'the last audit entry is removed',
    sql: 'DELETE FROM audit WHERE id = (SELECT MAX(id) FROM audit)',
    breaches: [['every wallet command is in the audit log', 'audit log']],
  },
  {
    fault: 'an audit entry is inserted with its own hash',
    sql: 'UPDATE audit SET hash = zeroblob(32) WHERE id = 6',
    breaches: [
      [AUDIT_LAW, 'entry 6'],
      [AUDIT_LAW, 'entry 7'],
    ],
  },
];

const flat = (rate: bigint) => perBucket(() => picoRate(rate));
/** The terms of a price card whose tokens cost double in the service tier `priority`. */
const TERMS = termsJson({
  ...flatTerms(flat(1_000n)),
  rows: [
    { when: {}, rates: flat(1_000n), unlisted: [] },
    { when: { tier: ['priority'] }, rates: flat(2_000n), unlisted: [] },
  ],
});
const SERVED = { ...NO_FACTS, tier: 'priority' };
const IN_PRIORITY = factsJson({ ...PLAIN_FACTS, served: SERVED }, { assumed: [], unpriced: [] });

export async function soundLedger(file: string): Promise<Database> {
  const database = await openSqlite({ file, clock: manualClock(AT_MS) });
  await furnish(database);
  const [yuan, bob] = [{ currency: 'CNY' } as const, { accountId: 'bob' }];
  const images = { count: 2, priceKey: '1024x1024/hd' };
  await database.ledger.apply([
    credit('c1', 100n),
    hold('h1', 60n),
    settle('h1', 24n, { images }),
    hold('h2', 30n),
    hold('h3', 70n, { ...yuan, exchange: USD_CNY }),
    settle('h3', 71n, yuan),
    refund('r1', 'h1', 4n),
    exchange('e1', 7n),
    creditLimit('l1', 5n, bob),
    credit('c2', 100n, bob),
    hold('h4', 30n, { ...bob, expiresAtMs: 1 }),
    extend('x1', 'h4', 10n, checkpoint('h4', 20n, bob)),
  ]);
  await database.ledger.reap();
  await database.sql.query({
    sql: `INSERT INTO card (id, currency, model, channel, input, output, effective_from_ms, terms)
      VALUES ('card_terms', 'USD', 'gen-opus-4-8', 'direct', 1000, 1000, 1, $1)`,
    params: [TERMS],
  });
  const priced = { ...bob, cardId: 'card_terms', costPico: 16_000n, facts: IN_PRIORITY, images };
  await database.ledger.apply([
    ...[settle('h4', 29n, bob), hold('h5', 16n, bob)],
    { ...settle('h5', 16n), receipt: receipt('h5', 8n, priced) },
  ]);
  return database;
}
