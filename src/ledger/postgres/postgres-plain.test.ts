/**
 * Tests the commands that `plain.sql` defines as plain: those that `books_plain` can write many at
 * a time. They must have the same effect when `books_one` writes each of them alone.
 */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import fc from 'fast-check';
import { eventually } from '../../../test/support/eventually.ts';
import { systemClock as clock } from '../../clock.ts';
import { type Currency, nano } from '../../money/amount.ts';
import { DAY_MS } from '../../money/calendar.ts';
import { settleAmount } from '../../money/price.ts';
import { withColumns } from '../../store/columns.ts';
import { raw } from '../../store/sql.ts';
import {
  AT_MS,
  addAccount,
  addMemberKeys,
  adjust,
  applied,
  capMember,
  checkpoint,
  credit,
  creditLimit,
  EPOCH,
  exchange,
  extend,
  failureOf,
  furnish,
  hold,
  refund,
  settle,
  USD_CNY,
  voided,
} from '../conformance/ledger.fixture.ts';
import type { Database } from '../database.ts';
import type { Command } from '../ledger.ts';
import { verifyLedger } from '../verify.ts';
import { NOTHING_ASSIGNED, openPostgresForTest } from './postgres.fixture.ts';

const HISTORIES = 60;

/** Replaces `books_plain`, so that `books_one` writes every command. */
const NONE_IS_PLAIN = `CREATE OR REPLACE FUNCTION
  books_plain(batch JSONB, accounts TEXT[], repeated TEXT[], live TEXT[]) RETURNS TEXT[]
  LANGUAGE sql AS $$ SELECT array_fill(NULL::TEXT, ARRAY[jsonb_array_length(batch)]) $$`;
/** Replaces `books_one`, so that every command that is not plain fails. */
const ALL_MUST_BE_PLAIN = `CREATE OR REPLACE FUNCTION books_one(c JSONB, accounts TEXT[],
  live TEXT[], is_firm BOOLEAN)
  RETURNS TEXT LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not plain: %', c; END $$`;

const run = (database: Database, statement: string) =>
  database.sql.query({ sql: statement, params: [] });

/**
 * Opens a store whose node holds nothing in memory, so that PostgreSQL decides every hold. The
 * tests compare the tables of two such stores.
 */
async function openFurnished(): Promise<Database> {
  const database = await openPostgresForTest({ share: NOTHING_ASSIGNED });
  await furnish(database);
  return database;
}

/** Sums the usage, because PostgreSQL has several rows per key until it adds up a batch. */
const usageBy = (unit: 'day' | 'month'): string => {
  const key = `account_id, ${unit}, key_id, model, channel, currency`;
  return withColumns(`SELECT ${key}, {{counts: CAST(SUM($) AS BIGINT) AS $}}
    FROM usage_by_${unit} GROUP BY ${key} ORDER BY ${key}`);
};

/**
 * Queries that read the complete ledger, sorted. Movements are sorted by command id, because their
 * order across accounts does not matter.
 */
const BOOKS = [
  'SELECT * FROM wallet ORDER BY account_id, currency',
  'SELECT * FROM spend_meter ORDER BY owner_id',
  'SELECT * FROM hold ORDER BY id',
  'SELECT * FROM extension ORDER BY id',
  `SELECT to_jsonb(receipt) - 'seq' AS row FROM receipt ORDER BY request_id`,
  `SELECT to_jsonb(late_receipt) - 'seq' AS row FROM late_receipt ORDER BY request_id`,
  usageBy('day'),
  usageBy('month'),
  `SELECT kind, command_id, reason, available_after, at_ms, body FROM money_transaction
   ORDER BY command_id`,
  `SELECT m.command_id, e.line, e.account_id, e.currency, e.amount, e.balance_after
   FROM entry e JOIN money_transaction m ON m.id = e.transaction_id ORDER BY m.command_id, e.line`,
  'SELECT * FROM audit ORDER BY id',
];

const booksOf = (database: Database): Promise<readonly unknown[]> =>
  Promise.all(BOOKS.map((text) => run(database, text)));

/** Reads the rows of one history. All their ids begin with the name of its run. */
const booksOfRun = (database: Database, name: string): Promise<readonly unknown[]> => {
  const rows = BOOKS.map((text) => `SELECT to_jsonb(row) AS row FROM (${text}) row`);
  const named = `SELECT row::text FROM ($) books WHERE row::text LIKE '%${name}\\_%'`;
  return Promise.all(
    rows.map((text) =>
      run(
        database,
        named.replace('$', () => text),
      ),
    ),
  );
};

const answerOf = async ({ ledger }: Database, batch: readonly Command[]): Promise<unknown> =>
  await ledger.apply(batch).catch((thrown: unknown) => String(thrown));

/**
 * The state of a random history. `terms` has the account and currency of each hold, so that most
 * settlements match their hold.
 */
type World = { readonly run: string; readonly terms: Map<string, Terms> };
type Terms = {
  readonly accountId: string;
  readonly keyId: string;
  readonly currency: Currency;
  readonly isPriced: boolean;
};
type Draft = (world: World) => Command;

const amount = fc.bigInt({ min: 0n, max: 60n });
const currency = fc.constantFrom<Currency>('USD', 'CNY');
const account = fc.constantFrom('a', 'b', 'c');
const number = fc.integer({ min: 0, max: 60 });
const atMs = fc.constantFrom(0, 0, 0, 0, 0, 1, -1, 11).map((days) => AT_MS + days * DAY_MS);
const id = ({ run }: World, each: number): string => `${run}_${each}`;
const accountId = ({ run }: World, each: string): string => `${run}_${each}`;
/** Returns a key of the account. One member created both keys. */
const keyOf = (account: string, isSecond: boolean): string =>
  `${isSecond ? 'sibling' : 'key'}_${account}`;

const holds: fc.Arbitrary<Draft> = fc
  .record({
    ...{ of: number, on: account, sum: amount, least: amount, in: currency, atMs },
    ...{
      isExchanging: fc.boolean(),
      isPriced: fc.boolean(),
      isSecond: fc.boolean(),
      isLive: fc.constantFrom(true, true, false),
    },
  })
  .map(
    (drawn): Draft =>
      (world) => {
        const isForeign = drawn.in === 'CNY';
        const owner = accountId(world, drawn.on);
        const terms = {
          accountId: owner,
          keyId: keyOf(owner, drawn.isSecond),
          currency: drawn.in,
          isPriced: drawn.isPriced && isForeign,
        };
        const holdId = id(world, drawn.of);
        if (!world.terms.has(holdId)) world.terms.set(holdId, terms);
        return hold(holdId, drawn.sum, {
          ...{ accountId: owner, keyId: terms.keyId, currency: drawn.in, atMs: drawn.atMs },
          atLeast: drawn.least < drawn.sum ? drawn.least : drawn.sum,
          worstCase: drawn.sum + drawn.least,
          ...(drawn.isExchanging && isForeign && { exchange: USD_CNY }),
          ...(terms.isPriced && { priceRate: USD_CNY }),
          epoch: drawn.isLive ? EPOCH : 'epoch_over',
        });
      },
  );

const NOBODYS: Terms = {
  ...{ accountId: 'alice', keyId: 'key_alice', currency: 'USD', isPriced: false },
};

function termsOf(world: World, holdId: string) {
  const { accountId, keyId, currency, isPriced } = world.terms.get(holdId) ?? NOBODYS;
  const priced = isPriced ? { cardId: 'card_usd', fxRateId: USD_CNY.id } : {};
  return { accountId, keyId, currency, ...priced };
}

const settlements: fc.Arbitrary<Draft> = fc
  .record({
    of: number,
    tokens: fc.bigInt({ min: 0n, max: 25n }),
    atMs,
    cardId: fc.constantFrom(null, null, 'card_none'),
    // Usually zero, because an account that an overrun makes careful may have only one hold.
    carefulAnswers: fc.constantFrom(0, 0, 0, 0, 1),
  })
  .map(
    ({ of, tokens, atMs, cardId, carefulAnswers }): Draft =>
      (world) => {
        const holdId = id(world, of);
        const terms = termsOf(world, holdId);
        const charge = settleAmount(tokens * 1_000n, 'fxRateId' in terms ? USD_CNY : null);
        // Only a few commands use an unpublished price card, because such a command makes its batch
        // fail.
        const card = cardId === null || of % 20 > 0 ? {} : { cardId };
        const settled = settle(holdId, tokens, { ...terms, ...card });
        return { ...settled, charge, carefulAnswers, atMs };
      },
  );

const others: fc.Arbitrary<Draft> = fc
  .record({
    of: number,
    on: number,
    whose: account,
    in: currency,
    sum: fc.bigInt({ min: 1n, max: 90n }),
  })
  .chain((drawn) => {
    const wallet = (world: World) => ({
      accountId: accountId(world, drawn.whose),
      currency: drawn.in,
    });
    return fc.constantFrom<Draft>(
      (world) => credit(id(world, drawn.of), drawn.sum * 3n, wallet(world)),
      (world) => adjust(id(world, drawn.of), -drawn.sum, wallet(world)),
      (world) => exchange(id(world, drawn.of), drawn.sum, accountId(world, drawn.whose)),
      (world) => refund(id(world, drawn.of), id(world, drawn.on), drawn.sum),
      (world) => creditLimit(id(world, drawn.of), drawn.sum, wallet(world)),
      (world) => extend(id(world, drawn.of), id(world, drawn.on), drawn.sum),
      (world) => {
        const holdId = id(world, drawn.on);
        const kept = checkpoint(holdId, drawn.sum, termsOf(world, holdId));
        return extend(id(world, drawn.of), holdId, drawn.sum, kept);
      },
      (world) => voided(id(world, drawn.on), wallet(world)),
    );
  });

/** Changes between two batches: the caps of an account and a member, and the status of keys. */
const changes = fc
  .record({
    whose: account,
    cap: fc.option(fc.bigInt({ min: 0n, max: 200n })),
    memberCap: fc.option(fc.bigInt({ min: 0n, max: 200n }), { freq: 1 }),
    isActive: fc.boolean(),
  })
  .map((drawn) => async (world: World, { sql }: Database): Promise<void> => {
    const { whose, cap, memberCap, isActive } = drawn;
    const owner = accountId(world, whose);
    const cut = 'UPDATE spend_meter SET cap_week = $1 WHERE owner_id = $2';
    await sql.query({ sql: cut, params: [cap, owner] });
    await capMember(sql, owner, { week: memberCap });
    const status = isActive ? 'active' : 'revoked';
    const turn = "UPDATE api_key SET status = $1 WHERE account_id = $2 AND $3 = 'c'";
    await sql.query({ sql: turn, params: [status, owner, whose] });
  });

type Step = {
  readonly change: ((world: World, database: Database) => Promise<void>) | null;
  readonly batch: readonly Draft[];
};

const steps: fc.Arbitrary<Step> = fc.record({
  change: fc.option(changes, { freq: 4 }),
  batch: fc.array(
    fc.oneof(
      { weight: 8, arbitrary: holds },
      { weight: 8, arbitrary: settlements },
      { weight: 1, arbitrary: others },
    ),
    { minLength: 1, maxLength: 40 },
  ),
});

/** Sends the same commands to two stores and compares their replies and ledgers. */
class Twins {
  readonly #atOnce: Database;
  readonly #oneByOne: Database;
  #histories = 0;

  constructor(atOnce: Database, oneByOne: Database) {
    this.#atOnce = atOnce;
    this.#oneByOne = oneByOne;
  }

  async live(history: readonly Step[]): Promise<void> {
    const world: World = { run: `run${++this.#histories}`, terms: new Map() };
    for (const each of ['a', 'b', 'c']) await this.#addAccount(world, each);
    for (const { change, batch } of history) {
      if (change !== null) await this.#both((store) => change(world, store));
      const commands = batch.map((draft) => draft(world));
      await this.#both((store) => answerOf(store, commands));
      await this.#both((store) => booksOfRun(store, world.run));
    }
    // Uses open connections, which have already planned these queries. `verify` would open another
    // connection.
    expect(await verifyLedger(this.#atOnce.sql, 'stored')).toEqual([]);
  }

  /** Checks that no history has changed rows of another history. */
  async end(): Promise<void> {
    await this.#both(booksOf);
  }

  async #addAccount(world: World, each: string): Promise<void> {
    const own = { accountId: accountId(world, each) };
    // The account has so little CNY that its holds often reserve USD.
    const funds = [
      credit(`${own.accountId}_usd`, 300n, own),
      credit(`${own.accountId}_cny`, 70n, { ...own, currency: 'CNY' }),
    ];
    await this.#both(async ({ sql }) => {
      await addAccount(sql, own.accountId);
      await addMemberKeys(sql, own.accountId);
    });
    await this.#both((store) => store.ledger.apply(funds));
  }

  async #both(ask: (store: Database) => Promise<unknown>): Promise<void> {
    const [atOnce, oneByOne] = await Promise.all([ask(this.#atOnce), ask(this.#oneByOne)]);
    expect(atOnce).toEqual(oneByOne);
  }
}

let stores: readonly Database[] = [];
const seed = Buffer.from(clock.randomBytes(4)).readInt32BE();
beforeAll(() => console.log(`batches at once and one by one: ${HISTORIES} runs, seed ${seed}`));
afterAll(() => Promise.all(stores.map((store) => store.close())));

test('a batch and its commands one by one give the same answers and the same ledger', async () => {
  const [atOnce, oneByOne] = await Promise.all([openFurnished(), openFurnished()]);
  stores = [atOnce, oneByOne];
  await run(oneByOne, NONE_IS_PLAIN);
  const twins = new Twins(atOnce, oneByOne);
  const histories = fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 6 }), (history) =>
    twins.live(history),
  );
  await fc.assert(histories, { numRuns: HISTORIES, seed });
  await twins.end();
}, 300_000);

test('the error of a batch comes when all of its commands are decided', async () => {
  const database = await openFurnished();
  stores = [...stores, database];
  const { ledger, sql } = database;
  await ledger.apply([credit('c1', 100n), credit('c2', 100n, { accountId: 'bob' })]);
  const bob = `SELECT 1 AS is_free FROM wallet WHERE account_id = 'bob' FOR UPDATE`;
  const isBusy = sql.transaction([raw(bob), raw('SELECT pg_sleep(1)')]);
  await eventually(
    'another transaction has the account',
    () => run(database, `${bob} SKIP LOCKED`),
    (rows) => rows.length === 0,
  );
  const batch = [
    hold('h1', 10n),
    settle('h1', 5n, { cardId: 'card_none' }),
    // The hold after the exchange is only requested after the settlement has failed.
    exchange('e1', 14n),
    hold('h2', 20n, { accountId: 'bob' }),
  ];
  expect(await failureOf(ledger.apply(batch))).toHaveProperty('code', 'internal_error');
  const ids = await run(database, 'SELECT id FROM hold ORDER BY id');
  expect(ids).toEqual([{ id: 'h1' }, { id: 'h2' }]);
  await isBusy;
});

test('holds that wallets cover and settlements within holds are written in one statement', async () => {
  const database = await openFurnished();
  stores = [...stores, database];
  const { ledger } = database;
  const inYuan = { currency: 'CNY' as const, exchange: USD_CNY, priceRate: USD_CNY };
  await ledger.apply([
    credit('c1', 100n),
    credit('c2', 71n, { accountId: 'bob', currency: 'CNY' }),
    credit('c3', 10n, { accountId: 'bob' }),
  ]);
  // The cap affects neither other people's keys, nor the member's key in another account.
  await addMemberKeys(database.sql, 'alice');
  await run(database, "UPDATE api_key SET created_by = 'usr_alice' WHERE id = 'key_bob'");
  await capMember(database.sql, 'alice', { day: 0n });
  await run(database, ALL_MUST_BE_PLAIN);
  expect(
    await ledger.apply([
      hold('h1', 40n, { keyId: 'other_alice' }),
      hold('h2', 60n, { keyId: 'other_alice' }),
      hold('h3', 50n, { accountId: 'bob', ...inYuan }),
    ]),
  ).toEqual([applied(40n, 60n), applied(60n, 0n), applied(50n, 92n)]);
  const priced = {
    ...{ accountId: 'bob', currency: 'CNY' as const },
    ...{ cardId: 'card_usd', fxRateId: USD_CNY.id },
  };
  expect(
    await ledger.apply([
      settle('h1', 30n, { keyId: 'other_alice' }),
      settle('h2', 60n, { keyId: 'other_alice' }),
      // 7 tokens at one nano-USD each cost 49.7 nano-CNY.
      { ...settle('h3', 7n, priced), charge: nano(50n) },
    ]),
  ).toEqual([applied(30n, 10n), applied(60n, 10n), applied(50n, 92n)]);
  for (const keyId of ['other_alice', 'key_alice']) {
    const amount = keyId === 'other_alice' ? 11n : 1n;
    const failure = await failureOf(ledger.apply([hold('h4', amount, { keyId })]));
    expect(failure).toHaveProperty('code', 'internal_error');
  }
  expect(await ledger.verify()).toEqual([]);
});
